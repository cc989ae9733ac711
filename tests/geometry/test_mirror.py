"""A mirrored half is one closed body, symmetric to the last bit."""

import numpy as np
import pytest

from hydrostat.errors import InputError
from hydrostat.geometry.mirror import mirrored
from hydrostat.geometry.primitives import box_tets
from hydrostat.geometry.repair import require_solid
from hydrostat.geometry.tetrahedra import TetMesh


def half_box(axis, shift=0.0):
    """A box of 1 × 1 × 1 m whose low side along ``axis`` lies ``shift`` m off the plane."""
    box = box_tets((1.0, 1.0, 1.0), (2, 2, 2))
    return TetMesh(box.vertices + (0.5 + shift) * np.eye(3)[axis], box.tets)


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_whole_is_closed_and_symmetric(axis):
    half = half_box(axis)
    whole = mirrored(half, axis)
    require_solid(whole.surface)
    assert whole.volumes.min() == half.volumes.min() > 0.0
    assert whole.volumes.sum() == pytest.approx(2.0)
    assert len(whole.boundary) == 2 * (len(half.boundary) - 8)
    image = whole.vertices * np.where(np.arange(3) == axis, -1.0, 1.0)
    assert set(map(tuple, image + 0.0)) == set(map(tuple, whole.vertices + 0.0))


def test_vertices_beside_the_plane_are_put_on_it():
    whole = mirrored(half_box(0, shift=1e-3), 0)
    assert whole.volumes.sum() == pytest.approx(2.002)
    assert len(whole.vertices) == 45


@pytest.mark.parametrize("shift", [0.01, 0.5, -0.5])
def test_body_that_does_not_begin_at_the_plane_is_refused(shift):
    with pytest.raises(InputError, match="no flat side where coordinate 0 is 0"):
        mirrored(half_box(0, shift), 0)


def test_gap_in_the_flat_side_is_refused():
    half = half_box(0)
    vertices = half.vertices.copy()
    vertices[np.argmin(np.linalg.norm(vertices, axis=1)), 0] = 0.02
    with pytest.raises(InputError, match="mesh it finer"):
        mirrored(TetMesh(vertices, half.tets), 0)
