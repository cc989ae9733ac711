"""TetGen's text files (.node .ele .face .poly .smesh), as the manual of TetGen 1.5 defines them.

In memory corners count from 0; ``first`` remembers whether the file counts from 0 or 1. What the manual
leaves open is read as TetGen reads it: corners may go on in the next line, a missing facet marker is 0, and
the lists of holes and regions may be missing at the end.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import isfinite
from pathlib import Path
from typing import BinaryIO, NoReturn

import numpy as np

from hydrostat.arrays import Floats, Ints, frozen
from hydrostat.errors import InputError
from hydrostat.geometry.surfaces import Surface, triangulate, triangulate_region

NO_POINTS = frozen(np.empty((0, 3)))
# More attributes a point than this is a damaged header, not a mesh.
MOST_ATTRIBUTES = 1000


@dataclass(frozen=True)
class NodeFile:
    """A list of points. points: (n, 3) m. attributes: (n, a). markers: (n,), None where the file has none."""

    points: Floats
    attributes: Floats
    markers: Ints | None = None
    first: int = 1


@dataclass(frozen=True)
class EleFile:
    """A list of tetrahedra. tets: (t, 4), or (t, 10) with the middles of the edges. attributes: (t, a)."""

    tets: Ints
    attributes: Floats
    first: int = 1


@dataclass(frozen=True)
class FaceFile:
    """A list of triangles. faces: (f, 3). markers: (f,), None where the file has none.

    Middles of edges (tetgen -o2) and neighbouring tetrahedra (tetgen -nn) are not kept.
    """

    faces: Ints
    markers: Ints | None = None
    first: int = 1


@dataclass(frozen=True)
class Facet:
    """A planar piece of boundary: polygons of point indices, and a point (h, 3) m in each hole of the facet.

    Polygons of one or two corners are points and segments that the facet must contain.
    """

    polygons: tuple[tuple[int, ...], ...]
    holes: Floats = field(default_factory=lambda: NO_POINTS)
    marker: int | None = None


@dataclass(frozen=True)
class Region:
    """A point (3,) m in a region of the volume, the region's attribute, and its largest tetrahedron in m³."""

    point: Floats
    attribute: float
    max_volume: float | None = None


@dataclass(frozen=True)
class PolyFile:
    """A piecewise linear complex: points, facets, a point (h, 3) m in each hole of the volume, regions.

    ``separate_nodes``: the points stand in the .node file of the same name.
    """

    nodes: NodeFile
    facets: tuple[Facet, ...]
    holes: Floats = field(default_factory=lambda: NO_POINTS)
    regions: tuple[Region, ...] = ()
    separate_nodes: bool = False


# ---------------------------------------------------------------- lines of numbers


@dataclass
class Lines:
    """The lines of a text file that hold more than blanks and comments; errors name the file and the line."""

    path: Path
    file: BinaryIO
    number: int = 0

    def next(self) -> list[bytes]:
        """The fields of the next line that has any; none at the end of the file."""
        for line in self.file:
            self.number += 1
            if self.number == 1:
                line = line.removeprefix(b"\xef\xbb\xbf")
            if fields := line.partition(b"#")[0].split():
                return fields
        return []

    def require(self, expected: str) -> list[bytes]:
        """As ``next``, but the end of the file is an error."""
        fields = self.next()
        if not fields:
            self.number += 1
            self.fail("the file ends here", expected)
        return fields

    def fail(self, given: str, expected: str, number: int | None = None) -> NoReturn:
        """Refuse the current line, or the one numbered ``number``."""
        where = f"{self.path.name}, line {number or self.number}"
        raise InputError(f"{where}: {given}", expected, "correct the line or write the file again")

    def integer(self, field: bytes) -> int:
        """A whole number that fits TetGen's 32 bits."""
        try:
            value = int(field)
        except ValueError:
            self.fail(f"found {_shown(field)}", "a whole number")
        if abs(value) >= 2**31:
            self.fail(f"found {_shown(field)}", "a whole number below 2147483648")
        return value

    def count(self, field: bytes) -> int:
        """A whole number from 0."""
        value = self.integer(field)
        if value < 0:
            self.fail(f"found {value}", "a count, 0 or more")
        return value

    def real(self, field: bytes) -> float:
        """A finite number."""
        try:
            value = float(field)
        except ValueError:
            self.fail(f"found {_shown(field)}", "a number")
        if not isfinite(value):
            self.fail(f"found {_shown(field)}", "a finite number")
        return value


