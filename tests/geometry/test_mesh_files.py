"""Surfaces and tetrahedra survive every format; broken files are refused with their name."""

import struct
import subprocess
import sys

import meshio
import numpy as np
import pytest

from hydrostat.errors import InputError
from hydrostat.geometry.mesh_files import (
    READERS,
    SURFACE_WRITERS,
    TET_WRITERS,
    read_arrays,
    read_surface,
    read_tets,
    write_surface,
    write_tets,
)
from hydrostat.geometry.repair import diagnose, require_solid
from hydrostat.geometry.surfaces import Surface, triangulate
from hydrostat.geometry.tetrahedra import TetMesh

# Coordinates that single precision holds too, for .stl.
CORNERS = np.array([[x, y, z] for x in (0, 1) for y in (0, 0.5) for z in (0, 0.25)], dtype=float)
QUADS = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
BOX = Surface(CORNERS, triangulate(CORNERS, QUADS)[0])
TETS = TetMesh(CORNERS, np.array([[0, 4, 2, 1], [3, 2, 7, 1], [5, 4, 1, 7], [6, 4, 7, 2], [1, 4, 2, 7]]))


def test_the_box_is_filled_by_its_tetrahedra():
    assert (TETS.volumes > 0).all()
    assert TETS.volumes.sum() == pytest.approx(0.125)


@pytest.mark.parametrize("suffix", SURFACE_WRITERS)
def test_surface_round_trip(tmp_path, suffix, capfd):
    path = tmp_path / f"box{suffix}"
    write_surface(path, BOX)
    again = read_surface(path)
    if suffix == ".stl":
        # Vertices come in the order of the faces.
        np.testing.assert_array_equal(again.vertices[again.faces], CORNERS[BOX.faces])
        assert len(again.vertices) == 8
    else:
        np.testing.assert_array_equal(again.vertices, CORNERS)
        np.testing.assert_array_equal(again.faces, BOX.faces)
    assert again.faces.dtype == np.int64
    assert again.vertices.dtype == np.float64
    require_solid(again)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("suffix", [suffix for suffix in SURFACE_WRITERS if suffix != ".stl"])
def test_every_digit_survives(tmp_path, suffix):
    points = CORNERS + np.random.default_rng(0).random(CORNERS.shape)
    write_surface(tmp_path / f"a{suffix}", Surface(points, BOX.faces))
    np.testing.assert_array_equal(read_surface(tmp_path / f"a{suffix}").vertices, points)


@pytest.mark.parametrize("suffix", TET_WRITERS)
def test_tets_round_trip(tmp_path, suffix, capfd):
    path = tmp_path / f"box{suffix.upper() if suffix not in ('.node', '.ele') else suffix}"
    write_tets(path, TETS)
    again = read_tets(path)
    np.testing.assert_array_equal(again.vertices, CORNERS)
    np.testing.assert_array_equal(again.tets, TETS.tets)
    assert read_surface(path).faces.shape == (12, 3)
    require_solid(read_surface(path))
    assert capfd.readouterr() == ("", "")


def test_msh_is_gmsh_and_not_ansys(tmp_path):
    write_tets(tmp_path / "a.msh", TETS)
    assert (tmp_path / "a.msh").read_bytes().startswith(b"$MeshFormat")


@pytest.mark.parametrize("version", ["gmsh22", "gmsh"])
@pytest.mark.parametrize("binary", [False, True])
def test_msh_of_either_version(tmp_path, version, binary, capfd):
    meshio.Mesh(CORNERS, [("tetra", TETS.tets)]).write(tmp_path / "a.msh", version, binary=binary)
    capfd.readouterr()
    np.testing.assert_array_equal(read_tets(tmp_path / "a.msh").tets, TETS.tets)


def test_node_and_ele_stand_for_each_other(tmp_path):
    write_tets(tmp_path / "box.1.node", TETS)
    for suffix in (".node", ".ele"):
        assert len(read_tets(tmp_path / f"box.1{suffix}").tets) == 5
    (tmp_path / "box.1.ele").unlink()
    with pytest.raises(InputError, match=r"box\.1\.ele: no such file"):
        read_tets(tmp_path / "box.1.node")


