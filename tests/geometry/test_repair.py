"""Each fault is counted by diagnose, and put right by repair or refused by require_solid."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hydrostat.errors import InputError
from hydrostat.geometry.repair import diagnose, first_equal, obstacles, repair, require_solid
from hydrostat.geometry.surfaces import Surface, face_volumes, triangulate

CORNERS = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype=float)
QUADS = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
FACES = triangulate(CORNERS, QUADS)[0]


def cube(low=(0, 0, 0), size=1.0):
    return Surface(CORNERS * size + low, FACES)


def joined(*surfaces):
    offsets = np.cumsum([0, *(len(s.vertices) for s in surfaces[:-1])])
    faces = [s.faces + offset for s, offset in zip(surfaces, offsets, strict=True)]
    return Surface(np.concatenate([s.vertices for s in surfaces]), np.concatenate(faces))


def turned(surface, which=slice(None)):
    faces = surface.faces.copy()
    faces[which] = faces[which][:, ::-1]
    return Surface(surface.vertices, faces)


def volume(surface):
    return face_volumes(surface.vertices, surface.faces).sum()


def moebius(n=20, halves=1):
    """A strip with ``halves`` half turns."""
    angle = np.linspace(0, 2 * np.pi, n, endpoint=False)
    points = []
    for side in (-0.3, 0.3):
        radius = 1 + side * np.cos(halves * angle / 2)
        points.append(np.stack([radius * np.cos(angle), side * np.sin(halves * angle / 2), radius * np.sin(angle)], 1))
    faces = []
    for i in range(n):
        j, swap = (i + 1) % n, i == n - 1 and halves % 2
        a, b = (i, i + n)
        c, d = (j + n, j) if swap else (j, j + n)
        faces += [[a, c, b], [c, d, b]]
    return Surface(np.concatenate(points), np.array(faces))


def test_a_cube_has_nothing_wrong():
    report = diagnose(cube())
    assert (report.vertices, report.faces, report.components) == (8, 12, 1)
    assert report.volume == pytest.approx(1)
    assert report.area == pytest.approx(6)
    assert report.extent == (1, 1, 1)
    assert not report.is_flat
    assert obstacles(report) == ()
    require_solid(cube())
    same, done = repair(cube())
    assert done == ()
    np.testing.assert_array_equal(same.faces, FACES)
    np.testing.assert_array_equal(same.vertices, CORNERS)


@given(st.lists(st.integers(0, 11), max_size=12, unique=True))
@settings(deadline=None, max_examples=50)
def test_any_turned_faces_are_turned_back(which):
    broken = turned(cube(), which)
    fixed, done = repair(broken)
    # Which corner comes first may differ, the cyclic order may not.
    assert [sorted(np.roll(face, i).tolist() for i in range(3)) for face in fixed.faces] == [
        sorted(np.roll(face, i).tolist() for i in range(3)) for face in FACES
    ]
    assert (done == ()) == (which == [])
    require_solid(fixed)


@pytest.mark.parametrize("which", [0, 3, 11])
def test_one_turned_face_is_counted_and_refused(which):
    broken = turned(cube(), [which])
    report = diagnose(broken)
    assert (report.inconsistent_edges, report.inside_out) == (3, 0)
    with pytest.raises(InputError, match=r"the winding differs across 3 edges.*repair"):
        require_solid(broken)
    assert repair(broken)[1] == ("1 faces turned to agree with their neighbours",)


def test_inside_out():
    broken = turned(cube((5, 5, 5)))
    assert diagnose(broken).inside_out == 1
    assert diagnose(broken).inconsistent_edges == 0
    with pytest.raises(InputError, match="1 components are inside out"):
        require_solid(broken)
    fixed, done = repair(broken)
    assert volume(fixed) == pytest.approx(1)
    assert done == ("1 inside-out components turned outward",)


def test_cavities_stay_and_islands_in_them_are_turned_outward():
    body = joined(cube(size=9), turned(cube((1, 1, 1), 7)), turned(cube((2, 2, 2), 3)), turned(cube((20, 0, 0))))
    assert diagnose(body).inside_out == 2
    fixed, _ = repair(body)
    assert volume(fixed) == pytest.approx(9**3 - 7**3 + 3**3 + 1)
    assert diagnose(fixed).inside_out == 0


def test_overlapping_solids_stay_outward():
    eyes = joined(cube(size=9), cube((1, 1, 1)), cube((3, 1, 1)))
    assert repair(eyes)[1] == ()


def test_duplicate_vertices_are_merged():
    loose = Surface(CORNERS[FACES].reshape(-1, 3), np.arange(36).reshape(12, 3))
    loose.vertices[loose.vertices == 0] *= -1.0  # -0.0 is the same place
    report = diagnose(loose)
    assert (report.duplicate_vertices, report.boundary_edges, report.components) == (28, 36, 12)
    fixed, done = repair(loose)
    assert done == ("28 duplicate vertices merged",)
    assert len(fixed.vertices) == 8
    require_solid(fixed)


def test_faces_that_are_nothing_or_twice_are_dropped():
    extra = np.array([[0, 0, 1], FACES[4][[1, 2, 0]], FACES[5][::-1]])
    messy = Surface(np.concatenate([CORNERS, [[9, 9, 9]]]), np.concatenate([FACES, extra]))
    report = diagnose(messy)
    assert (report.degenerate_faces, report.duplicate_faces, report.unused_vertices) == (1, 2, 1)
    fixed, done = repair(messy)
    assert done == (
        "1 faces that repeat a corner dropped",
        "2 duplicate faces dropped",
        "1 unused vertices dropped",
    )
    np.testing.assert_array_equal(fixed.faces, FACES)
    np.testing.assert_array_equal(fixed.vertices, CORNERS)


def test_faces_without_area_are_counted_and_kept():
    # A vertex in the middle of an edge, closed by a face of three corners in a line.
    points = np.concatenate([CORNERS, [(CORNERS[0] + CORNERS[1]) / 2]])
    split = [face for face in QUADS if not {0, 1} <= set(face)]
    faces = triangulate(points, [*split, [0, 8, 1, 3, 2], [0, 4, 5, 1]])[0]
    surface = Surface(points, np.concatenate([faces, [[0, 1, 8]]]))
    assert diagnose(surface).zero_area_faces == 1
    assert diagnose(surface).boundary_edges == 0
    assert repair(surface)[1] == ()
    require_solid(surface)


def test_open_surface_names_its_first_edge():
    broken = Surface(CORNERS, FACES[:-1])
    edge = diagnose(broken).first_boundary_edge
    assert set(edge) < set(FACES[-1].tolist())
    words = f"the surface is open: 3 boundary edges, the first between vertices {edge[0]} and {edge[1]}"
    with pytest.raises(InputError, match=words):
        require_solid(broken)
    require_solid(broken, allow_open=True)
    assert len(repair(broken)[0].faces) == 11


def test_open_and_inside_out_is_turned():
    assert volume(repair(turned(Surface(CORNERS + 9, FACES[:-1])))[0]) > 0


@pytest.mark.parametrize("angle", [0.0, 0.7])
def test_flat_surface(angle):
    turn = np.array([[math.cos(angle), math.sin(angle), 0], [-math.sin(angle), math.cos(angle), 0], [0, 0, 1]])
    square = np.array([[0, 0, 0], [1, 0, 0], [1, 0, 1], [0, 0, 1]]) @ turn
    flat = Surface(square, np.array([[0, 1, 2], [0, 2, 3]]))
    assert diagnose(flat).is_flat
    for allow_open in (False, True):
        with pytest.raises(InputError, match="the surface is flat: its extent is"):
            require_solid(flat, allow_open)


def test_empty_surface():
    empty = Surface(np.empty((0, 3)), np.empty((0, 3), dtype=np.int64))
    assert diagnose(empty).is_empty
    assert repair(empty)[1] == ()
    with pytest.raises(InputError, match="no faces"):
        require_solid(empty, allow_open=True)


def test_nan_is_counted_and_refused():
    points = CORNERS.copy()
    points[0, 1] = np.nan
    broken = Surface(points, FACES)
    assert diagnose(broken).nonfinite_vertices == 1
    assert math.isfinite(diagnose(broken).area + diagnose(broken).volume)
    for refuse in (repair, require_solid):
        with pytest.raises(InputError, match="1 vertices have coordinates that are not finite"):
            refuse(broken)


@pytest.mark.parametrize("corner", [-1, 8])
def test_corner_that_is_no_vertex_is_refused(corner):
    broken = Surface(CORNERS, np.array([[0, 1, 2], [0, 1, corner]]))
    with pytest.raises(InputError, match=f"face 1 has corner {corner}"):
        diagnose(broken)
    with pytest.raises(InputError, match="face 1"):
        repair(broken)


def test_moebius_strip_is_reported_and_refused():
    strip = moebius()
    report = diagnose(strip)
    assert (report.one_sided, report.boundary_edges, report.components) == (1, 40, 1)
    with pytest.raises(InputError, match="1 components have one side only, like a Möbius strip"):
        require_solid(strip)
    fixed, _ = repair(strip)
    assert diagnose(fixed).one_sided == 1


def test_strip_with_a_whole_turn_has_two_sides():
    assert diagnose(moebius(halves=2)).one_sided == 0


def test_wall_inside_is_not_a_manifold():
    walled = joined(cube(), Surface(CORNERS[[0, 1, 6, 7]], np.array([[0, 1, 2], [1, 3, 2]])))
    merged, _ = repair(walled)
    assert diagnose(merged).nonmanifold_edges == 4
    with pytest.raises(InputError, match="not a manifold: 4 edges"):
        require_solid(merged)


def test_sheet_with_two_sides_encloses_nothing():
    bent = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0.5]])
    sheet = Surface(np.concatenate([bent, bent]), np.array([[0, 1, 2], [0, 2, 3], [6, 5, 4], [7, 6, 4]]))
    doubled = Surface(bent, np.array([[0, 1, 2], [0, 2, 3], [2, 1, 0], [3, 2, 0]]))
    assert diagnose(sheet).boundary_edges == 8
    with pytest.raises(InputError):
        require_solid(doubled)


def test_lens_without_volume_is_refused():
    # Two tents on one another: closed, a manifold, not flat, and nothing inside.
    points = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0.5, 0.5, 1], [0.5, 0.5, 1]])
    up = [[0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4]]
    down = [[1, 0, 5], [2, 1, 5], [3, 2, 5], [0, 3, 5]]
    with pytest.raises(InputError, match="encloses no volume"):
        require_solid(Surface(points, np.array(up + down)))


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), max_size=30))
def test_first_equal_row(rows):
    table = np.array(rows, dtype=np.int64).reshape(-1, 2)
    assert first_equal(table).tolist() == [rows.index(row) for row in rows]
