"""Distances against brute force and closed forms; boxes that hold what they should; blends that skip nothing."""

import numpy as np
import pytest

from hydrostat.geometry.implicit import (
    Blend,
    Box,
    Carved,
    Cylinder,
    Ellipsoid,
    Grown,
    Mirrored,
    Plate,
    Turned,
    ball,
    capsule,
    cone,
    tube,
)

SHAPES = {
    "ball": ball((0.1, 0.2, -0.1), 0.3),
    "cone": cone((-0.3, 0.0, 0.1), (0.4, 0.2, 0.0), 0.25, 0.1),
    "cone that widens": cone((-0.3, 0.0, 0.1), (0.4, 0.2, 0.0), 0.05, 0.2),
    "cone within its ball": cone((0.0, 0.0, 0.0), (0.1, 0.0, 0.0), 0.4, 0.1),
    "tube": tube([(-0.4, 0.0, 0.0), (0.0, 0.3, 0.1), (0.4, 0.0, 0.2)], [0.1, 0.15, 0.05]),
    "box": Box((-0.4, -0.2, -0.1), (0.3, 0.2, 0.3), 0.05),
    "cylinder": Cylinder((-0.3, 0.0, 0.0), (0.3, 0.2, 0.1), 0.2, 0.04),
    "plate": Plate(((-0.4, 0.0, 0.0), (0.4, 0.1, 0.0), (0.0, 0.4, 0.3)), 0.08),
    "ellipsoid": Ellipsoid((0.1, 0.0, 0.0), (0.4, 0.3, 0.2)),
    "blend": Blend((ball((0.0, 0.0, 0.0), 0.2), capsule((0.1, 0.1, 0.0), (0.4, 0.3, 0.0), 0.1)), 0.1),
    "carved": Carved(ball((0.0, 0.0, 0.0), 0.4), capsule((0.2, 0.0, 0.0), (0.6, 0.0, 0.0), 0.1), 0.05),
    "grown": Grown(Box((-0.2, -0.1, -0.1), (0.2, 0.1, 0.1)), 0.1),
    "mirrored": Mirrored(ball((0.0, 0.1, 0.3), 0.15)),
    "turned": Turned(Box((-0.4, -0.1, -0.2), (0.2, 0.1, 0.2)), (0.1, 0.0, 0.0), (1.0, 2.0, 0.5), 40.0),
}
EXACT = ["ball", "cone", "cone that widens", "cone within its ball", "tube", "box", "cylinder", "plate", "grown"]


def points(count=4000, seed=0, size=1.0):
    return np.random.default_rng(seed).uniform(-size, size, (count, 3))


@pytest.mark.parametrize("name", SHAPES)
def test_what_is_inside_is_within_the_bounds(name):
    shape = SHAPES[name]
    where = points(20_000)
    low, high = shape.bounds()
    inside = where[shape.distance(where) < 0]
    assert len(inside) > 50
    assert ((inside >= low - 1e-9) & (inside <= high + 1e-9)).all()


@pytest.mark.parametrize("name", EXACT)
def test_distance_grows_by_one_metre_a_metre_outside(name):
    shape, step = SHAPES[name], 1e-5
    where = points()
    where = where[shape.distance(where) > 1e-3]
    slope = [(shape.distance(where + step * e) - shape.distance(where - step * e)) / (2 * step) for e in np.eye(3)]
    steepness = np.linalg.norm(slope, axis=0)
    # Where two parts are equally near the slope jumps.
    assert (steepness < 1 + 1e-6).all()
    assert np.mean(np.abs(steepness - 1) < 1e-4) > 0.99


def test_a_cone_is_the_union_of_the_balls_between_its_ends():
    start, end, radii = np.array([-0.3, 0.0, 0.1]), np.array([0.4, 0.2, 0.0]), (0.25, 0.1)
    where = points(500)
    share = np.linspace(0, 1, 4001)[:, None]
    centres, radius = start + share * (end - start), radii[0] + share[:, 0] * (radii[1] - radii[0])
    brute = (np.linalg.norm(where[:, None] - centres, axis=2) - radius).min(axis=1)
    np.testing.assert_allclose(SHAPES["cone"].distance(where)[brute > 0], brute[brute > 0], atol=1e-6)
    assert ((SHAPES["cone"].distance(where) < 0) == (brute < 0)).all()