@pytest.mark.parametrize("suffix", TET_WRITERS)
def test_inverted_tets_are_turned(tmp_path, suffix):
    tets = TETS.tets.copy()
    tets[[1, 3]] = tets[[1, 3]][:, [0, 1, 3, 2]]
    write_tets(tmp_path / f"a{suffix}", TetMesh(CORNERS, tets))
    again = read_tets(tmp_path / f"a{suffix}")
    np.testing.assert_allclose(again.volumes, TETS.volumes)
    np.testing.assert_array_equal(np.sort(again.tets), np.sort(TETS.tets))


def test_tets_without_volume_are_refused(tmp_path):
    tets = np.concatenate([TETS.tets, [[0, 1, 2, 3], [0, 0, 1, 4]]])
    write_tets(tmp_path / "a.vtu", TetMesh(CORNERS, tets))
    with pytest.raises(InputError, match=r"a\.vtu: 2 tetrahedra have no volume, the first has index 5"):
        read_tets(tmp_path / "a.vtu")


def test_small_tets_are_no_flat_tets(tmp_path):
    write_tets(tmp_path / "a.node", TetMesh(CORNERS * 1e-6, TETS.tets))
    assert len(read_tets(tmp_path / "a.node").tets) == 5


def test_surface_holds_no_tets(tmp_path):
    write_surface(tmp_path / "a.obj", BOX)
    with pytest.raises(InputError, match=r"a\.obj holds no tetrahedra"):
        read_tets(tmp_path / "a.obj")


@pytest.mark.parametrize("suffix", [".msh", ".vtu", ".vtk"])
def test_middles_of_edges_are_left_out(tmp_path, suffix):
    ends = [(0, 1), (1, 2), (0, 2), (0, 3), (1, 3), (2, 3)]
    corners = CORNERS[[0, 4, 2, 1]]
    middles = np.array([(corners[a] + corners[b]) / 2 for a, b in ends])
    # The middles come first, so that the corners must be numbered anew.
    mesh = meshio.Mesh(np.concatenate([middles, corners]), [("tetra10", [[6, 7, 8, 9, 0, 1, 2, 3, 4, 5]])])
    mesh.write(tmp_path / f"a{suffix}", "gmsh" if suffix == ".msh" else None)
    again = read_tets(tmp_path / f"a{suffix}")
    np.testing.assert_array_equal(again.vertices, corners)
    assert again.tets.tolist() == [[0, 1, 2, 3]]


def test_ten_nodes_in_an_ele_file(tmp_path):
    points = "\n".join(f"{i} {i % 2} {i // 2 % 2} {i // 4}" for i in range(10))
    (tmp_path / "a.node").write_text(f"10 3 0 0\n{points}\n")
    (tmp_path / "a.ele").write_text("1 10 0\n0 0 1 2 4 3 5 6 7 8 9\n")
    again = read_tets(tmp_path / "a.ele")
    assert again.vertices.shape == (4, 3)
    assert again.volumes.tolist() == pytest.approx([1 / 6])


def test_other_cells_are_refused(tmp_path):
    meshio.Mesh(CORNERS, [("hexahedron", [[0, 4, 6, 2, 1, 5, 7, 3]])]).write(tmp_path / "a.vtu")
    with pytest.raises(InputError, match=r"^a\.vtu: 1 cells of kind hexahedron"):
        read_tets(tmp_path / "a.vtu")


OBJ = """# made by hand
mtllib none.mtl
o box
v 0 0 0 1.0
v 1 0 0 0.5 0.5 0.5
v 1 1 0
v 0 1 0
v 5 5 5
vt 0 0
vn 0 0 1
usemtl grey
s off
f 1/1/1 2/1/1 3//1 4/1
f -5 -4 \\
  -3
v 0 0 1
f 1 6 2
l 1 2
"""


def test_obj_by_hand(tmp_path):
    (tmp_path / "a.OBJ").write_text(OBJ)
    surface = read_surface(tmp_path / "a.OBJ")
    assert len(surface.vertices) == 6
    assert surface.vertices[4].tolist() == [5, 5, 5]
    assert surface.faces.tolist() == [[0, 1, 2], [0, 2, 3], [0, 1, 2], [0, 5, 1]]


