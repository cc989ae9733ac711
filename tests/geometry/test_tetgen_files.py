"""TetGen's files: exact round trips, the manual's liberties, and refusals that name file and line."""

import tracemalloc
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hydrostat.errors import InputError
from hydrostat.geometry import tetgen_files as tetgen
from hydrostat.geometry import tetgen_poly
from hydrostat.geometry.surfaces import Surface, area_vectors, face_volumes

CUBE_POINTS = """# a cube
8 3 0 0   # header
1 0 0 0
2 1 0 0

3 1 1 0
4 0 1 0
5 0 0 1
6 1 0 1
  # in between
7 1 1 1
8 0 1 1
"""
CUBE_FACETS = """6 1
1 0 7 # bottom
4 1 4 3 2
1 0 8
4 5 6 7 8
1
4 1 2 6 5
1 0
4 2 3
7 6
1
4 3 4 8 7
1
4 4 1 5 8
"""
CUBE = CUBE_POINTS + CUBE_FACETS

finite = st.floats(allow_nan=False, allow_infinity=False)
markers = st.integers(-(2**31) + 1, 2**31 - 1)


def arrays(rows, width):
    return np.array(rows, dtype=float).reshape(-1, width)


@st.composite
def node_files(draw, least=0):
    count, attributes = draw(st.integers(least, 6)), draw(st.integers(0, 2))
    numbers = draw(st.lists(finite, min_size=count * (3 + attributes), max_size=count * (3 + attributes)))
    table = arrays(numbers, 3 + attributes)
    marks = draw(st.none() | st.lists(markers, min_size=count, max_size=count))
    first = draw(st.sampled_from([0, 1])) if count else 1
    return tetgen.NodeFile(
        table[:, :3], table[:, 3:], None if marks is None else np.array(marks, dtype=np.int64), first
    )


@st.composite
def facets(draw, points, marked, smesh):
    def loop():
        return tuple(draw(st.lists(st.integers(0, points - 1), min_size=1, max_size=5)))

    loops = tuple(loop() for _ in range(1 if smesh else draw(st.integers(1, 3))))
    holes = [] if smesh else draw(st.lists(st.tuples(finite, finite, finite), max_size=2))
    return tetgen_poly.Facet(loops, arrays(holes, 3), draw(markers) if marked else None)


@st.composite
def poly_files(draw, smesh=False):
    nodes = draw(node_files(least=1))
    marked = draw(st.booleans())
    listed = draw(st.lists(facets(len(nodes.points), marked, smesh), max_size=4))
    holes = draw(st.lists(st.tuples(finite, finite, finite), max_size=2))
    places = st.tuples(finite, finite, finite).map(np.array)
    regions = draw(st.lists(st.builds(tetgen_poly.Region, places, finite, st.none() | finite), max_size=2))
    return tetgen_poly.PolyFile(nodes, tuple(listed), arrays(holes, 3), tuple(regions), draw(st.booleans()))


def plain(value):
    """Dataclasses of arrays as nested tuples, which compare to the last bit (and sign of zero)."""
    if hasattr(value, "__dataclass_fields__"):
        return tuple((name, plain(getattr(value, name))) for name in value.__dataclass_fields__)
    if isinstance(value, np.ndarray):
        return (value.shape, value.dtype.kind, repr(value.tolist()))
    return tuple(map(plain, value)) if isinstance(value, tuple) else repr(value)


def with_noise(path):
    """Comments, blank lines and odd blanks, which readers must not see."""
    lines = path.read_text().splitlines()
    noisy = "# head\n\n" + "".join(
        f"\t {line.replace(' ', '   ')}  # note é {i}\n\n#\n" for i, line in enumerate(lines)
    )
    path.write_text(noisy, encoding="latin-1")


@pytest.mark.parametrize("noise", [False, True])
@given(file=node_files())
@settings(max_examples=40, deadline=None)
def test_node_round_trip(tmp_path_factory, file, noise):
    path = tmp_path_factory.mktemp("node") / "a.node"
    tetgen.write_node(path, file)
    if noise:
        with_noise(path)
    assert plain(tetgen.read_node(path)) == plain(file)


@given(
    tets=st.lists(st.lists(st.integers(0, 99), min_size=10, max_size=10), min_size=1, max_size=5),
    size=st.sampled_from([4, 10]),
    attributes=st.integers(0, 2),
    first=st.sampled_from([0, 1]),
)
@settings(max_examples=40, deadline=None)
def test_ele_round_trip(tmp_path_factory, tets, size, attributes, first):
    path = tmp_path_factory.mktemp("ele") / "a.ele"
    corners = np.array(tets)[:, :size]
    file = tetgen.EleFile(corners, np.full((len(tets), attributes), 0.1), first)
    tetgen.write_ele(path, file)
    with_noise(path)
    assert plain(tetgen.read_ele(path)) == plain(file)


