"""Reading and writing surfaces and tetrahedra, by the suffix of the file."""

from __future__ import annotations

import io
import struct
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn, TypeVar

import numpy as np

from hydrostat.arrays import Floats, Ints
from hydrostat.errors import InputError
from hydrostat.geometry import tetgen_files as tetgen
from hydrostat.geometry.repair import first_equal
from hydrostat.geometry.surfaces import Surface, triangulate
from hydrostat.geometry.tetgen_files import Lines, open_lines, unreadable
from hydrostat.geometry.tetrahedra import TetMesh, signed_volumes

# A tetrahedron whose volume is below this fraction of its cubed size has none.
NO_VOLUME = 1e-12
# Coordinates beyond this overflow where areas are squared, and are damage in any file.
LARGEST = 1e30
NO_FACES = np.empty((0, 3), dtype=np.int64)
NO_TETS = np.empty((0, 4), dtype=np.int64)


@dataclass(frozen=True)
class MeshArrays:
    """What a file holds: vertices (n, 3) m and either tets (t, 4) or faces (f, 3), as they stand there.

    Polygons are split into triangles and the middles of quadratic elements left out; nothing is repaired.
    """

    vertices: Floats
    faces: Ints
    tets: Ints


def read_surface(path: str | Path) -> Surface:
    """Read a surface, or the boundary of the tetrahedra, from any of the ``READERS``.

    Vertices keep their order; the corners of an .stl file are merged where they coincide.
    """
    arrays = read_arrays(path)
    if len(arrays.tets):
        return oriented(arrays, Path(path).name)[0].surface
    return Surface(arrays.vertices, arrays.faces)


def read_tets(path: str | Path) -> TetMesh:
    """Read tetrahedra from any of the ``READERS`` that holds them; of .node and .ele either may be given."""
    return oriented(read_arrays(path), Path(path).name)[0]


def oriented(arrays: MeshArrays, name: str) -> tuple[TetMesh, int]:
    """The tetrahedra with positive volumes, and how many were turned for it.

    ``name`` of the file, for the errors when there are no tetrahedra or some without volume.
    """
    if len(arrays.tets) == 0:
        raise InputError(f"{name} holds no tetrahedra", "a tetrahedral mesh", "mesh the surface first")
    volumes = signed_volumes(arrays.vertices, arrays.tets)
    size = np.ptp(arrays.vertices[arrays.tets], axis=1).max(axis=1)
    empty = np.flatnonzero(np.abs(volumes) <= NO_VOLUME * size**3)
    if len(empty):
        raise InputError(
            f"{name}: {len(empty)} tetrahedra have no volume, the first has index {empty[0]}",
            "tetrahedra with a volume",
            "mesh the surface again",
        )
    turned = volumes < 0
    tets = np.where(turned[:, None], arrays.tets[:, [0, 2, 1, 3]], arrays.tets)
    return TetMesh(arrays.vertices, tets), int(np.count_nonzero(turned))


def read_arrays(path: str | Path) -> MeshArrays:
    """Read what a file holds, refusing coordinates that are not finite and corners that are no vertex."""
    path = Path(path)
    arrays = _by_suffix(READERS, path)(path)
    _check_points(path, arrays.vertices)
    _check_corners(path, "face", arrays.faces, len(arrays.vertices))
    _check_corners(path, "tetrahedron", arrays.tets, len(arrays.vertices))
    return arrays


def _check_points(path: Path, points: Floats) -> None:
    bad = np.flatnonzero(~(np.abs(points) <= LARGEST).all(axis=1))
    if len(bad):
        given = f"{len(bad)} vertices are not finite or astronomic, the first has index {bad[0]}"
        _refuse(path, given, f"coordinates within {LARGEST:g} m")


def _check_corners(path: Path, name: str, corners: Ints, vertices: int) -> None:
    wrong = np.flatnonzero(((corners < 0) | (corners >= vertices)).any(axis=1))
    if len(wrong):
        given = f"{name} {wrong[0]} has corners {corners[wrong[0]].tolist()}"
        _refuse(path, given, f"indices from 0 to {vertices - 1}")


