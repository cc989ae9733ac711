"""What a mesh file holds, and the checks that every format shares."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn

import numpy as np

from hydrostat.arrays import Floats, Ints
from hydrostat.errors import InputError
from hydrostat.geometry.surfaces import triangulate

# Coordinates beyond this overflow where areas are squared, and are damage in any file.
LARGEST = 1e30


@dataclass(frozen=True)
class MeshArrays:
    """What a file holds: vertices (n, 3) m and either tets (t, 4) or faces (f, 3), as they stand there.

    Polygons are split into triangles and the middles of quadratic elements left out; nothing is repaired.
    """

    vertices: Floats
    faces: Ints = field(default_factory=lambda: np.empty((0, 3), dtype=np.int64))
    tets: Ints = field(default_factory=lambda: np.empty((0, 4), dtype=np.int64))


def refuse(path: Path, given: str, expected: str) -> NoReturn:
    """Refuse the whole file."""
    raise InputError(f"{path.name}: {given}", expected, "export the mesh again")


def check_points(path: Path, points: Floats) -> None:
    """Refuse coordinates that are not finite, or astronomic."""
    bad = np.flatnonzero(~(np.abs(points) <= LARGEST).all(axis=1))
    if len(bad):
        given = f"{len(bad)} vertices are not finite or astronomic, the first has index {bad[0]}"
        refuse(path, given, f"coordinates within {LARGEST:g} m")


def check_corners(path: Path, name: str, corners: Ints, vertices: int) -> None:
    """Refuse corners (k, c) that are none of ``vertices``; ``name`` is what they are corners of."""
    wrong = np.flatnonzero(((corners < 0) | (corners >= vertices)).any(axis=1))
    if len(wrong):
        given = f"{name} {wrong[0]} has corners {corners[wrong[0]].tolist()}"
        refuse(path, given, f"indices from 0 to {vertices - 1}")


def from_polygons(
    path: Path, points: Floats, polygons: Sequence[Sequence[int]], name: Callable[[int], str] | None = None
) -> MeshArrays:
    """Polygons split into triangles; ``name`` calls one that crosses itself by the place it stands at."""
    points = points.reshape(-1, 3)
    check_points(path, points)
    if any(not 0 <= corner < len(points) for polygon in polygons for corner in polygon):
        refuse(path, "a polygon has a corner that is no vertex", f"indices from 0 to {len(points) - 1}")
    faces, _ = triangulate(points, polygons, name or f"{path.name}: polygon {{}}".format)
    return MeshArrays(points, faces)


def from_tets(path: Path, points: Floats, tets: Ints, middles: Ints) -> MeshArrays:
    """Tetrahedra (t, 4) without the points that are only ``middles`` of their edges."""
    check_corners(path, "tetrahedron", tets, len(points))
    if middles.size == 0:
        return MeshArrays(points, tets=tets)
    kept = np.setdiff1d(np.arange(len(points)), np.setdiff1d(middles, tets))
    return MeshArrays(points[kept], tets=np.searchsorted(kept, tets))