def test_obj_with_a_polygon_that_is_not_convex(tmp_path):
    (tmp_path / "a.obj").write_text("v 0 0 0\nv 2 0 0\nv .2 .2 0\nv 0 2 0\nf 1 2 3 4\n")
    surface = read_surface(tmp_path / "a.obj")
    assert diagnose(surface).area == pytest.approx(0.4)
    assert diagnose(surface).inconsistent_edges == 0


def test_off_with_colours_and_comments(tmp_path):
    (tmp_path / "a.off").write_text(
        "COFF 4 2 0 # counts\n0 0 0 255 0 0\n1 0 0 255 0 0\n\n1 1 0 9 9 9\n0 1 0 9 9 9\n4 0 1 2 3 200 0 0\n3 0 1 2\n"
    )
    assert read_surface(tmp_path / "a.off").faces.tolist() == [[0, 1, 2], [0, 2, 3], [0, 1, 2]]


def test_ply_polygons(tmp_path):
    (tmp_path / "a.ply").write_text(
        "ply\nformat ascii 1.0\nelement vertex 5\nproperty float x\nproperty float y\nproperty float z\n"
        "element face 2\nproperty list uchar int vertex_indices\nend_header\n"
        "0 0 0\n1 0 0\n1 1 0\n.5 2 0\n0 1 0\n5 0 1 2 3 4\n3 0 1 2\n"
    )
    assert diagnose(read_surface(tmp_path / "a.ply")).area == pytest.approx(2.0)


@pytest.mark.parametrize("order", ["little", "big"])
@pytest.mark.parametrize("name", ["vertex_indices", "vertex_index"])
def test_binary_ply_with_more_than_we_need(tmp_path, order, name):
    sign = "<" if order == "little" else ">"
    header = (
        f"ply\nformat binary_{order}_endian 1.0\ncomment # by hand\nobj_info none\n"
        "element camera 2\nproperty list uchar short view\nproperty char kind\n"
        "element vertex 4\nproperty uchar red\nproperty float x\nproperty float y\nproperty double z\n"
        f"element face 2\nproperty list uint8 uint {name}\nproperty float quality\nend_header\n"
    )
    cameras = struct.pack(f"{sign}B2hbBb", 2, 7, 8, 1, 0, 1)
    vertices = b"".join(struct.pack(f"{sign}Bffd", 200, *point) for point in CORNERS[[0, 4, 6, 2]])
    faces = struct.pack(f"{sign}B4If", 4, 0, 1, 2, 3, 0.5) + struct.pack(f"{sign}B3If", 3, 0, 1, 2, 0.5)
    (tmp_path / "a.ply").write_bytes(header.encode() + cameras + vertices + faces)
    surface = read_surface(tmp_path / "a.ply")
    np.testing.assert_array_equal(surface.vertices, CORNERS[[0, 4, 6, 2]])
    assert surface.faces.tolist() == [[0, 1, 2], [0, 2, 3], [0, 1, 2]]


def test_stl_as_text(tmp_path):
    facets = "".join(
        "facet normal 0 0 0\nouter loop\n"
        + "".join(f"vertex {x} {y} {z}\n" for x, y, z in face)
        + "endloop\nendfacet\n"
        for face in CORNERS[BOX.faces].tolist()
    )
    (tmp_path / "a.stl").write_text(f"solid box\n{facets}endsolid\n")
    surface = read_surface(tmp_path / "a.stl")
    assert len(surface.vertices) == 8
    require_solid(surface)


def test_binary_stl_may_begin_with_solid(tmp_path):
    write_surface(tmp_path / "a.stl", BOX)
    data = (tmp_path / "a.stl").read_bytes()
    (tmp_path / "a.stl").write_bytes(b"solid" + data[5:])
    assert len(read_surface(tmp_path / "a.stl").faces) == 12