@given(
    faces=st.lists(st.tuples(*[st.integers(0, 99)] * 3), min_size=1, max_size=5),
    marked=st.booleans(),
    first=st.sampled_from([0, 1]),
)
@settings(max_examples=40, deadline=None)
def test_face_round_trip(tmp_path_factory, faces, marked, first):
    path = tmp_path_factory.mktemp("face") / "a.face"
    file = tetgen.FaceFile(np.array(faces), np.arange(len(faces)) - 1 if marked else None, first)
    tetgen.write_face(path, file)
    with_noise(path)
    assert plain(tetgen.read_face(path)) == plain(file)


@given(file=poly_files())
@settings(max_examples=60, deadline=None)
def test_poly_round_trip(tmp_path_factory, file):
    path = tmp_path_factory.mktemp("poly") / "a.poly"
    tetgen_poly.write_poly(path, file)
    with_noise(path)
    assert plain(tetgen_poly.read_poly(path)) == plain(file)
    assert path.with_suffix(".node").exists() == file.separate_nodes


@given(file=poly_files(smesh=True))
@settings(max_examples=60, deadline=None)
def test_smesh_round_trip(tmp_path_factory, file):
    path = tmp_path_factory.mktemp("smesh") / "a.smesh"
    tetgen_poly.write_smesh(path, file)
    with_noise(path)
    assert plain(tetgen_poly.read_smesh(path)) == plain(file)


def test_empty_lists_round_trip(tmp_path):
    ele, face = tmp_path / "a.ele", tmp_path / "a.face"
    tetgen.write_ele(ele, tetgen.EleFile(np.empty((0, 4), dtype=np.int64), np.empty((0, 0))))
    tetgen.write_face(face, tetgen.FaceFile(np.empty((0, 3), dtype=np.int64), np.empty(0, dtype=np.int64)))
    assert tetgen.read_ele(ele).tets.shape == (0, 4)
    assert tetgen.read_face(face).faces.shape == (0, 3)
    assert tetgen.read_face(face).markers.shape == (0,)


def test_cube_by_hand(tmp_path):
    path = tmp_path / "cube.poly"
    path.write_text("\ufeff" + CUBE.replace("\n", "\r\n"), encoding="utf-8")
    file = tetgen_poly.read_poly(path)
    assert file.nodes.first == 1
    assert file.facets[3].polygons == ((1, 2, 6, 5),)
    assert [facet.marker for facet in file.facets] == [7, 8, 0, 0, 0, 0]
    assert len(file.holes) == len(file.regions) == 0
    surface = tetgen_poly.surface_of(file)
    assert len(surface.faces) == 12
    assert face_volumes(surface.vertices, surface.faces).sum() == pytest.approx(1.0)


def test_holes_and_regions_follow_the_facets(tmp_path):
    path = tmp_path / "cube.poly"
    path.write_text(CUBE + "1\n1 .5 .5 .5\n2\n1 .1 .1 .1 10\n2 .2 .2 .2 20 0.01\n")
    file = tetgen_poly.read_poly(path)
    np.testing.assert_array_equal(file.holes, [[0.5, 0.5, 0.5]])
    assert [region.attribute for region in file.regions] == [10, 20]
    assert [region.max_volume for region in file.regions] == [None, 0.01]


def test_poly_without_points_reads_the_node_file_beside_it(tmp_path):
    (tmp_path / "cube.node").write_text(CUBE_POINTS)
    (tmp_path / "cube.poly").write_text("0\n" + CUBE_FACETS)
    file = tetgen_poly.read_poly(tmp_path / "cube.poly")
    assert file.separate_nodes
    assert len(tetgen_poly.surface_of(file).faces) == 12
    (tmp_path / "cube.node").unlink()
    with pytest.raises(InputError, match=r"cube\.node: no such file"):
        tetgen_poly.read_poly(tmp_path / "cube.poly")


def test_zero_based_points_count_for_the_tetrahedra(tmp_path):
    path = tmp_path / "a.ele"
    path.write_text("1 4 0\n1 0 1 2 3\n")
    nodes = tetgen.NodeFile(np.zeros((4, 3)), np.empty((4, 0)), first=0)
    assert tetgen.read_ele(path, nodes).tets.tolist() == [[0, 1, 2, 3]]
    with pytest.raises(InputError, match=r"a\.ele, line 2: corner 0 is not a point"):
        tetgen.read_ele(path)
    with pytest.raises(InputError, match=r"corner 0 is not a point.*from 1 to 4"):
        tetgen.read_ele(path, replace(nodes, first=1))