@contextmanager
def open_lines(path: Path) -> Iterator[Lines]:
    """Open a text file; trouble with the file itself is an ``InputError``."""
    try:
        with open(path, "rb") as file:
            yield Lines(path, file)
    except OSError as error:
        raise unreadable(path, error) from error


def unreadable(path: Path, error: OSError) -> InputError:
    """What a user reads when ``path`` cannot be opened, read or written."""
    reason = (error.strerror or str(error)).lower()
    return InputError(f"{path.name}: {reason}", "a file that can be opened", "check the path and its permissions")


def _shown(field: bytes) -> str:
    text = field.decode("utf-8", "replace")
    return repr(text if len(text) <= 30 else text[:30] + "…")


@dataclass(frozen=True)
class _Table:
    """Rows of numbers (n, columns) and the line (n,) each stands in."""

    values: Floats
    lines: Ints

    def integers(self, columns: slice) -> Ints:
        return self.values[:, columns].astype(np.int64)


_Column = Callable[[bytes], float]


def _read_table(lines: Lines, count: int, name: str, columns: Sequence[_Column]) -> _Table:
    """Read ``count`` rows; memory grows with the rows there are, whatever the file promises.

    Without columns every number is whole and all rows are as long as the first.
    """
    values, numbers = array("d"), array("q")
    for index in range(count):
        fields = lines.require(f"{name} {index + 1} of {count}")
        columns = columns or [lines.integer] * len(fields)
        if len(fields) != len(columns):
            lines.fail(f"{name} {index + 1} has {len(fields)} numbers", f"{len(columns)}")
        values.extend(column(entry) for column, entry in zip(columns, fields, strict=True))
        numbers.append(lines.number)
    return _Table(np.array(values).reshape(-1, len(columns) or 1), np.array(numbers, dtype=np.int64))


def _first_number(lines: Lines, table: _Table, name: str) -> int:
    """0 or 1, the number of the first row; 1 in an empty list."""
    if len(table.values) == 0:
        return 1
    first = int(table.values[0, 0])
    if first not in (0, 1):
        lines.fail(f"the first {name} has number {first}", "0 or 1", int(table.lines[0]))
    return first


def _check_corners(lines: Lines, corners: Ints, table: _Table, first: int, points: int | None) -> None:
    """Refuse corners, counted from 0, that are no point; without a number of points only negative ones."""
    wrong = (corners < 0) | (corners >= (2**31 if points is None else points))
    if wrong.any():
        row, column = np.argwhere(wrong)[0]
        lines.fail(
            f"corner {corners[row, column] + first} is not a point",
            f"a number from {first}" + (f" to {points - 1 + first}" if points else ""),
            int(table.lines[row]),
        )


# ---------------------------------------------------------------- reading


def read_node(path: str | Path) -> NodeFile:
    """Read a .node file."""
    with open_lines(Path(path)) as lines:
        return _read_points(lines, lines.require("<points> <dimension> <attributes> <markers>"))


def read_ele(path: str | Path, nodes: NodeFile | None = None) -> EleFile:
    """Read an .ele file; with ``nodes`` corners count as there and must be points of it."""
    with open_lines(Path(path)) as lines:
        header = lines.require("<tetrahedra> <nodes per tetrahedron> <attributes>")
        count, size, attributes = _header(lines, header, (0, 4, 0))
        if size not in (4, 10):
            lines.fail(f"{size} nodes per tetrahedron", "4 or 10")
        columns: list[_Column] = [*[lines.integer] * (1 + size), *_attribute_columns(lines, attributes)]
        table = _read_table(lines, count, "tetrahedron", columns)
        first = nodes.first if nodes else _first_number(lines, table, "tetrahedron")
        tets = table.integers(slice(1, 1 + size)) - first
        _check_corners(lines, tets, table, first, len(nodes.points) if nodes else None)
    return EleFile(tets, table.values[:, 1 + size :].copy(), first)


