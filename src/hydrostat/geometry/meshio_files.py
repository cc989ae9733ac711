"""Surfaces and tetrahedra in the formats that meshio reads and writes."""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import numpy as np

from hydrostat.arrays import Floats, Ints
from hydrostat.errors import InputError
from hydrostat.geometry.mesh_arrays import MeshArrays, from_polygons, from_tets, refuse
from hydrostat.geometry.surfaces import Surface
from hydrostat.geometry.tetrahedra import TetMesh
from hydrostat.geometry.text_lines import naming

# Named, because meshio alone would write an Ansys file where the suffix is .msh.
FORMATS = {".msh": "gmsh", ".vtu": "vtu", ".vtk": "vtk", ".mesh": "medit"}
# How many nodes of a cell are its corners; the others are middles. None: all of them.
POLYGON_CORNERS = {"triangle": None, "quad": None, "polygon": None, "triangle6": 3, "quad8": 4, "quad9": 4}
IGNORED = ("vertex", "line", "line3")


def read(path: Path) -> MeshArrays:
    """Read one of the ``FORMATS``: its tetrahedra or, where there are none, its polygons."""
    polygons: list[Sequence[int]] = []
    corners, middles = [np.empty((0, 4), dtype=np.int64)], [np.empty(0, dtype=np.int64)]
    with _meshio(path) as meshio:
        # meshio ends the process, where opening the file says what is wrong with it.
        path.open("rb").close()
        mesh = meshio.read(path, FORMATS[path.suffix.lower()])
        points = np.zeros((len(mesh.points), 3))
        points[:, : mesh.points.shape[1]] = mesh.points
        for block in mesh.cells:
            if block.type in POLYGON_CORNERS:
                polygons += [np.asarray(row)[: POLYGON_CORNERS[block.type]].tolist() for row in block.data]
            elif block.type in ("tetra", "tetra10"):
                nodes = np.asarray(block.data, dtype=np.int64)
                corners.append(nodes[:, :4])
                middles.append(nodes[:, 4:].ravel())
            elif block.type not in IGNORED and len(block.data):
                refuse(path, f"{len(block.data)} cells of kind {block.type}", "triangles, polygons or tetrahedra")
        tets = np.concatenate(corners)
    if len(tets):
        return from_tets(path, points, tets, np.concatenate(middles))
    return from_polygons(path, points, polygons)


def write_surface(path: Path, surface: Surface) -> None:
    """Write triangles in one of the ``FORMATS``."""
    _write(path, surface.vertices, "triangle", surface.faces)


def write_tets(path: Path, mesh: TetMesh) -> None:
    """Write tetrahedra in one of the ``FORMATS``."""
    _write(path, mesh.vertices, "tetra", mesh.tets)


def _write(path: Path, vertices: Floats, kind: str, cells: Ints) -> None:
    with _meshio(path) as meshio:
        meshio.Mesh(vertices, [(kind, cells)]).write(path, FORMATS[path.suffix.lower()])


@contextmanager
def _meshio(path: Path) -> Iterator[Any]:
    """meshio, whose printing, exits and errors of any kind become one ``InputError``."""
    import meshio

    printed = io.StringIO()
    try:
        with naming(path), redirect_stdout(printed), redirect_stderr(printed), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield meshio
    except InputError:
        raise
    except (Exception, SystemExit) as error:
        reason = printed.getvalue().strip() or f"{type(error).__name__} {error}".strip()
        refuse(path, " ".join(reason.split())[:200], f"a complete {path.suffix} file")
