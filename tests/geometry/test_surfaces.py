"""Polygons become triangles that cover them exactly, with the same winding."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hydrostat.errors import InputError
from hydrostat.geometry.surfaces import area_vectors, face_volumes, triangulate, triangulate_region

SQUARE = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]]


def rotation(seed):
    q, _ = np.linalg.qr(np.random.default_rng(seed).normal(size=(3, 3)))
    return q * np.sign(np.linalg.det(q))


def newell(points):
    return np.cross(points, np.roll(points, -1, axis=0)).sum(axis=0) / 2


@given(
    radii=st.lists(st.floats(0.2, 3.0), min_size=4, max_size=12),
    seed=st.integers(0, 1000),
    backwards=st.booleans(),
)
@settings(max_examples=60, deadline=None)
def test_star_shaped_polygons_keep_area_and_winding(radii, seed, backwards):
    angles = np.linspace(0, 2 * np.pi, len(radii), endpoint=False)
    flat = np.stack([np.cos(angles), np.sin(angles), 0 * angles], axis=1) * np.array(radii)[:, None]
    points = flat @ rotation(seed).T + [1.0, 2.0, 3.0]
    polygon = list(range(len(radii)))[:: -1 if backwards else 1]
    faces, owner = triangulate(points, [polygon])
    areas = area_vectors(points, faces)
    whole = newell(points[polygon])
    assert len(faces) == len(radii) - 2
    assert (owner == 0).all()
    np.testing.assert_allclose(areas.sum(axis=0), whole, atol=1e-9)
    # No overlap: the areas add up to that of the whole.
    np.testing.assert_allclose(np.linalg.norm(areas, axis=1).sum(), np.linalg.norm(whole), rtol=1e-6)


def test_order_and_owners_of_mixed_polygons():
    points = np.array([*SQUARE, [2, 0, 0], [1.2, 0.2, 0]], dtype=float)
    polygons = [[0, 1, 2, 3], [0, 1, 2], [2, 1, 5, 4], [0, 2, 3]]
    faces, owner = triangulate(points, polygons)
    assert owner.tolist() == [0, 0, 1, 2, 2, 3]
    assert faces[2].tolist() == [0, 1, 2]
    assert faces[5].tolist() == [0, 2, 3]


def test_corners_in_a_straight_line_all_stay_corners():
    points = np.array([[0, 0, 0], [1, 0, 0], [2, 0, 0], [2, 2, 0], [0, 2, 0]], dtype=float)
    faces, _ = triangulate(points, [[0, 1, 2, 3, 4]])
    assert set(faces.ravel().tolist()) == {0, 1, 2, 3, 4}
    assert (area_vectors(points, faces)[:, 2] > 0).all()


def test_repeated_corners_and_small_polygons():
    points = np.array(SQUARE, dtype=float)
    faces, owner = triangulate(points, [[0, 1, 1, 2], [0, 1], [3], [0, 1, 2, 3, 0]])
    assert owner.tolist() == [0, 3, 3]
    assert faces[0].tolist() == [0, 1, 2]


def test_polygon_without_area_gives_triangles_without_area():
    points = np.array([[0, 0, 0], [1, 0, 0], [2, 0, 0], [3, 0, 0]], dtype=float)
    faces, _ = triangulate(points, [[0, 1, 2, 3]])
    assert len(faces) == 2


def test_bow_tie_is_refused_by_name():
    points = np.array([[0, 0, 0], [1, 1, 0], [1, 0, 0], [0, 1.5, 0]], dtype=float)
    with pytest.raises(InputError, match="roof 0 crosses itself"):
        triangulate(points, [[0, 1, 2, 3]], "roof {}".format)


def test_polygon_that_winds_twice_is_refused():
    angles = np.arange(5) * 4 * np.pi / 5
    points = np.stack([np.cos(angles), np.sin(angles), 0 * angles], axis=1)
    with pytest.raises(InputError, match="crosses itself"):
        triangulate(points, [[0, 1, 2, 3, 4]])


def test_keyhole_polygon_leaves_its_hole_open():
    inner = [[0.25, 0.25, 0], [0.25, 0.75, 0], [0.75, 0.75, 0], [0.75, 0.25, 0]]
    points = np.array([*SQUARE, *inner], dtype=float)
    faces, _ = triangulate(points, [[0, 1, 2, 3, 0, 4, 5, 6, 7, 4]])
    areas = area_vectors(points, faces)
    np.testing.assert_allclose(areas.sum(axis=0), [0, 0, 0.75])
    np.testing.assert_allclose(np.linalg.norm(areas, axis=1).sum(), 0.75)


@pytest.mark.parametrize(("holes", "area"), [([[0.5, 0.5, 9.0]], 0.75), ([], 1.0)])
def test_inner_loop_is_cut_out_only_by_a_hole_point(holes, area):
    inner = [[0.25, 0.25, 0], [0.75, 0.25, 0], [0.75, 0.75, 0], [0.25, 0.75, 0]]
    points = np.array([*SQUARE, *inner], dtype=float)
    faces = triangulate_region(points, [[0, 1, 2, 3], [4, 5, 6, 7], [4], [0, 4]], np.array(holes))
    np.testing.assert_allclose(area_vectors(points, faces).sum(axis=0), [0, 0, area])
    assert set(faces.ravel().tolist()) == set(range(8))


def test_volume_of_a_closed_surface_does_not_depend_on_the_origin():
    points = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]) + 100.0
    faces = np.array([[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]])
    assert face_volumes(points, faces).sum() == pytest.approx(1 / 6, abs=1e-12)
