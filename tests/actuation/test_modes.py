"""Limits of amplitudes against deformations that are known."""

import numpy as np
import pytest

from hydrostat.actuation.modes import largest_amplitudes, stretches
from hydrostat.bodies.fem import FemBody
from hydrostat.bodies.vibration import vibrations
from hydrostat.errors import InputError
from hydrostat.geometry.primitives import box_tets


def test_stretch_of_an_affine_mode_is_that_of_its_matrix():
    mesh = box_tets((1.0, 0.5, 0.3), (3, 2, 1))
    matrices = np.random.default_rng(0).normal(size=(2, 3, 3))
    modes = np.einsum("mij,nj->nim", matrices, mesh.vertices)
    expected = np.broadcast_to((matrices**2).sum(axis=(1, 2))[:, None], (2, len(mesh.tets)))
    assert np.allclose(stretches(mesh, modes), expected)
    assert np.allclose(largest_amplitudes(mesh, modes, 0.25), 0.5 / np.linalg.norm(matrices, axis=(1, 2)))


def test_at_its_limit_a_mode_stretches_one_element_so_far_and_none_further():
    """(77) with the deformation gradients of the finite elements."""
    mesh = box_tets((1.0, 0.5, 0.3), (4, 2, 2))
    shapes = vibrations(mesh, 4).shapes
    for stretch in (0.3, 1.0):
        for mode, limit in enumerate(largest_amplitudes(mesh, shapes, stretch)):
            positions = mesh.vertices + limit * shapes[:, :, mode]
            gradients = np.einsum("tai,taj->tij", positions[mesh.tets], FemBody(mesh).rest_gradients)
            assert ((gradients - np.eye(3)) ** 2).sum(axis=(1, 2)).max() == pytest.approx(stretch)


def test_only_the_elements_that_count_decide():
    mesh = box_tets((1.0, 0.5, 0.3), (4, 2, 2))
    shapes = vibrations(mesh, 2).shapes
    squares = stretches(mesh, shapes)
    calm = squares[0] < np.median(squares[0])
    limits = largest_amplitudes(mesh, shapes, elements=calm)
    assert limits[0] == pytest.approx(1.0 / np.sqrt(squares[0][calm].max()))
    assert limits[0] > largest_amplitudes(mesh, shapes)[0]
    with pytest.raises(InputError, match="stretch"):
        largest_amplitudes(mesh, shapes, -1.0)