def read_face(path: str | Path, nodes: NodeFile | None = None) -> FaceFile:
    """Read a .face file; ``nodes`` as in ``read_ele``."""
    with open_lines(Path(path)) as lines:
        count, marked = _header(lines, lines.require("<faces> <markers>"), (0, 0))
        table = _read_table(lines, count, "face", ())
        # TetGen writes number, 3 corners, 3 middles (-o2), marker, 2 tetrahedra (-nn), and only the length of
        # the rows says which of them.
        width = table.values.shape[1] - 1 - bool(marked)
        if count and width not in (3, 5, 6, 8):
            lines.fail("a face without three corners", "<face> <corner> <corner> <corner> …", int(table.lines[0]))
        first = nodes.first if nodes else _first_number(lines, table, "face")
        faces = table.integers(slice(1, 4)).reshape(-1, 3) - first
        _check_corners(lines, faces, table, first, len(nodes.points) if nodes else None)
    marker = 7 if width in (6, 8) else 4
    return FaceFile(faces, table.integers(slice(marker, marker + 1)).ravel() if marked else None, first)


def read_poly(path: str | Path) -> PolyFile:
    """Read a .poly file, with its .node file if it has no points of its own."""
    return _read_complex(Path(path), _read_poly_facet)


def read_smesh(path: str | Path) -> PolyFile:
    """Read an .smesh file, with its .node file if it has no points of its own."""
    return _read_complex(Path(path), _read_smesh_facet)


def _header(lines: Lines, fields: list[bytes], defaults: Sequence[int]) -> list[int]:
    """The counts of a header line; those left out at its end take their default."""
    return [*map(lines.count, fields[: len(defaults)]), *defaults[len(fields) :]]


def _attribute_columns(lines: Lines, count: int) -> list[_Column]:
    if count > MOST_ATTRIBUTES:
        lines.fail(f"{count} attributes", f"at most {MOST_ATTRIBUTES}")
    return [lines.real] * count


def _read_points(lines: Lines, header: list[bytes]) -> NodeFile:
    count, dimension, attributes, marked = _header(lines, header, (0, 3, 0, 0))
    if dimension != 3:
        lines.fail(f"points of dimension {dimension}", "dimension 3")
    columns: list[_Column] = [lines.integer, *[lines.real] * 3, *_attribute_columns(lines, attributes)]
    columns += [lines.integer] * bool(marked)
    table = _read_table(lines, count, "point", columns)
    first = _first_number(lines, table, "point")
    gaps = np.flatnonzero(table.values[:, 0] != first + np.arange(count))
    if len(gaps):
        given = int(table.values[gaps[0], 0])
        lines.fail(f"point number {given}", f"number {first + gaps[0]}, the next", int(table.lines[gaps[0]]))
    markers = table.integers(slice(-1, None)).ravel() if marked else None
    return NodeFile(table.values[:, 1:4].copy(), table.values[:, 4 : 4 + attributes].copy(), markers, first)


@dataclass(frozen=True)
class _Numbering:
    """The first number and the count of the points that facets refer to, and whether facets have markers."""

    first: int
    points: int
    marked: bool


_ReadFacet = Callable[[Lines, list[bytes], _Numbering], Facet]


def _read_complex(path: Path, read_facet: _ReadFacet) -> PolyFile:
    with open_lines(path) as lines:
        nodes = _read_points(lines, lines.require("<points> <dimension> <attributes> <markers>"))
        separate = len(nodes.points) == 0
        if separate:
            nodes = read_node(path.with_suffix(".node"))
        count, marked = _header(lines, lines.require("<facets> <markers>"), (0, 0))
        numbering = _Numbering(nodes.first, len(nodes.points), bool(marked))
        facets = []
        for index in range(count):
            facets.append(read_facet(lines, lines.require(f"facet {index + 1} of {count}"), numbering))
        # M2014 lists no more than points and facets, so both lists may be missing.
        holes = _read_holes(lines, *_header(lines, lines.next(), (0,)))
        regions = _read_regions(lines, *_header(lines, lines.next(), (0,)))
    return PolyFile(nodes, tuple(facets), holes, regions, separate)