PLY = (
    "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nproperty float z\n"
    "element face 1\nproperty list uchar int vertex_indices\nend_header\n"
)
BROKEN = [
    ("a.obj", "v 0 0\n", "line 1: a vertex with 2 coordinates"),
    ("a.obj", "v 0 0 nan\n", "line 1: found 'nan'"),
    ("a.obj", "v 0,5 0 0\n", "line 1: found '0,5'"),
    ("a.obj", "v 0 0 0\nf 1 1\n", "line 2: a face with 2 corners"),
    ("a.obj", "v 0 0 0\n\nf 1 1 7\n", "line 3: corner 7 is not a vertex"),
    ("a.obj", "v 0 0 0\nf 1 1 0\n", "line 2: corner 0 is not a vertex"),
    ("a.obj", "v 0 0 0\nf 1 1 -2\n", "line 2: corner -2 is not a vertex"),
    ("a.obj", "v 0 0 0\nf 1 1 \\\n", "line 3: the file ends here"),
    ("a.obj", "v 0 0 0\nv 1 1 0\nv 1 0 0\nv 0 2 0\nf 1 2 3 4\n", "line 5: the polygon crosses itself"),
    ("a.off", "", "line 1: the file ends here"),
    ("a.off", "PLY\n", "line 1: another kind of file"),
    ("a.off", "OFF\n1\n", "line 2: an incomplete header"),
    ("a.off", "OFF 1000000000 1 0\n0 0 0\n", "line 3: the file ends here"),
    ("a.off", "OFF 1 1 0\n0 0\n", "line 2: a vertex with 2 coordinates"),
    ("a.off", "OFF 1 1 0\n0 0 0\n3 0 0\n", "line 3: a face with 2 corners"),
    ("a.off", "OFF 1 1 0\n0 0 0\n3 0 0 1\n", "line 3: corner 1 is not a vertex"),
    ("a.stl", "", "neither a text nor a complete binary file"),
    ("a.stl", "\0" * 83, "neither a text nor a complete binary file"),
    ("a.stl", "\0" * 80 + "\1\0\0\0" + "\0" * 49, "neither a text nor a complete binary file"),
    ("a.stl", "solid\nvertex 0 0\n", "line 2: a vertex with 2 coordinates"),
    ("a.stl", "solid\nvertex 0 0 0\n", "the file ends after 1 corners"),
    ("a.poly", "1 3 0 0\n", "line 2: the file ends here"),
    ("a.ply", "ply\nformat ascii 1.0\nelement vertex 1\n", "line 4: the file ends here"),
    ("a.ply", "ply\nformat ascii 1.0\nelement vertex 1\nproperty real x\n", "line 4: found property real x"),
    ("a.ply", PLY.replace("float z", "float w") + "0 0 0\n3 0 0 0\n", "vertex without z"),
    ("a.ply", PLY.replace("vertex_indices", "corners") + "0 0 0\n3 0 0 0\n", "face without vertex_indices"),
    ("a.ply", PLY + "0 0\n", "line 10: vertex 1 is incomplete"),
    ("a.ply", PLY + "0 0 0\n3 0 0\n", "line 11: face 1 is incomplete"),
    ("a.ply", PLY + "0 0 0\n3 0 0 1\n", "corner that is no vertex"),
    ("a.ply", PLY + "0 0 0\n", "line 11: the file ends here"),
    ("a.ply", PLY.replace("ascii", "binary_big_endian") + "0" * 11, "the data end before 1 times vertex"),
    (
        "a.ply",
        PLY.replace("ascii", "binary_big_endian").replace("vertex 1", "vertex 2") + "0" * 12,
        "the data end before 2 times vertex",
    ),
    ("a.ply", PLY.replace("ascii", "binary_big_endian") + "0" * 13, "the data end before 1 times face"),
    *(
        (f"a{suffix}", text, "")
        for suffix in (".ply", ".msh", ".vtu", ".vtk", ".mesh")
        for text in ("", "nothing\n", "\0\1")
    ),
    ("a.ply", "ply\nformat ascii 1.0\nelement vertex 9\nproperty float x\nend_header\n1 2\n", ""),
    (
        "a.ply",
        "ply\nformat binary_little_endian 1.0\nelement vertex 999999999\nproperty float x\nend_header\n1",
        "",
    ),
    ("a.mesh", "MeshVersionFormatted 2\nDimension 3\nVertices\n4\n0 0 0 0\n", ""),
    ("a.msh", "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 4 1 4\n3 1 0 4\n", ""),
]


