"""Surfaces in .off files; normals and colours are left out."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from hydrostat.geometry.mesh_arrays import MeshArrays, from_polygons
from hydrostat.geometry.surfaces import Surface
from hydrostat.geometry.text_lines import Lines, open_lines, write_lines


def read(path: Path) -> MeshArrays:
    """Read an .off file."""
    with open_lines(path) as lines:
        fields = lines.require("OFF")
        if fields[0] not in (b"OFF", b"COFF", b"NOFF", b"CNOFF"):
            lines.fail("another kind of file", "OFF in the first line")
        fields = fields[1:] or lines.require("<vertices> <faces> <edges>")
        if len(fields) < 2:
            lines.fail("an incomplete header", "<vertices> <faces> <edges>")
        vertices, faces = lines.count(fields[0]), lines.count(fields[1])
        points = [lines.point(lines.require(f"vertex {i} of {vertices}"), "<x> <y> <z>") for i in range(vertices)]
        polygons = [_polygon(lines, f"face {i} of {faces}", vertices) for i in range(faces)]
    return from_polygons(path, np.array(points), polygons)


def _polygon(lines: Lines, name: str, vertices: int) -> list[int]:
    fields = lines.require(name)
    size = lines.count(fields[0])
    if len(fields) <= size:
        lines.fail(f"a face with {len(fields) - 1} corners", f"{size}, as it says")
    corners = [lines.count(field) for field in fields[1 : size + 1]]
    if max(corners, default=0) >= vertices:
        lines.fail(f"corner {max(corners)} is not a vertex", f"a number below {vertices}")
    return corners


def write(path: Path, surface: Surface) -> None:
    """Write an .off file."""
    header = f"{len(surface.vertices)} {len(surface.faces)} 0"
    vertices = (f"{x!r} {y!r} {z!r}" for x, y, z in surface.vertices.tolist())
    faces = (f"3 {a} {b} {c}" for a, b, c in surface.faces.tolist())
    write_lines(path, ["OFF", header, *vertices, *faces])