@pytest.mark.parametrize(
    ("text", "marker"),
    [
        ("1 1\n1 1 2 3 -5\n", [-5]),
        ("1 1\n1 1 2 3 -5 8 -1\n", [-5]),
        ("1 1\n1 1 2 3 4 5 6 -5\n", [-5]),
        ("1 1\n1 1 2 3 4 5 6 -5 8 -1\n", [-5]),
        ("1 0\n1 1 2 3 4 5 6\n", None),
        ("1 0\n1 1 2 3 8 -1\n", None),
    ],
)
def test_faces_with_middles_and_neighbours(tmp_path, text, marker):
    path = tmp_path / "a.face"
    path.write_text(text)
    file = tetgen.read_face(path)
    assert file.faces.tolist() == [[0, 1, 2]]
    assert (file.markers if marker is None else file.markers.tolist()) == marker


def test_facet_with_a_hole(tmp_path):
    path = tmp_path / "frame.poly"
    path.write_text(
        "8 3 0 0\n0 0 0 0\n1 3 0 0\n2 3 3 0\n3 0 3 0\n4 1 1 0\n5 2 1 0\n6 2 2 0\n7 1 2 0\n"
        "1 0\n2 1\n4 0 1 2 3\n4 4 5 6 7\n0 1.5 1.5 0\n"
    )
    surface = tetgen_poly.surface_of(tetgen_poly.read_poly(path))
    np.testing.assert_allclose(area_vectors(surface.vertices, surface.faces).sum(axis=0), [0, 0, 8])


def test_facets_keep_their_order_as_triangles():
    points = np.array([[0, 0, 0], [3, 0, 0], [3, 3, 0], [0, 3, 0], [1, 1, 0]], dtype=float)
    nodes = tetgen.NodeFile(points, np.empty((5, 0)))
    listed = [((0, 1, 2),), ((0, 1, 2, 3), (4,)), ((1,),), ((0, 2, 3),)]
    surface = tetgen_poly.surface_of(tetgen_poly.PolyFile(nodes, tuple(map(tetgen_poly.Facet, listed))))
    assert surface.faces[0].tolist() == [0, 1, 2]
    assert surface.faces[-1].tolist() == [0, 2, 3]
    assert len(surface.faces) == 4


def test_facet_that_crosses_itself_names_file_and_facet():
    points = np.array([[0, 0, 0], [1, 1, 0], [1, 0, 0], [0, 1.5, 0]])
    nodes = tetgen.NodeFile(points, np.empty((4, 0)))
    with pytest.raises(InputError, match=r"bow\.poly: facet 1 crosses itself"):
        tetgen_poly.surface_of(tetgen_poly.PolyFile(nodes, (tetgen_poly.Facet(((0, 1, 2, 3),)),)), "bow.poly")


def test_surface_to_complex_and_back(tmp_path):
    surface = Surface(np.eye(3), np.array([[0, 1, 2], [2, 1, 0]]))
    tetgen_poly.write_smesh(tmp_path / "a.smesh", tetgen_poly.poly_of(surface))
    again = tetgen_poly.surface_of(tetgen_poly.read_smesh(tmp_path / "a.smesh"))
    np.testing.assert_array_equal(again.vertices, surface.vertices)
    np.testing.assert_array_equal(again.faces, surface.faces)


def test_smesh_refuses_facets_with_holes(tmp_path):
    nodes = tetgen.NodeFile(np.eye(3), np.empty((3, 0)))
    facet = tetgen_poly.Facet(((0, 1, 2),), np.zeros((1, 3)))
    with pytest.raises(InputError, match="facet 1 has 1 polygons and 1 holes"):
        tetgen_poly.write_smesh(tmp_path / "a.smesh", tetgen_poly.PolyFile(nodes, (facet,)))


