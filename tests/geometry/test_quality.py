"""Angles and counts of tetrahedra against known shapes."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hydrostat.errors import InputError
from hydrostat.geometry.quality import check_tets, dihedral_angles, smallest_dihedral
from hydrostat.geometry.tetrahedra import TetMesh

REGULAR = np.array([[1, 1, 1], [-1, 1, -1], [1, -1, -1], [-1, -1, 1]], dtype=float)
CORNER = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], dtype=float)
ONE = np.array([[0, 1, 2, 3]])


def test_regular_tetrahedron():
    np.testing.assert_allclose(dihedral_angles(REGULAR, ONE), np.full((1, 6), 70.528779), atol=1e-5)


def test_corner_of_a_cube_in_the_order_of_the_edges():
    slanted = np.degrees(np.arccos(1 / np.sqrt(3)))
    expected = [90, 90, 90, slanted, slanted, slanted]
    np.testing.assert_allclose(dihedral_angles(CORNER, ONE)[0], expected, atol=1e-9)


def test_obtuse_angle_stands_at_its_edge():
    flat = np.array([[0, 0, 0], [0, 0, 1], [1, 0.1, 0.5], [-1, 0.1, 0.5]])
    angles = dihedral_angles(flat, ONE)[0]
    assert angles[0] == pytest.approx(180 - 2 * np.degrees(np.arctan(0.1)), abs=1e-9)
    assert angles.argmax() == 0


@given(st.integers(0, 10_000), st.floats(1e-3, 1e3))
@settings(max_examples=50, deadline=None)
def test_angles_do_not_change_with_place_turn_size_or_winding(seed, size):
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(4, 3))
    turn, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    before = dihedral_angles(points, ONE)
    np.testing.assert_allclose(dihedral_angles(size * points @ turn + rng.normal(size=3), ONE), before, atol=1e-5)
    assert smallest_dihedral(points, ONE)[0] == before.min()


def test_tetrahedron_without_volume_has_a_zero_angle_and_no_nan():
    collapsed = np.zeros((4, 3))
    np.testing.assert_array_equal(dihedral_angles(collapsed, ONE), np.zeros((1, 6)))


def test_report():
    points = np.concatenate([CORNER, 2 * CORNER + [5, 0, 0], [[9, 9, 9]]])
    mesh = TetMesh(points, np.array([[0, 1, 2, 3], [4, 6, 5, 7]]))
    quality = check_tets(mesh)
    assert (quality.tets, quality.vertices, quality.components, quality.unused_vertices) == (2, 9, 2, 1)
    assert quality.inverted == 1
    assert quality.min_volume == pytest.approx(-8 / 6)
    assert quality.max_volume == pytest.approx(1 / 6)
    assert quality.total_volume == pytest.approx(-7 / 6)
    assert quality.min_dihedral == pytest.approx(54.7356, abs=1e-3)


def test_fifth_percentile_is_over_the_smallest_angles():
    thin = CORNER * [1, 1, 0.1]
    points = np.concatenate([CORNER, thin + 5])
    tets = np.array([[0, 1, 2, 3]] * 99 + [[4, 5, 6, 7]])
    quality = check_tets(TetMesh(points, tets))
    assert quality.min_dihedral < 10
    assert quality.fifth_percentile_dihedral == pytest.approx(54.7356, abs=1e-3)


def test_empty_mesh_is_refused():
    with pytest.raises(InputError, match="no tetrahedra"):
        check_tets(TetMesh(CORNER, np.empty((0, 4), dtype=np.int64)))
