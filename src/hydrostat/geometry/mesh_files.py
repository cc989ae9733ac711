"""Reading and writing surfaces and tetrahedra, by the suffix of the file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import numpy as np

from hydrostat.errors import InputError
from hydrostat.geometry import meshio_files, obj_files, off_files, ply_files, stl_files, tetgen_files, tetgen_poly
from hydrostat.geometry.mesh_arrays import MeshArrays, check_corners, check_points, from_tets
from hydrostat.geometry.surfaces import Surface
from hydrostat.geometry.tetrahedra import TetMesh, signed_volumes

# A tetrahedron whose volume is below this fraction of its cubed size has none.
NO_VOLUME = 1e-12


def read_surface(path: str | Path) -> Surface:
    """Read a surface, or the boundary of the tetrahedra, from any of the ``READERS``.

    Vertices keep their order; the corners of an .stl file are merged where they coincide. A surface has no
    place for the points that mark the cavities in a .poly or .smesh file: ``tetgen_poly.surface_of`` says what
    becomes of them.
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
    check_points(path, arrays.vertices)
    check_corners(path, "face", arrays.faces, len(arrays.vertices))
    check_corners(path, "tetrahedron", arrays.tets, len(arrays.vertices))
    return arrays


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
            f"{path.name} has the suffix {suffix!r}" if suffix else f"{str(path)!r} has no suffix",
            f"one of {' '.join(table)}",
            "convert the file, or give it the suffix of its format",
        )
    return table[suffix]


def _read_complex(path: Path) -> MeshArrays:
    file = tetgen_poly.read_poly(path) if path.suffix.lower() == ".poly" else tetgen_poly.read_smesh(path)
    check_points(path, file.nodes.points)
    surface = tetgen_poly.surface_of(file, path.name)
    return MeshArrays(surface.vertices, surface.faces)


def _read_node_and_ele(path: Path) -> MeshArrays:
    nodes = tetgen_files.read_node(path.with_suffix(".node"))
    tets = tetgen_files.read_ele(path.with_suffix(".ele"), nodes).tets
    return from_tets(path, nodes.points, tets[:, :4], tets[:, 4:])


def _write_node_and_ele(path: Path, mesh: TetMesh) -> None:
    nodes = tetgen_files.NodeFile(mesh.vertices, np.empty((len(mesh.vertices), 0)))
    tetgen_files.write_node(path.with_suffix(".node"), nodes)
    tets = tetgen_files.EleFile(mesh.tets, np.empty((len(mesh.tets), 0)))
    tetgen_files.write_ele(path.with_suffix(".ele"), tets)


READERS: dict[str, Callable[[Path], MeshArrays]] = {
    ".obj": obj_files.read,
    ".off": off_files.read,
    ".stl": stl_files.read,
    ".ply": ply_files.read,
    ".poly": _read_complex,
    ".smesh": _read_complex,
    ".node": _read_node_and_ele,
    ".ele": _read_node_and_ele,
    **dict.fromkeys(meshio_files.FORMATS, meshio_files.read),
}

SURFACE_WRITERS: dict[str, Callable[[Path, Surface], None]] = {
    ".obj": obj_files.write,
    ".off": off_files.write,
    ".stl": stl_files.write,
    ".ply": ply_files.write,
    ".poly": lambda path, surface: tetgen_poly.write_poly(path, tetgen_poly.poly_of(surface)),
    ".smesh": lambda path, surface: tetgen_poly.write_smesh(path, tetgen_poly.poly_of(surface)),
    **dict.fromkeys(meshio_files.FORMATS, meshio_files.write_surface),
}

TET_WRITERS: dict[str, Callable[[Path, TetMesh], None]] = {
    ".node": _write_node_and_ele,
    ".ele": _write_node_and_ele,
    **dict.fromkeys(meshio_files.FORMATS, meshio_files.write_tets),
}