def write_surface(path: str | Path, surface: Surface) -> None:
    """Write a surface in the format of the suffix, one of ``SURFACE_WRITERS``."""
    _by_suffix(SURFACE_WRITERS, Path(path))(Path(path), surface)


def write_tets(path: str | Path, mesh: TetMesh) -> None:
    """Write tetrahedra in the format of the suffix, one of ``TET_WRITERS``; .node and .ele come together."""
    _by_suffix(TET_WRITERS, Path(path))(Path(path), mesh)


_Entry = TypeVar("_Entry")


def _by_suffix(table: dict[str, _Entry], path: Path) -> _Entry:
    suffix = path.suffix.lower()
    if suffix not in table:
        raise InputError(
            f"{path.name} has the suffix {suffix!r}" if suffix else f"{path.name} has no suffix",
            f"one of {' '.join(table)}",
            "convert the file, or give it the suffix of its format",
        )
    return table[suffix]


def _refuse(path: Path, given: str, expected: str) -> NoReturn:
    raise InputError(f"{path.name}: {given}", expected, "export the mesh again")


def _from_polygons(
    path: Path, points: Floats, polygons: Sequence[Sequence[int]], name: Callable[[int], str] | None = None
) -> MeshArrays:
    """Polygons split into triangles; ``name`` calls one that crosses itself by the place it stands at."""
    points = points.reshape(-1, 3)
    _check_points(path, points)
    if any(not 0 <= corner < len(points) for polygon in polygons for corner in polygon):
        _refuse(path, "a polygon has a corner that is no vertex", f"indices from 0 to {len(points) - 1}")
    faces, _ = triangulate(points, polygons, name or f"{path.name}: polygon {{}}".format)
    return MeshArrays(points, faces, NO_TETS)


# ---------------------------------------------------------------- text files of polygons


def _read_obj(path: Path) -> MeshArrays:
    vertices: list[list[float]] = []
    polygons: list[list[int]] = []
    numbers: list[int] = []
    with open_lines(path) as lines:
        while fields := _obj_fields(lines):
            if fields[0] == b"v":
                if len(fields) < 4:
                    lines.fail(f"a vertex with {len(fields) - 1} coordinates", "v <x> <y> <z>")
                vertices.append([lines.real(field) for field in fields[1:4]])
            elif fields[0] == b"f":
                if len(fields) < 4:
                    lines.fail(f"a face with {len(fields) - 1} corners", "three or more")
                polygons.append([_obj_corner(lines, field, len(vertices)) for field in fields[1:]])
                numbers.append(lines.number)
        for polygon, number in zip(polygons, numbers, strict=True):
            if max(polygon) >= len(vertices):
                lines.fail(f"corner {max(polygon) + 1} is not a vertex", f"at most {len(vertices)}", number)
    name = f"{path.name}, line {{}}: the polygon"
    return _from_polygons(path, np.array(vertices), polygons, lambda i: name.format(numbers[i]))


def _obj_fields(lines: Lines) -> list[bytes]:
    """The fields of a line and of those that a backslash at its end adds."""
    fields = lines.next()
    while fields and fields[-1].endswith(b"\\"):
        last = fields.pop().removesuffix(b"\\")
        fields += [last] * bool(last) + lines.require("the line that the backslash announces")
    return fields


def _obj_corner(lines: Lines, field: bytes, vertices: int) -> int:
    """A corner counted from 0, of a field like 7, 7/1, 7//3 or, counted back from the latest vertex, -2."""
    number = lines.integer(field.partition(b"/")[0])
    if number == 0 or number < -vertices:
        lines.fail(f"corner {number} is not a vertex", "numbers from 1, or from -1 back")
    return number - 1 if number > 0 else vertices + number


