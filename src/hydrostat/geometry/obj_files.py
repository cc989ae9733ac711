"""Surfaces in Wavefront's .obj files; normals, textures, groups and lines are left out."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from hydrostat.geometry.mesh_arrays import MeshArrays, from_polygons
from hydrostat.geometry.surfaces import Surface
from hydrostat.geometry.text_lines import Lines, open_lines, write_lines


def read(path: Path) -> MeshArrays:
    """Read an .obj file."""
    vertices: list[list[float]] = []
    polygons: list[list[int]] = []
    numbers: list[int] = []
    with open_lines(path) as lines:
        while fields := _fields(lines):
            if fields[0] == b"v":
                vertices.append(lines.point(fields[1:], "v <x> <y> <z>"))
            elif fields[0] == b"f":
                if len(fields) < 4:
                    lines.fail(f"a face with {len(fields) - 1} corners", "three or more")
                polygons.append([_corner(lines, field, len(vertices)) for field in fields[1:]])
                numbers.append(lines.number)
        for polygon, number in zip(polygons, numbers, strict=True):
            if max(polygon) >= len(vertices):
                lines.fail(f"corner {max(polygon) + 1} is not a vertex", f"at most {len(vertices)}", number)
    return from_polygons(path, np.array(vertices), polygons, lambda i: f"{path.name}, line {numbers[i]}: the polygon")


def _fields(lines: Lines) -> list[bytes]:
    """The fields of a line and of those that a backslash at its end adds."""
    fields = lines.next()
    while fields and fields[-1].endswith(b"\\"):
        last = fields.pop().removesuffix(b"\\")
        fields += [last] * bool(last) + lines.require("the line that the backslash announces")
    return fields


def _corner(lines: Lines, field: bytes, vertices: int) -> int:
    """A corner counted from 0, of a field like 7, 7/1, 7//3 or, counted back from the latest vertex, -2."""
    number = lines.integer(field.partition(b"/")[0])
    if number == 0 or number < -vertices:
        lines.fail(f"corner {number} is not a vertex", "numbers from 1, or from -1 back")
    return number - 1 if number > 0 else vertices + number


def write(path: Path, surface: Surface) -> None:
    """Write an .obj file."""
    vertices = (f"v {x!r} {y!r} {z!r}" for x, y, z in surface.vertices.tolist())
    faces = (f"f {a} {b} {c}" for a, b, c in (surface.faces + 1).tolist())
    write_lines(path, [*vertices, *faces])