def _read_poly_facet(lines: Lines, fields: list[bytes], numbering: _Numbering) -> Facet:
    polygons, holes = _header(lines, fields, (0, 0))
    if polygons == 0:
        lines.fail("a facet without polygons", "one or more")
    marker = lines.integer(fields[2]) if len(fields) > 2 else 0
    loops = []
    for index in range(polygons):
        loop, _ = _read_loop(lines, lines.require(f"polygon {index + 1} of {polygons} of the facet"), numbering)
        loops.append(loop)
    points = _read_holes(lines, holes) if holes else NO_POINTS
    return Facet(tuple(loops), points, marker if numbering.marked else None)


def _read_smesh_facet(lines: Lines, fields: list[bytes], numbering: _Numbering) -> Facet:
    loop, rest = _read_loop(lines, fields, numbering)
    marker = lines.integer(rest[0]) if rest else 0
    return Facet((loop,), marker=marker if numbering.marked else None)


def _read_loop(lines: Lines, fields: list[bytes], numbering: _Numbering) -> tuple[tuple[int, ...], list[bytes]]:
    """A polygon's corners, counted from 0, and what follows them in their last line."""
    size = lines.count(fields[0])
    if size == 0:
        lines.fail("a polygon without corners", "one or more")
    first, last = numbering.first, numbering.first + numbering.points - 1
    loop: list[int] = []
    fields = fields[1:]
    while True:
        missing = size - len(loop)
        for corner in map(lines.integer, fields[:missing]):
            if not first <= corner <= last:
                lines.fail(f"corner {corner} is not a point", f"a number from {first} to {last}")
            loop.append(corner - first)
        if len(loop) == size:
            return tuple(loop), fields[missing:]
        fields = lines.require(f"corner {len(loop) + 1} of {size} of the polygon")


def _read_holes(lines: Lines, count: int) -> Floats:
    return _read_table(lines, count, "hole", [lines.integer] + [lines.real] * 3).values[:, 1:].copy()


def _read_regions(lines: Lines, count: int) -> tuple[Region, ...]:
    regions = []
    for index in range(count):
        fields = lines.require(f"region {index + 1} of {count}")
        if len(fields) not in (5, 6):
            lines.fail(f"region {index + 1} has {len(fields)} numbers", "<number> <x> <y> <z> <attribute> [volume]")
        lines.integer(fields[0])
        x, y, z, attribute, *volume = map(lines.real, fields[1:])
        regions.append(Region(np.array([x, y, z]), attribute, *volume))
    return tuple(regions)


# ---------------------------------------------------------------- writing


def write_node(path: str | Path, nodes: NodeFile) -> None:
    """Write a .node file."""
    write_lines(path, _node_lines(nodes))


def write_ele(path: str | Path, file: EleFile) -> None:
    """Write an .ele file."""
    header = f"{len(file.tets)} {file.tets.shape[1]} {file.attributes.shape[1]}"
    corners = (file.tets + file.first).tolist()
    write_lines(path, [header, *_rows(file.first, corners, file.attributes.tolist())])


def write_face(path: str | Path, file: FaceFile) -> None:
    """Write a .face file."""
    markers = _marker_column(file.markers, len(file.faces))
    rows = _rows(file.first, (file.faces + file.first).tolist(), markers)
    write_lines(path, [f"{len(file.faces)} {int(file.markers is not None)}", *rows])


def write_poly(path: str | Path, file: PolyFile) -> None:
    """Write a .poly file, and the .node file beside it if the points stand there."""
    _write_complex(Path(path), file, _poly_facet_lines)


def write_smesh(path: str | Path, file: PolyFile) -> None:
    """Write an .smesh file, whose facets are one polygon each without holes."""
    for index, facet in enumerate(file.facets):
        if len(facet.polygons) != 1 or len(facet.holes):
            name = f"facet {index + file.nodes.first}"
            raise InputError(
                f"{name} has {len(facet.polygons)} polygons and {len(facet.holes)} holes",
                "one polygon without holes in every facet of an .smesh file",
                "write a .poly file",
            )
    _write_complex(Path(path), file, _smesh_facet_lines)


