import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial import ConvexHull

from hydrostat.solvers.friction import DIRECTIONS, friction_polygons, isotropic

coefficients = st.lists(st.sampled_from([0.0, 0.05, 0.3, 0.5, 1.0]), min_size=8, max_size=8)


def polygon(friction):
    return friction_polygons(np.array([friction], dtype=float))


def corners_of(friction):
    return [k for k in range(8) if polygon(friction).successors[0, k] >= 0]


def test_directions_are_unit_and_45_degrees_apart():
    assert np.allclose(np.hypot(*DIRECTIONS.T), 1.0, atol=1e-15)
    assert np.allclose((DIRECTIONS * np.roll(DIRECTIONS, -1, axis=0)).sum(axis=1), np.sqrt(0.5), atol=1e-15)


def test_isotropic_friction_is_an_octagon():
    shape = friction_polygons(isotropic(np.array([0.5, 0.0])))
    assert shape.successors[0].tolist() == [1, 2, 3, 4, 5, 6, 7, 0]
    assert np.allclose(shape.offsets[0], 0.5 * np.cos(np.pi / 8))
    assert (shape.successors[1] >= 0).sum() == 1  # no friction: a point


@given(st.lists(st.floats(0.05, 1.0), min_size=8, max_size=8))
def test_corners_are_those_of_the_convex_hull(friction):
    points = np.array(friction)[:, None] * DIRECTIONS
    hull = ConvexHull(points)
    # a corner that the hull only just has may go either way
    clear = [k for k in hull.vertices if ConvexHull(np.delete(points, k, axis=0)).volume < hull.volume - 1e-9]
    assert set(clear) <= set(corners_of(friction)) <= set(hull.vertices.tolist())


@given(coefficients)
def test_facets_hold_all_generators_and_touch_them(friction):
    shape = polygon(friction)
    generators = np.column_stack([np.ones(8), np.array(friction)[:, None] * DIRECTIONS])
    used = np.abs(shape.facets[0]).sum(axis=1) > 0
    values = shape.facets[0][used] @ generators.T
    assert values.min() >= -1e-12
    assert np.all(values[1:].min(axis=1) <= 1e-12)
    assert np.all(np.abs(values[shape.fixed[0][used]]) <= 1e-12)


@given(coefficients, st.floats(0, 2 * np.pi))
def test_facets_exclude_what_is_outside(friction, angle):
    shape = polygon(friction)
    direction = np.array([np.cos(angle), np.sin(angle)])
    reach = (np.array(friction) * (DIRECTIONS @ direction)).max()
    beyond = np.concatenate([[1.0], (reach + 1e-3) * direction])
    values = shape.facets[0] @ beyond
    assert values.min() < -1e-5 or np.abs(values[shape.fixed[0]]).max(initial=0.0) > 1e-5


@pytest.mark.parametrize(
    ("friction", "corners"),
    [
        ([0.5, 0.1, 0.5, 0.1, 0.5, 0.1, 0.5, 0.1], [0, 2, 4, 6]),
        ([0.5, 0.5 * np.sqrt(0.5), 0.5, 0.5, 0.5, 0.5, 0.5, 0.5], [0, 2, 3, 4, 5, 6, 7]),
        ([0.5, 0, 0, 0, 0.2, 0, 0, 0], [0, 4]),
        ([0.5, 0, 0, 0, 0, 0, 0, 0], [0, 1]),
        ([0.5, 0, 0.5, 0, 0, 0, 0, 0], [0, 1, 2]),
    ],
)
def test_generators_inside_the_hull_are_no_corners(friction, corners):
    assert corners_of(friction) == corners