def _read_off(path: Path) -> MeshArrays:
    with open_lines(path) as lines:
        fields = lines.require("OFF")
        if fields[0] not in (b"OFF", b"COFF", b"NOFF", b"CNOFF"):
            lines.fail("another kind of file", "OFF in the first line")
        fields = fields[1:] or lines.require("<vertices> <faces> <edges>")
        if len(fields) < 2:
            lines.fail("an incomplete header", "<vertices> <faces> <edges>")
        vertices, faces = lines.count(fields[0]), lines.count(fields[1])
        points = [_off_vertex(lines, f"vertex {i} of {vertices}") for i in range(vertices)]
        polygons = [_off_face(lines, f"face {i} of {faces}", vertices) for i in range(faces)]
    return _from_polygons(path, np.array(points), polygons)


def _off_vertex(lines: Lines, name: str) -> list[float]:
    fields = lines.require(name)
    if len(fields) < 3:
        lines.fail(f"a vertex with {len(fields)} coordinates", "<x> <y> <z>")
    return [lines.real(field) for field in fields[:3]]


def _off_face(lines: Lines, name: str, vertices: int) -> list[int]:
    fields = lines.require(name)
    size = lines.count(fields[0])
    if len(fields) <= size:
        lines.fail(f"a face with {len(fields) - 1} corners", f"{size}, as it says")
    corners = [lines.count(field) for field in fields[1 : size + 1]]
    if max(corners, default=0) >= vertices:
        lines.fail(f"corner {max(corners)} is not a vertex", f"a number below {vertices}")
    return corners


def _write_obj(path: Path, surface: Surface) -> None:
    vertices = (f"v {x!r} {y!r} {z!r}" for x, y, z in surface.vertices.tolist())
    faces = (f"f {a} {b} {c}" for a, b, c in (surface.faces + 1).tolist())
    tetgen.write_lines(path, [*vertices, *faces])


def _write_off(path: Path, surface: Surface) -> None:
    vertices = (f"{x!r} {y!r} {z!r}" for x, y, z in surface.vertices.tolist())
    faces = (f"3 {a} {b} {c}" for a, b, c in surface.faces.tolist())
    header = ("OFF", f"{len(surface.vertices)} {len(surface.faces)} 0")
    tetgen.write_lines(path, [*header, *vertices, *faces])


# ---------------------------------------------------------------- .stl

STL_HEADER = 84
STL_FACE = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])


def _read_stl(path: Path) -> MeshArrays:
    """Binary files begin with solid, too, sometimes: only the size tells them apart."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise unreadable(path, error) from error
    count = int.from_bytes(data[80:STL_HEADER], "little")
    if len(data) == STL_HEADER + count * STL_FACE.itemsize:
        corners = np.frombuffer(data, STL_FACE, count, STL_HEADER)["corners"].astype(np.float64)
    elif data.lstrip()[:5].lower() == b"solid":
        corners = _read_stl_text(path)
    else:
        _refuse(path, "neither a text nor a complete binary file", "an .stl file")
    points = corners.reshape(-1, 3)
    used, faces = np.unique(first_equal(points), return_inverse=True)
    return MeshArrays(points[used], faces.reshape(-1, 3), NO_TETS)


def _read_stl_text(path: Path) -> Floats:
    corners = []
    with open_lines(path) as lines:
        while fields := lines.next():
            if fields[0].lower() == b"vertex":
                if len(fields) != 4:
                    lines.fail(f"a vertex with {len(fields) - 1} coordinates", "vertex <x> <y> <z>")
                corners.append([lines.real(field) for field in fields[1:]])
        if len(corners) % 3:
            lines.fail(f"the file ends after {len(corners)} corners", "three for each face")
    return np.array(corners).reshape(-1, 3)


def _write_stl(path: Path, surface: Surface) -> None:
    faces = np.zeros(len(surface.faces), STL_FACE)
    faces["corners"] = surface.vertices[surface.faces]
    _write_bytes(path, bytes(80) + len(faces).to_bytes(4, "little") + faces.tobytes())


# ---------------------------------------------------------------- .ply

# The letters of the struct module for the types, which have two names each.
PLY_TYPES = {
    **dict.fromkeys((b"char", b"int8"), "b"),
    **dict.fromkeys((b"uchar", b"uint8"), "B"),
    **dict.fromkeys((b"short", b"int16"), "h"),
    **dict.fromkeys((b"ushort", b"uint16"), "H"),
    **dict.fromkeys((b"int", b"int32"), "i"),
    **dict.fromkeys((b"uint", b"uint32"), "I"),
    **dict.fromkeys((b"float", b"float32"), "f"),
    **dict.fromkeys((b"double", b"float64"), "d"),
}
PLY_ORDERS = {b"ascii": "", b"binary_little_endian": "<", b"binary_big_endian": ">"}


@dataclass(frozen=True)
class _Property:
    """A column of a .ply element: ``count`` is the type of a list's length, empty for a single number."""

    name: bytes
    kind: str
    count: str = ""


