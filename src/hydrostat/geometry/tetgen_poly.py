"""TetGen's piecewise linear complexes (.poly .smesh), as the manual of TetGen 1.5 defines them.

What the manual leaves open is read as TetGen reads it: corners may go on in the next line, a missing facet
marker is 0, and the lists of holes and regions may be missing at the end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from hydrostat.arrays import Floats, frozen
from hydrostat.errors import InputError
from hydrostat.geometry.surfaces import Surface, triangulate, triangulate_region
from hydrostat.geometry.tetgen_files import NodeFile, point_lines, read_node, read_points, write_node
from hydrostat.geometry.text_lines import Lines, numbered, open_lines, read_table, write_lines

NO_POINTS = frozen(np.empty((0, 3)))


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


# ---------------------------------------------------------------- reading


def read_poly(path: str | Path) -> PolyFile:
    """Read a .poly file, with its .node file if it has no points of its own."""
    return _read(Path(path), _read_poly_facet)


def read_smesh(path: str | Path) -> PolyFile:
    """Read an .smesh file, with its .node file if it has no points of its own."""
    return _read(Path(path), _read_smesh_facet)


def _read(path: Path, read_facet: Callable[[Lines, list[bytes], NodeFile, bool], Facet]) -> PolyFile:
    with open_lines(path) as lines:
        nodes = read_points(lines)
        separate = len(nodes.points) == 0
        if separate:
            nodes = read_node(path.with_suffix(".node"))
        count, marked = lines.counts(lines.require("<facets> <markers>"), (0, 0))
        facets = []
        for index in range(count):
            fields = lines.require(f"facet {index + 1} of {count}")
            facets.append(read_facet(lines, fields, nodes, bool(marked)))
        # M2014 lists no more than points and facets, so both lists may be missing.
        holes = _read_holes(lines, *lines.counts(lines.next(), (0,)))
        regions = _read_regions(lines, *lines.counts(lines.next(), (0,)))
    return PolyFile(nodes, tuple(facets), holes, regions, separate)


def _read_poly_facet(lines: Lines, fields: list[bytes], nodes: NodeFile, marked: bool) -> Facet:
    polygons, holes = lines.counts(fields, (0, 0))
    if polygons == 0:
        lines.fail("a facet without polygons", "one or more")
    marker = lines.integer(fields[2]) if len(fields) > 2 else 0
    loops = []
    for index in range(polygons):
        loop, _ = _read_loop(lines, lines.require(f"polygon {index + 1} of {polygons} of the facet"), nodes)
        loops.append(loop)
    points = _read_holes(lines, holes) if holes else NO_POINTS
    return Facet(tuple(loops), points, marker if marked else None)


def _read_smesh_facet(lines: Lines, fields: list[bytes], nodes: NodeFile, marked: bool) -> Facet:
    loop, rest = _read_loop(lines, fields, nodes)
    marker = lines.integer(rest[0]) if rest else 0
    return Facet((loop,), marker=marker if marked else None)


def _read_loop(lines: Lines, fields: list[bytes], nodes: NodeFile) -> tuple[tuple[int, ...], list[bytes]]:
    """A polygon's corners, counted from 0, and what follows them in their last line."""
    size = lines.count(fields[0])
    if size == 0:
        lines.fail("a polygon without corners", "one or more")
    first, last = nodes.first, nodes.first + len(nodes.points) - 1
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
    return read_table(lines, count, "hole", [lines.integer] + [lines.real] * 3).values[:, 1:].copy()


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


def write_poly(path: str | Path, file: PolyFile) -> None:
    """Write a .poly file, and the .node file beside it if the points stand there."""
    _write(Path(path), file, _poly_facet_lines)


def write_smesh(path: str | Path, file: PolyFile) -> None:
    """Write an .smesh file, whose facets are one polygon each without holes."""
    for number, facet in enumerate(file.facets, file.nodes.first):
        if len(facet.polygons) != 1 or len(facet.holes):
            raise InputError(
                f"facet {number} has {len(facet.polygons)} polygons and {len(facet.holes)} holes",
                "one polygon without holes in every facet of an .smesh file",
                "write a .poly file",
            )
    _write(Path(path), file, _smesh_facet_lines)


def _write(path: Path, file: PolyFile, facet_lines: Callable[[Facet, int], Iterable[str]]) -> None:
    first = file.nodes.first
    lines = ["0 3 0 0"] if file.separate_nodes else point_lines(file.nodes)
    lines.append(f"{len(file.facets)} {int(any(facet.marker is not None for facet in file.facets))}")
    for facet in file.facets:
        lines += facet_lines(facet, first)
    lines += [str(len(file.holes)), *numbered(first, file.holes.tolist())]
    lines += [str(len(file.regions)), *numbered(first, [_region_row(region) for region in file.regions])]
    if file.separate_nodes:
        write_node(path.with_suffix(".node"), file.nodes)
    write_lines(path, lines)


def _poly_facet_lines(facet: Facet, first: int) -> Iterator[str]:
    yield f"{len(facet.polygons)} {len(facet.holes)} {facet.marker or 0}"
    yield from (_loop_line(loop, first) for loop in facet.polygons)
    yield from numbered(first, facet.holes.tolist())


def _smesh_facet_lines(facet: Facet, first: int) -> Iterator[str]:
    yield f"{_loop_line(facet.polygons[0], first)} {facet.marker or 0}"


def _loop_line(loop: Sequence[int], first: int) -> str:
    return " ".join(str(number) for number in (len(loop), *(corner + first for corner in loop)))


def _region_row(region: Region) -> list[float]:
    row = [*region.point.tolist(), region.attribute]
    return row if region.max_volume is None else [*row, region.max_volume]


# ---------------------------------------------------------------- surfaces


def surface_of(file: PolyFile, name: str = "the complex") -> Surface:
    """The facets as triangles over the same points; ``name`` of the file, for a facet that crosses itself.

    Segments and single points inside facets and regions are left out. So are the points that mark holes of the
    volume: the wall of a cavity stays, and what is inside it depends on its winding alone. The winding is that
    of the file, where it means nothing; ``hydrostat.geometry.repair`` makes it agree on each connected wall and
    turns the outermost outward, but cannot tell a cavity from a body within the body: turn the wall into the
    cavity (counter-clockwise seen from inside it), or fTetWild fills it. TetGen fills every cavity.
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