BROKEN = [
    ("a.node", "", 1, "ends here"),
    ("a.node", "# only a comment\n", 2, "ends here"),
    ("a.node", "2 3 0 0\n1 0 0 0\n", 3, "ends here"),
    ("a.node", "1000000000 3 0 0\n1 0 0 0\n", 3, "ends here"),
    ("a.node", "two 3 0 0\n", 1, "'two'"),
    ("a.node", "-1 3 0 0\n", 1, "-1"),
    ("a.node", "99999999999999999999 3 0 0\n", 1, "below 2147483648"),
    ("a.node", "1 3 1000000000 0\n1 0 0 0\n", 1, "1000000000 attributes"),
    ("a.node", "1 2 0 0\n1 0 0\n", 1, "dimension 2"),
    ("a.node", "2 3 0 0\n\n1 0 0 0\n2 0 0\n", 4, "has 3 numbers"),
    ("a.node", "1 3 0 0\n1 0 0 0 5\n", 2, "has 5 numbers"),
    ("a.node", "1 3 0 1\n1 0 0 0\n", 2, "expected 5"),
    ("a.node", "1 3 0 1\n1 0 0 0 1.5\n", 2, "'1.5'"),
    ("a.node", "1 3 0 0\n1 0 nan 0\n", 2, "'nan'"),
    ("a.node", "1 3 0 0\n1 0 -inf 0\n", 2, "'-inf'"),
    ("a.node", "1 3 0 0\n1 0 1e999 0\n", 2, "'1e999'"),
    ("a.node", "1 3 0 0\n1 0 0,5 0\n", 2, "'0,5'"),
    ("a.node", "1 3 0 0\n7 0 0 0\n", 2, "number 7"),
    ("a.node", "3 3 0 0\n1 0 0 0\n2 0 0 0\n4 0 0 0\n", 4, "number 4"),
    ("a.node", b"\x89PNG\r\n\x1a\n\x00\xff\xfe", 1, "expected a whole number"),
    ("a.ele", "1 5 0\n1 1 2 3 4 5\n", 1, "5 nodes"),
    ("a.ele", "1000000000 4 0\n1 1 2 3 4\n", 3, "ends here"),
    ("a.ele", "2 4 0\n1 1 2 3 4\n2 1 2 3 -9\n", 3, "corner -9"),
    ("a.ele", "1 4 1\n1 1 2 3 4\n", 2, "has 5 numbers"),
    ("a.face", "1 0\n1 1 2\n", 2, "without three corners"),
    ("a.face", "2 0\n1 1 2 3\n2 1 2\n", 3, "has 3 numbers"),
    ("a.face", "1000000000 1\n1 1 2 3 0\n", 3, "ends here"),
    ("a.poly", CUBE.replace("4 1 4 3 2", "4 1 4 3 9"), 15, "corner 9 is not a point"),
    ("a.poly", CUBE.replace("4 1 4 3 2", "4 1 4 3 x"), 15, "'x'"),
    ("a.poly", CUBE.replace("1 0 7 # bottom", "0 0 7"), 14, "without polygons"),
    ("a.poly", CUBE.replace("4 1 4 3 2", "0"), 15, "without corners"),
    ("a.poly", CUBE.replace("6 1\n", "1000000000 1\n"), 27, "ends here"),
    ("a.poly", CUBE[: CUBE.index("4 4 1 5 8")], 26, "ends here"),
    ("a.poly", CUBE.replace("4 4 1 5 8", "1000000000 4 1 5 8"), 27, "corner 5 of 1000000000"),
    ("a.poly", CUBE + "2\n1 0 0 0\n", 29, "hole 2 of 2"),
    ("a.poly", CUBE + "0\n1\n1 0 0 0\n", 29, "region 1 has 4 numbers"),
    ("a.smesh", CUBE_POINTS + "1 0\n4 1 2 3\n", 15, "corner 4 of 4"),
]
READERS = {
    ".node": tetgen.read_node,
    ".ele": tetgen.read_ele,
    ".face": tetgen.read_face,
    ".poly": tetgen_poly.read_poly,
    ".smesh": tetgen_poly.read_smesh,
}


@pytest.mark.parametrize(("name", "text", "line", "words"), BROKEN)
def test_broken_files_are_refused_by_line(tmp_path, name, text, line, words):
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(InputError) as caught:
        READERS[path.suffix](path)
    assert str(caught.value).startswith(f"{name}, line {line}: ")
    assert words in str(caught.value)


@pytest.mark.parametrize("suffix", READERS)
def test_missing_files_and_folders_are_refused(tmp_path, suffix):
    with pytest.raises(InputError, match=f"none{suffix}: no such file"):
        READERS[suffix](tmp_path / f"none{suffix}")
    (tmp_path / f"folder{suffix}").mkdir()
    with pytest.raises(InputError, match=f"folder{suffix}: is a directory"):
        READERS[suffix](tmp_path / f"folder{suffix}")


@pytest.mark.parametrize("header", ["1000000000 3 0 1", "2000000000 3 999 1"])
def test_memory_follows_the_data_and_not_the_promise(tmp_path, header):
    path = tmp_path / "a.node"
    path.write_text(f"{header}\n")
    tracemalloc.start()
    try:
        with pytest.raises(InputError, match="line 2"):
            tetgen.read_node(path)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 1_000_000


def test_long_polygon_on_one_line_promised_longer(tmp_path):
    path = tmp_path / "a.smesh"
    path.write_text(CUBE_POINTS + "1 0\n2000000000 " + "1 " * 1000)
    tracemalloc.start()
    try:
        with pytest.raises(InputError, match="corner 1001 of 2000000000"):
            tetgen_poly.read_smesh(path)
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()


def test_writing_into_a_missing_folder_is_refused(tmp_path):
    with pytest.raises(InputError, match=r"a\.node: no such file"):
        tetgen.write_node(tmp_path / "none" / "a.node", tetgen.NodeFile(np.eye(3), np.empty((3, 0))))