@dataclass
class _Element:
    name: bytes
    size: int
    properties: list[_Property] = field(default_factory=list)

    def column(self, lines: Lines, *names: bytes) -> int:
        """The index of the property with one of ``names``."""
        for index, entry in enumerate(self.properties):
            if entry.name in names:
                return index
        lines.fail(f"{_text(self.name)} without {_text(names[0])}", "such a property in the header")


_Row = Sequence[Any]


def _read_ply(path: Path) -> MeshArrays:
    points, polygons = np.empty((0, 3)), []
    with open_lines(path) as lines:
        order, elements = _ply_header(lines)
        data = lines.file.read() if order else b""
        offset = 0
        for element in elements:
            if order:
                rows, offset = _ply_rows(lines, element, order, data, offset)
            else:
                rows = [_ply_text_row(lines, element, index) for index in range(element.size)]
            if element.name == b"vertex":
                columns = [element.column(lines, name) for name in (b"x", b"y", b"z")]
                points = np.array([[row[i] for i in columns] for row in rows], dtype=float)
            elif element.name == b"face":
                column = element.column(lines, b"vertex_indices", b"vertex_index")
                polygons = [row[column] for row in rows]
    return _from_polygons(path, points, polygons)


def _ply_header(lines: Lines) -> tuple[str, list[_Element]]:
    """The byte order, empty for text, and what the file is made of."""
    if lines.require("ply") != [b"ply"]:
        lines.fail("another kind of file", "ply in the first line")
    order, elements = "", list[_Element]()
    while (fields := lines.require("end_header")) != [b"end_header"]:
        match fields:
            case [b"comment" | b"obj_info", *_]:
                pass
            case [b"format", kind, _] if kind in PLY_ORDERS:
                order = PLY_ORDERS[kind]
            case [b"element", name, size]:
                elements.append(_Element(name, lines.count(size)))
            case [b"property", b"list", count, kind, name] if elements and {count, kind} <= PLY_TYPES.keys():
                elements[-1].properties.append(_Property(name, PLY_TYPES[kind], PLY_TYPES[count]))
            case [b"property", kind, name] if elements and kind in PLY_TYPES:
                elements[-1].properties.append(_Property(name, PLY_TYPES[kind]))
            case _:
                lines.fail(f"found {_text(b' '.join(fields))}", "a line of a .ply header")
    return order, elements


def _ply_text_row(lines: Lines, element: _Element, index: int) -> _Row:
    fields = iter(lines.require(f"{_text(element.name)} {index + 1} of {element.size}"))
    row: list[Any] = []
    try:
        for entry in element.properties:
            convert = lines.real if entry.kind in "fd" else lines.integer
            if entry.count:
                size = lines.count(next(fields))
                row.append([convert(next(fields)) for _ in range(size)])
            else:
                row.append(convert(next(fields)))
    except StopIteration:
        lines.fail(f"{_text(element.name)} {index + 1} is incomplete", "all properties of the header")
    return row


