"""The inner loops: which samples a triangle covers, who is in front, what is cut, how thick a body is."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hydrostat.arrays import Floats
from hydrostat.show.normals import corner_normals
from hydrostat.show.raster import add_thickness, draw_triangles, fill_plane

FLAT = np.array([1.0, 0.0, 0.0])  # at depth 1 a point (x, -y) stands at column x and row y
CUBE = np.array([[x, y, z] for x in (0.0, 1.0) for y in (0.0, 1.0) for z in (0.0, 1.0)])
# Counter-clockwise to an eye outside; right, up, forward is a left-handed frame.
CUBE_FACES = np.array(
    [
        *([0, 3, 1], [0, 2, 3], [4, 5, 7], [4, 7, 6], [0, 1, 5], [0, 5, 4]),
        *([2, 7, 3], [2, 6, 7], [0, 6, 2], [0, 4, 6], [1, 3, 7], [1, 7, 5]),
    ]
)


def drawn(
    corners: list[list[float]],
    faces: list[list[int]],
    size: tuple[int, int],
    values: list[list[float]] | None = None,
) -> tuple[Floats, Floats]:
    """1/depth and values of triangles whose corners are (column, row, depth) in samples."""
    column, row, depth = np.array(corners, dtype=float).T
    points = np.stack([column * depth, -row * depth, depth], axis=1)
    shown = np.zeros((*size, 1))
    inverse = np.zeros(size)
    given_values = np.array(values if values else np.zeros((len(points), 1)), dtype=float)
    draw_triangles(points, np.array(faces), given_values, FLAT, 1e-3, inverse, shown)
    return inverse, shown[..., 0]


def test_a_triangle_covers_exactly_the_samples_whose_middle_it_holds() -> None:
    inverse, _ = drawn([[0.5, 0.5, 1], [4.5, 0.5, 1], [0.5, 4.5, 1]], [[0, 1, 2]], (6, 6))
    # Middles on the top and left edges belong to it, those on the slope to the lower right do not.
    expected = [[1, 1, 1, 1, 0, 0], [1, 1, 1, 0, 0, 0], [1, 1, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0]] + [[0] * 6] * 2
    assert (inverse > 0).astype(int).tolist() == expected


@given(st.integers(0, 32), st.integers(0, 32))
@settings(deadline=None)
def test_triangles_round_a_point_cover_every_sample_of_a_square_once(x: int, y: int) -> None:
    # At half samples the edges run through the middles of samples, level, upright and slanted.
    place = (x / 2, y / 2)
    ring = [(0, 0), (place[0], 0), (16, 0), (16, place[1]), (16, 16), (place[0], 16), (0, 16), (0, place[1])]
    corners = [[column, row, 1] for column, row in [*ring, place]]
    count = np.zeros((16, 16))
    for i in range(8):
        count += drawn(corners, [[i, (i + 1) % 8, 8]], (16, 16))[0] > 0
    assert (count == 1).all()


def test_the_nearer_triangle_wins_in_either_order() -> None:
    corners = [[x, y, d] for d in (2, 1) for x, y in ((0, 0), (8, 0), (0, 8))]
    values = [[7.0]] * 3 + [[3.0]] * 3
    for faces in ([[0, 1, 2], [3, 4, 5]], [[3, 4, 5], [0, 1, 2]]):
        inverse, shown = drawn(corners, faces, (4, 4), values)
        assert (shown == 3.0).all()
        assert (inverse == 1.0).all()


def test_values_are_interpolated_in_space_and_not_on_the_picture() -> None:
    # A strip from depth 1 to depth 3: half way over the picture it is at depth 1.5, a quarter of its way.
    corners = [[0, -5, 1], [8, -5, 3], [8, 20, 3], [0, 20, 1]]
    inverse, shown = drawn(corners, [[0, 1, 2], [0, 2, 3]], (1, 8), [[1.0], [3.0], [3.0], [1.0]])
    place = (np.arange(8) + 0.5) / 8
    assert inverse[0] == pytest.approx(1 - place * 2 / 3)
    assert shown[0] == pytest.approx(1 / (1 - place * 2 / 3))


def test_a_triangle_through_the_camera_plane_is_cut() -> None:
    # Ground that runs from behind the eye to far ahead, at one unit below it: it fills the lower half.
    points = np.array([[-1e3, -1.0, -50.0], [1e3, -1.0, -50.0], [0.0, -1.0, 1e4]])
    inverse = np.zeros((8, 8))
    lens = np.array([4.0, 4.0, 4.0])
    draw_triangles(points, np.array([[0, 1, 2]]), np.zeros((3, 0)), lens, 0.01, inverse, np.zeros((8, 8, 0)))
    assert not inverse[:4].any()
    # The far corner is rounded to 1/256 of a sample, hence the tolerance.
    assert inverse[4:] == pytest.approx(np.tile((np.arange(4) + 0.5)[:, None] / 4, (1, 8)), abs=2e-4)


def test_triangles_behind_the_camera_and_far_outside_draw_nothing() -> None:
    points = np.array([[0, 0, -1.0], [1, 0, -1], [0, 1, -2], [1e7, 1e7, 1], [2e7, 1e7, 1], [1e7, 2e7, 1]])
    points = np.concatenate([points, 1e24 * points[3:] * [1, 1, 0] + [0, 0, 1]])
    inverse = np.zeros((8, 8))
    faces = np.arange(9).reshape(3, 3)
    draw_triangles(points, faces, np.zeros((9, 0)), np.array([4.0, 4.0, 4.0]), 0.01, inverse, np.zeros((8, 8, 0)))
    assert not inverse.any()


def cube_thickness(shift: list[float], drawn_depth: float = np.inf) -> Floats:
    """Thickness of a unit cube with its lowest corner at ``shift``, over the middle 2 × 2 of a long lens."""
    thickness = np.zeros((2, 2))
    depth = np.full((2, 2), 1.0 / drawn_depth)
    add_thickness(CUBE + shift, CUBE_FACES, np.array([1e3, 1.0, 1.0]), 1e-3, depth, thickness)
    return thickness


def test_thickness_is_the_length_inside() -> None:
    assert cube_thickness([-0.5, -0.5, 4.0]) == pytest.approx(1.0)


def test_thickness_ends_at_what_is_drawn() -> None:
    assert cube_thickness([-0.5, -0.5, 4.0], 4.25) == pytest.approx(0.25)
    assert cube_thickness([-0.5, -0.5, 4.0], 3.0) == pytest.approx(0.0)


def test_thickness_from_inside_starts_at_the_eye() -> None:
    assert cube_thickness([-0.5, -0.5, -0.25]) == pytest.approx(0.75)


def test_a_plane_has_the_depth_of_its_rays() -> None:
    inverse = np.zeros((4, 4))
    normal = np.array([0.0, np.cos(0.3), -np.sin(0.3)])
    fill_plane(normal, -2.0, np.array([3.0, 2.0, 2.0]), inverse)
    for row in range(4):
        for column in range(4):
            ray = np.array([(column - 1.5) / 3, (1.5 - row) / 3, 1.0])
            assert inverse[row, column] == pytest.approx(max(normal @ ray / -2.0, 0.0))


def test_normals_keep_a_right_angle_and_smooth_a_gentle_bend() -> None:
    faces = np.array([[0, 1, 2], [1, 0, 3]])

    def cosine_across(angle: float) -> float:
        points = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, -np.cos(angle), np.sin(angle)]])
        normals = corner_normals(points, faces, 0.45, 0.8)
        first, second = normals[0, 0], normals[1, 1]
        return float(first @ second / np.linalg.norm(first) / np.linalg.norm(second))

    assert cosine_across(np.pi / 2) == pytest.approx(0.0, abs=1e-12)
    assert cosine_across(0.4) == pytest.approx(1.0)
    assert 0.6 < cosine_across(0.9) < 1.0
