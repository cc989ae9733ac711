"""Surfaces in .stl files, text or binary; normals and attributes are left out."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from hydrostat.arrays import Floats
from hydrostat.geometry.mesh_arrays import MeshArrays, refuse
from hydrostat.geometry.repair import first_equal
from hydrostat.geometry.surfaces import Surface
from hydrostat.geometry.text_lines import naming, open_lines, write_bytes

HEADER = 84
FACE = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])


def read(path: Path) -> MeshArrays:
    """Read an .stl file, merging corners that coincide."""
    with naming(path):
        data = path.read_bytes()
    count = int.from_bytes(data[80:HEADER], "little")
    # Binary files begin with solid, too, sometimes: only the size tells them apart.
    if len(data) == HEADER + count * FACE.itemsize:
        corners = np.frombuffer(data, FACE, count, HEADER)["corners"].astype(np.float64)
    elif data.lstrip()[:5].lower() == b"solid":
        corners = _read_text(path)
    else:
        refuse(path, "neither a text nor a complete binary file", "an .stl file")
    points = corners.reshape(-1, 3)
    used, faces = np.unique(first_equal(points), return_inverse=True)
    return MeshArrays(points[used], faces.reshape(-1, 3))


def _read_text(path: Path) -> Floats:
    """The corners of all faces, (3 f, 3) m."""
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


def write(path: Path, surface: Surface) -> None:
    """Write a binary .stl file, in its single precision."""
    faces = np.zeros(len(surface.faces), FACE)
    faces["corners"] = surface.vertices[surface.faces]
    write_bytes(path, bytes(80) + len(faces).to_bytes(4, "little") + faces.tobytes())