def _ply_rows(lines: Lines, element: _Element, order: str, data: bytes, offset: int) -> tuple[list[_Row], int]:
    """The rows of a binary element and where the next element begins."""
    try:
        if not any(entry.count for entry in element.properties):
            row = struct.Struct(order + "".join(entry.kind for entry in element.properties))
            end = offset + row.size * element.size
            if end > len(data):
                raise struct.error
            return (list(row.iter_unpack(data[offset:end])) if row.size else []), end
        rows: list[_Row] = []
        for _ in range(element.size):
            values: list[Any] = []
            for entry in element.properties:
                layout = order + entry.kind
                if entry.count:
                    (size,) = struct.unpack_from(order + entry.count, data, offset)
                    offset += struct.calcsize(order + entry.count)
                    layout = f"{order}{size}{entry.kind}"
                value = struct.unpack_from(layout, data, offset)
                offset += struct.calcsize(layout)
                values.append(value if entry.count else value[0])
            rows.append(values)
        return rows, offset
    except struct.error:
        lines.fail(f"the data end before {element.size} times {_text(element.name)}", "what the header says")


def _text(field: bytes) -> str:
    return field.decode("utf-8", "replace")[:60]


def _write_ply(path: Path, surface: Surface) -> None:
    header = (
        "ply\nformat binary_little_endian 1.0\n"
        f"element vertex {len(surface.vertices)}\n"
        "property double x\nproperty double y\nproperty double z\n"
        f"element face {len(surface.faces)}\nproperty list uchar int vertex_indices\nend_header\n"
    )
    faces = np.empty(len(surface.faces), [("size", "u1"), ("corners", "<i4", 3)])
    faces["size"], faces["corners"] = 3, surface.faces
    _write_bytes(path, header.encode() + surface.vertices.astype("<f8").tobytes() + faces.tobytes())


def _write_bytes(path: Path, data: bytes) -> None:
    try:
        path.write_bytes(data)
    except OSError as error:
        raise unreadable(path, error) from error


# ---------------------------------------------------------------- TetGen's files


def _read_complex(path: Path) -> MeshArrays:
    file = tetgen.read_poly(path) if path.suffix.lower() == ".poly" else tetgen.read_smesh(path)
    _check_points(path, file.nodes.points)
    surface = tetgen.surface_of(file, path.name)
    return MeshArrays(surface.vertices, surface.faces, NO_TETS)


def _read_node_and_ele(path: Path) -> MeshArrays:
    nodes = tetgen.read_node(path.with_suffix(".node"))
    tets = tetgen.read_ele(path.with_suffix(".ele"), nodes).tets
    return _without_middles(nodes.points, tets[:, :4], tets[:, 4:])


def _write_node_and_ele(path: Path, mesh: TetMesh) -> None:
    nodes = tetgen.NodeFile(mesh.vertices, np.empty((len(mesh.vertices), 0)))
    tetgen.write_node(path.with_suffix(".node"), nodes)
    tetgen.write_ele(path.with_suffix(".ele"), tetgen.EleFile(mesh.tets, np.empty((len(mesh.tets), 0))))


def _without_middles(points: Floats, tets: Ints, middles: Ints) -> MeshArrays:
    """Tetrahedra (t, 4) without the points that are only middles of their edges."""
    if middles.size == 0:
        return MeshArrays(points, NO_FACES, tets)
    kept = np.setdiff1d(np.arange(len(points)), np.setdiff1d(middles, tets))
    return MeshArrays(points[kept], NO_FACES, np.searchsorted(kept, tets))


# ---------------------------------------------------------------- formats that meshio reads and writes

# Named, because meshio alone would write an Ansys file where the suffix is .msh.
MESHIO_FORMATS = {".msh": "gmsh", ".vtu": "vtu", ".vtk": "vtk", ".mesh": "medit"}
# How many nodes of a cell are its corners; the others are middles. None: all of them.
POLYGON_CORNERS = {"triangle": None, "quad": None, "polygon": None, "triangle6": 3, "quad8": 4, "quad9": 4}
IGNORED = ("vertex", "line", "line3")


