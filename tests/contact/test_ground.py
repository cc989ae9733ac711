"""Grounds: distances and normals."""

import numpy as np
import pytest

from hydrostat.contact.ground import Heightfield, Plane, slope
from hydrostat.errors import InputError

POINTS = np.random.default_rng(5).uniform(-0.9, 0.9, (50, 3))


def test_plane():
    assert np.allclose(Plane(offset=0.2).gaps(POINTS), POINTS[:, 1] - 0.2)
    assert np.allclose(Plane().normals(POINTS), [0, 1, 0])


def test_slope_falls_towards_x():
    ground = slope(0.3)
    on_it = np.array([[np.cos(0.3), -np.sin(0.3), 0.7]])
    assert np.allclose(ground.gaps(on_it), 0.0)
    assert np.allclose(ground.gaps(on_it + ground.normals(on_it)), 1.0)


def test_a_flat_heightfield_is_a_plane():
    x = np.linspace(-1, 1, 5)
    ground = Heightfield(np.tile(0.5 * x, (5, 1)), 0.5, (-1.0, -1.0))
    plane = Plane(tuple(np.array([-0.5, 1.0, 0.0]) / np.sqrt(1.25)))
    assert np.allclose(ground.gaps(POINTS), plane.gaps(POINTS))
    assert np.allclose(ground.normals(POINTS), plane.normals(POINTS))


def test_heightfield_normals_are_the_gradient_of_the_height():
    rng = np.random.default_rng(2)
    ground = Heightfield(rng.uniform(0, 0.3, (7, 9)), 0.3, (-1.2, -0.9))
    points, h = POINTS[np.abs(POINTS[:, 2]) < 0.85], 1e-6
    flat = points * [1, 0, 1]

    def height(at):
        normal = ground.normals(at)
        return -ground.gaps(at) / normal[:, 1]

    for axis in (0, 2):
        step = h * np.eye(3)[axis]
        gradient = (height(flat + step) - height(flat - step)) / (2 * h)
        normal = ground.normals(flat)
        assert np.allclose(gradient, -normal[:, axis] / normal[:, 1], atol=1e-5)


def test_heightfield_is_level_beyond_its_border():
    ground = Heightfield(np.array([[0.0, 1.0], [0.0, 1.0]]), 1.0)
    assert np.allclose(ground.gaps(np.array([[5.0, 3.0, 0.5]])), 2.0)
    assert np.allclose(ground.normals(np.array([[5.0, 3.0, 0.5]])), [0, 1, 0])


@pytest.mark.parametrize(
    "make",
    [
        lambda: Plane((0.0, 2.0, 0.0)),
        lambda: Plane((0.0, float("nan"), 0.0)),
        lambda: slope(1.6),
        lambda: Heightfield(np.zeros((1, 5)), 1.0),
        lambda: Heightfield(np.zeros((2, 2)), 0.0),
        lambda: Heightfield(np.full((2, 2), np.nan), 1.0),
    ],
)
def test_grounds_without_meaning_are_refused(make):
    with pytest.raises(InputError, match="Cure"):
        make()