@pytest.mark.parametrize(("name", "text", "words"), BROKEN)
def test_broken_files_are_refused(tmp_path, name, text, words, capfd):
    (tmp_path / name).write_text(text)
    with pytest.raises(InputError) as caught:
        read_arrays(tmp_path / name)
    assert str(caught.value).startswith(name)
    assert words in str(caught.value)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("suffix", [".obj", ".ply", ".msh", ".vtu", ".vtk", ".stl", ".off"])
def test_truncated_files_give_no_partial_mesh(tmp_path, suffix):
    path = tmp_path / f"a{suffix}"
    write = write_tets if suffix in TET_WRITERS else write_surface
    write(path, TETS if suffix in TET_WRITERS else BOX)
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])
    with pytest.raises(InputError):
        read_tets(path) if suffix in TET_WRITERS else require_solid(read_surface(path))


@pytest.mark.parametrize("suffix", [".vtu", ".vtk", ".mesh"])
@pytest.mark.parametrize("wrong", [8, -1])
def test_corners_that_are_no_vertices_are_refused(tmp_path, suffix, wrong):
    path = tmp_path / f"a{suffix}"
    meshio.Mesh(CORNERS, [("tetra", [[0, 4, 2, 1], [0, 4, 2, wrong]])]).write(path)
    with pytest.raises(InputError, match=r"tetrahedron 1 has corners"):
        read_tets(path)
    meshio.Mesh(CORNERS, [("triangle", [[0, 4, 2], [0, 4, wrong]])]).write(path)
    with pytest.raises(InputError, match="corner that is no vertex"):
        read_surface(path)


def test_coordinates_that_are_not_finite_are_refused(tmp_path):
    points = CORNERS.copy()
    points[3, 0] = np.inf
    meshio.Mesh(points, [("tetra", TETS.tets)]).write(tmp_path / "a.vtu")
    with pytest.raises(InputError, match=r"a\.vtu: 1 vertices are not finite or astronomic, the first has index 3"):
        read_tets(tmp_path / "a.vtu")


@pytest.mark.parametrize("suffix", [suffix for suffix in SURFACE_WRITERS if suffix != ".stl"])
def test_astronomic_coordinates_are_refused(tmp_path, suffix):
    write_surface(tmp_path / f"a{suffix}", Surface(CORNERS * 1e200, BOX.faces))
    with pytest.raises(InputError, match="7 vertices are not finite or astronomic"):
        read_surface(tmp_path / f"a{suffix}")


def test_negative_corner_of_a_quadratic_tet_is_refused(tmp_path):
    cells = [[0, 1, 2, 3, 4, 5, 6, 7, 8, 9], [0, 1, 2, -1, 4, 5, 6, 7, 8, 9]]
    meshio.Mesh(np.random.default_rng(0).random((10, 3)), [("tetra10", cells)]).write(tmp_path / "a.vtu")
    with pytest.raises(InputError, match="tetrahedron 1 has corners"):
        read_tets(tmp_path / "a.vtu")


@pytest.mark.parametrize("suffix", READERS)
def test_missing_files_and_folders_are_refused(tmp_path, suffix):
    with pytest.raises(InputError, match="no such file"):
        read_arrays(tmp_path / f"none{suffix}")
    (tmp_path / f"folder{suffix}").mkdir()
    with pytest.raises(InputError, match=r"directory|no such file"):
        read_arrays(tmp_path / f"folder{suffix}")


@pytest.mark.parametrize("suffix", SURFACE_WRITERS)
def test_writing_into_a_missing_folder_is_refused(tmp_path, suffix):
    with pytest.raises(InputError, match="no such file"):
        write_surface(tmp_path / "none" / f"a{suffix}", BOX)


@pytest.mark.parametrize("name", ["a.fbx", "a"])
def test_unknown_suffix_lists_the_known(tmp_path, name):
    for use, table in (
        (read_surface, READERS),
        (lambda path: write_surface(path, BOX), SURFACE_WRITERS),
        (lambda path: write_tets(path, TETS), TET_WRITERS),
    ):
        with pytest.raises(InputError) as caught:
            use(tmp_path / name)
        assert caught.value.expected == "one of " + " ".join(table)


def test_meshio_is_imported_only_where_it_is_needed():
    imports = "import sys, hydrostat.geometry.mesh_files, hydrostat.cli.check"
    code = f"{imports}; print({{'meshio', 'shapely', 'scipy'}} & {{*sys.modules}})"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "set()"