def _read_with_meshio(path: Path) -> MeshArrays:
    polygons: list[Sequence[int]] = []
    corners, middles = [NO_TETS], [NO_TETS.ravel()]
    with _meshio(path) as meshio:
        # meshio ends the process, where opening the file says what is wrong with it.
        path.open("rb").close()
        mesh = meshio.read(path, MESHIO_FORMATS[path.suffix.lower()])
        points = np.zeros((len(mesh.points), 3))
        points[:, : mesh.points.shape[1]] = mesh.points
        for block in mesh.cells:
            if block.type in POLYGON_CORNERS:
                polygons += [np.asarray(row)[: POLYGON_CORNERS[block.type]].tolist() for row in block.data]
            elif block.type in ("tetra", "tetra10"):
                corners.append(np.asarray(block.data, dtype=np.int64)[:, :4])
                middles.append(np.asarray(block.data, dtype=np.int64)[:, 4:].ravel())
            elif block.type not in IGNORED and len(block.data):
                given = f"{len(block.data)} cells of kind {block.type}"
                _refuse(path, given, "triangles, polygons or tetrahedra")
        tets = np.concatenate(corners)
    if len(tets):
        _check_corners(path, "tetrahedron", tets, len(points))
        return _without_middles(points, tets, np.concatenate(middles))
    return _from_polygons(path, points, polygons)


def _write_surface_with_meshio(path: Path, surface: Surface) -> None:
    _write_with_meshio(path, surface.vertices, "triangle", surface.faces)


def _write_tets_with_meshio(path: Path, mesh: TetMesh) -> None:
    _write_with_meshio(path, mesh.vertices, "tetra", mesh.tets)


def _write_with_meshio(path: Path, vertices: Floats, kind: str, cells: Ints) -> None:
    with _meshio(path) as meshio:
        meshio.Mesh(vertices, [(kind, cells)]).write(path, MESHIO_FORMATS[path.suffix.lower()])


@contextmanager
def _meshio(path: Path) -> Iterator[Any]:
    """meshio, whose printing, exits and errors of any kind become one ``InputError``."""
    import meshio

    printed = io.StringIO()
    try:
        with redirect_stdout(printed), redirect_stderr(printed), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield meshio
    except InputError:
        raise
    except OSError as error:
        raise unreadable(path, error) from error
    except (Exception, SystemExit) as error:
        reason = printed.getvalue().strip() or f"{type(error).__name__} {error}".strip()
        _refuse(path, " ".join(reason.split())[:200], f"a complete {path.suffix} file")


# ---------------------------------------------------------------- which suffix is read and written by what

READERS: dict[str, Callable[[Path], MeshArrays]] = {
    ".obj": _read_obj,
    ".off": _read_off,
    ".stl": _read_stl,
    ".ply": _read_ply,
    ".poly": _read_complex,
    ".smesh": _read_complex,
    ".node": _read_node_and_ele,
    ".ele": _read_node_and_ele,
    ".msh": _read_with_meshio,
    ".vtu": _read_with_meshio,
    ".vtk": _read_with_meshio,
    ".mesh": _read_with_meshio,
}

SURFACE_WRITERS: dict[str, Callable[[Path, Surface], None]] = {
    ".obj": _write_obj,
    ".off": _write_off,
    ".stl": _write_stl,
    ".ply": _write_ply,
    ".poly": lambda path, surface: tetgen.write_poly(path, tetgen.poly_of(surface)),
    ".smesh": lambda path, surface: tetgen.write_smesh(path, tetgen.poly_of(surface)),
    ".msh": _write_surface_with_meshio,
    ".vtu": _write_surface_with_meshio,
    ".vtk": _write_surface_with_meshio,
    ".mesh": _write_surface_with_meshio,
}

TET_WRITERS: dict[str, Callable[[Path, TetMesh], None]] = {
    ".node": _write_node_and_ele,
    ".ele": _write_node_and_ele,
    ".msh": _write_tets_with_meshio,
    ".vtu": _write_tets_with_meshio,
    ".vtk": _write_tets_with_meshio,
    ".mesh": _write_tets_with_meshio,
}