def _write_complex(path: Path, file: PolyFile, facet_lines: Callable[[Facet, int], Iterable[str]]) -> None:
    first = file.nodes.first
    lines = ["0 3 0 0"] if file.separate_nodes else _node_lines(file.nodes)
    lines.append(f"{len(file.facets)} {int(any(facet.marker is not None for facet in file.facets))}")
    for facet in file.facets:
        lines += facet_lines(facet, first)
    lines += [str(len(file.holes)), *_rows(first, file.holes.tolist())]
    regions = [
        [
            *region.point.tolist(),
            region.attribute,
            *([] if region.max_volume is None else [region.max_volume]),
        ]
        for region in file.regions
    ]
    lines += [str(len(regions)), *_rows(first, regions)]
    if file.separate_nodes:
        write_node(path.with_suffix(".node"), file.nodes)
    write_lines(path, lines)


def _node_lines(nodes: NodeFile) -> list[str]:
    header = f"{len(nodes.points)} 3 {nodes.attributes.shape[1]} {int(nodes.markers is not None)}"
    markers = _marker_column(nodes.markers, len(nodes.points))
    return [header, *_rows(nodes.first, nodes.points.tolist(), nodes.attributes.tolist(), markers)]


def _poly_facet_lines(facet: Facet, first: int) -> Iterator[str]:
    yield f"{len(facet.polygons)} {len(facet.holes)} {facet.marker or 0}"
    yield from (_loop_line(loop, first) for loop in facet.polygons)
    yield from _rows(first, facet.holes.tolist())


def _smesh_facet_lines(facet: Facet, first: int) -> Iterator[str]:
    yield f"{_loop_line(facet.polygons[0], first)} {facet.marker or 0}"


def _loop_line(loop: Sequence[int], first: int) -> str:
    return " ".join(str(number) for number in (len(loop), *(corner + first for corner in loop)))


def _marker_column(markers: Ints | None, count: int) -> list[list[int]]:
    return [[]] * count if markers is None else [[marker] for marker in markers.tolist()]


def _rows(first: int, *columns: Sequence[Sequence[float]]) -> Iterator[str]:
    """Numbered lines; ``repr`` writes the shortest digits that read back as the same double."""
    for number, parts in enumerate(zip(*columns, strict=True), first):
        yield " ".join([str(number), *(repr(value) for part in parts for value in part)])


def write_lines(path: str | Path, lines: Iterable[str]) -> None:
    """Write a text file."""
    try:
        Path(path).write_text("\n".join(lines) + "\n", encoding="utf-8")
    except OSError as error:
        raise unreadable(Path(path), error) from error


# ---------------------------------------------------------------- surfaces


def surface_of(file: PolyFile, name: str = "the complex") -> Surface:
    """The facets as triangles over the same points.

    ``name`` of the file, for the error when a facet crosses itself.
    Segments and single points inside facets, holes of the volume and regions are left out. The winding is
    that of the file, where it means nothing: ``hydrostat.geometry.repair`` makes it right.
    """
    points, first = file.nodes.points, file.nodes.first
    plain, faces, owners = [], [], []
    for index, facet in enumerate(file.facets):
        if len(facet.polygons) == 1 and len(facet.holes) == 0:
            plain.append(index)
        else:
            label = f"{name}: facet {index + first}"
            faces.append(triangulate_region(points, facet.polygons, facet.holes, label))
            owners.append(np.full(len(faces[-1]), index))
    loops = [file.facets[index].polygons[0] for index in plain]
    triangles, loop = triangulate(points, loops, lambda i: f"{name}: facet {plain[i] + first}")
    owner = np.concatenate([*owners, np.array(plain, dtype=np.int64)[loop]])
    order = np.argsort(owner, kind="stable")
    return Surface(points, np.concatenate([*faces, triangles])[order])


def poly_of(surface: Surface) -> PolyFile:
    """A piecewise linear complex with one facet a triangle, counted from 1."""
    nodes = NodeFile(surface.vertices, np.empty((len(surface.vertices), 0)))
    return PolyFile(nodes, tuple(Facet((tuple(face),)) for face in surface.faces.tolist()))