def test_closed_forms():
    box = Box((-1.0, -1.0, -1.0), (1.0, 1.0, 1.0))
    np.testing.assert_allclose(box.distance(np.array([[3.0, 0, 0], [2, 2, 2], [0.5, 0, 0]])), [2, np.sqrt(3), -0.5])
    can = Cylinder((0.0, 0.0, 0.0), (0.0, 2.0, 0.0), 1.0)
    np.testing.assert_allclose(can.distance(np.array([[2.0, 1, 0], [0, 3, 0], [4, 6, 0], [0, 1, 0]])), [1, 1, 5, -1])
    plate = Plate(((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)), 0.1)
    places = np.array([[0.2, 0.2, 0.5], [0.2, 0.2, 0.0], [-3.0, -4.0, 0.0], [1.0, 1.0, 0.0]])
    np.testing.assert_allclose(plate.distance(places), [0.4, -0.1, 4.9, np.sqrt(0.5) - 0.1])


def test_an_ellipsoid_is_right_to_first_order_at_its_surface():
    shape = Ellipsoid((0.1, 0.0, 0.0), (0.4, 0.3, 0.2))
    way = np.random.default_rng(1).normal(size=(500, 3))
    way /= np.linalg.norm(way, axis=1, keepdims=True)
    on = np.array(shape.centre) + way * shape.radii
    normal = way / np.array(shape.radii)
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    np.testing.assert_allclose(shape.distance(on), 0.0, atol=1e-12)
    np.testing.assert_allclose(shape.distance(on + 1e-4 * normal), 1e-4, rtol=2e-3)
    assert shape.distance(np.array([shape.centre])) == [-0.2]


def test_a_blend_skips_only_parts_that_do_not_matter():
    rng = np.random.default_rng(2)
    parts = tuple(ball(tuple(rng.uniform(-0.5, 0.5, 3).tolist()), 0.1) for _ in range(12))
    where, width = points(2000), 0.1
    whole = parts[0].distance(where)
    for part in parts[1:]:
        other = part.distance(where)
        whole = np.minimum(whole, other) - np.maximum(width - np.abs(whole - other), 0) ** 2 / (4 * width)
    np.testing.assert_array_equal(Blend(parts, width).distance(where), whole)
    assert (Blend(parts, width).distance(where) < Blend(parts).distance(where)).any()


def test_a_cut_leaves_nothing_of_the_tool():
    body, tool = ball((0.0, 0.0, 0.0), 0.4), Box((-1.0, -1.0, -1.0), (1.0, 0.0, 1.0))
    where = points()
    inside = Carved(body, tool).distance(where) < 0
    np.testing.assert_array_equal(inside, (body.distance(where) < 0) & (where[:, 1] > 0))


def test_a_quarter_turn_and_a_mirror():
    where = points()
    turned = Turned(ball((1.0, 0.0, 0.0), 0.2), (0.0, 0.0, 0.0), (0.0, 1.0, 0.0), 90.0)
    np.testing.assert_allclose(turned.distance(where), ball((0.0, 0.0, -1.0), 0.2).distance(where), atol=1e-12)
    shape = SHAPES["mirrored"]
    np.testing.assert_array_equal(shape.distance(where), shape.distance(where * [1, 1, -1]))


def test_a_tube_passes_through_its_points_with_their_radii():
    places, radii = [(-0.4, 0.0, 0.0), (0.0, 0.3, 0.1), (0.4, 0.0, 0.2)], [0.1, 0.15, 0.05]
    balls = np.array(tube(places, radii).balls)
    for place, radius in zip(places, radii, strict=True):
        assert np.isclose(balls, [*place, radius], atol=1e-6).all(axis=1).any()
