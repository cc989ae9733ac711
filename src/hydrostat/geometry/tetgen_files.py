"""TetGen's lists of points, tetrahedra and faces (.node .ele .face), as the manual of TetGen 1.5 defines them.

In memory corners count from 0; ``first`` remembers whether the file counts from 0 or 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from hydrostat.arrays import Floats, Ints
from hydrostat.geometry.text_lines import Column, Lines, Table, numbered, open_lines, read_table, write_lines

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


# ---------------------------------------------------------------- reading


def read_node(path: str | Path) -> NodeFile:
    """Read a .node file."""
    with open_lines(Path(path)) as lines:
        return read_points(lines)


def read_points(lines: Lines) -> NodeFile:
    """Read a list of points, which .poly and .smesh files begin with, too."""
    header = lines.require("<points> <dimension> <attributes> <markers>")
    count, dimension, attributes, marked = lines.counts(header, (0, 3, 0, 0))
    if dimension != 3:
        lines.fail(f"points of dimension {dimension}", "dimension 3")
    columns: list[Column] = [lines.integer, *[lines.real] * 3, *_attribute_columns(lines, attributes)]
    columns += [lines.integer] * bool(marked)
    table = read_table(lines, count, "point", columns)
    first = _first_number(lines, table, "point")
    gaps = np.flatnonzero(table.values[:, 0] != first + np.arange(count))
    if len(gaps):
        given = int(table.values[gaps[0], 0])
        lines.fail(f"point number {given}", f"number {first + gaps[0]}, the next", int(table.lines[gaps[0]]))
    markers = table.integers(slice(-1, None)).ravel() if marked else None
    return NodeFile(table.values[:, 1:4].copy(), table.values[:, 4 : 4 + attributes].copy(), markers, first)


def read_ele(path: str | Path, nodes: NodeFile | None = None) -> EleFile:
    """Read an .ele file; with ``nodes`` corners count as there and must be points of it."""
    with open_lines(Path(path)) as lines:
        header = lines.require("<tetrahedra> <nodes per tetrahedron> <attributes>")
        count, size, attributes = lines.counts(header, (0, 4, 0))
        if size not in (4, 10):
            lines.fail(f"{size} nodes per tetrahedron", "4 or 10")
        columns: list[Column] = [*[lines.integer] * (1 + size), *_attribute_columns(lines, attributes)]
        table = read_table(lines, count, "tetrahedron", columns)
        tets, first = _corners(lines, table, "tetrahedron", size, nodes)
    return EleFile(tets, table.values[:, 1 + size :].copy(), first)


def read_face(path: str | Path, nodes: NodeFile | None = None) -> FaceFile:
    """Read a .face file; ``nodes`` as in ``read_ele``."""
    with open_lines(Path(path)) as lines:
        count, marked = lines.counts(lines.require("<faces> <markers>"), (0, 0))
        table = read_table(lines, count, "face", ())
        # TetGen writes number, 3 corners, 3 middles (-o2), marker, 2 tetrahedra (-nn), and only the length of
        # the rows says which of them.
        width = table.values.shape[1] - 1 - bool(marked)
        if count and width not in (3, 5, 6, 8):
            lines.fail("a face without three corners", "<face> <corner> <corner> <corner> …", int(table.lines[0]))
        faces, first = _corners(lines, table, "face", 3, nodes)
    marker = 7 if width in (6, 8) else 4
    return FaceFile(faces, table.integers(slice(marker, marker + 1)).ravel() if marked else None, first)


def _attribute_columns(lines: Lines, count: int) -> list[Column]:
    if count > MOST_ATTRIBUTES:
        lines.fail(f"{count} attributes", f"at most {MOST_ATTRIBUTES}")
    return [lines.real] * count


def _first_number(lines: Lines, table: Table, name: str) -> int:
    """0 or 1, the number of the first row; 1 in an empty list."""
    if len(table.values) == 0:
        return 1
    first = int(table.values[0, 0])
    if first not in (0, 1):
        lines.fail(f"the first {name} has number {first}", "0 or 1", int(table.lines[0]))
    return first


def _corners(lines: Lines, table: Table, name: str, size: int, nodes: NodeFile | None) -> tuple[Ints, int]:
    """Corners (k, size), counted from 0, and what the file counts from; those that are no point are refused.

    Without ``nodes`` only the negative ones are.
    """
    first = nodes.first if nodes else _first_number(lines, table, name)
    points = len(nodes.points) if nodes else None
    corners = table.integers(slice(1, 1 + size)).reshape(-1, size) - first
    wrong = (corners < 0) | (corners >= (2**31 if points is None else points))
    if wrong.any():
        row, column = np.argwhere(wrong)[0]
        lines.fail(
            f"corner {corners[row, column] + first} is not a point",
            f"a number from {first}" + (f" to {points - 1 + first}" if points else ""),
            int(table.lines[row]),
        )
    return corners, first


# ---------------------------------------------------------------- writing


def write_node(path: str | Path, nodes: NodeFile) -> None:
    """Write a .node file."""
    write_lines(Path(path), point_lines(nodes))


def point_lines(nodes: NodeFile) -> list[str]:
    """A list of points as ``read_points`` reads it."""
    header = f"{len(nodes.points)} 3 {nodes.attributes.shape[1]} {int(nodes.markers is not None)}"
    markers = _marker_column(nodes.markers, len(nodes.points))
    return [header, *numbered(nodes.first, nodes.points.tolist(), nodes.attributes.tolist(), markers)]


def write_ele(path: str | Path, file: EleFile) -> None:
    """Write an .ele file."""
    header = f"{len(file.tets)} {file.tets.shape[1]} {file.attributes.shape[1]}"
    corners = (file.tets + file.first).tolist()
    write_lines(Path(path), [header, *numbered(file.first, corners, file.attributes.tolist())])


def write_face(path: str | Path, file: FaceFile) -> None:
    """Write a .face file."""
    markers = _marker_column(file.markers, len(file.faces))
    rows = numbered(file.first, (file.faces + file.first).tolist(), markers)
    write_lines(Path(path), [f"{len(file.faces)} {int(file.markers is not None)}", *rows])


def _marker_column(markers: Ints | None, count: int) -> list[list[int]]:
    return [[]] * count if markers is None else [[marker] for marker in markers.tolist()]
