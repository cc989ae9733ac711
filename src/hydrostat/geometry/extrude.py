"""From a flat outline to a closed surface."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hydrostat.arrays import Floats, Ints
from hydrostat.errors import InputError
from hydrostat.geometry.surfaces import Surface, area_vectors

if TYPE_CHECKING:
    from shapely import Polygon


def extrude(outline: Polygon, depth: float) -> Surface:
    """The solid between ``outline``, holes included, at z = −depth/2 and at z = depth/2; metres."""
    if not depth > 0:
        raise InputError(f"depth is {depth:g} m", "a length above 0", "pass depth=0.25, for example")
    corners, cap = triangulated(outline)
    count = len(corners)
    back, front = (np.column_stack([corners, np.full(count, z)]) for z in (-depth / 2, depth / 2))
    start, end = _rim(cap)
    walls = [np.column_stack([start, end, end + count]), np.column_stack([start, end + count, start + count])]
    return Surface(np.vstack([back, front]), np.vstack([cap[:, ::-1], cap + count, *walls]))


def triangulated(outline: Polygon) -> tuple[Floats, Ints]:
    """Corners of the outline, (n, 2) m, and triangles over them only, (f, 3), counter-clockwise."""
    import shapely

    triangles = shapely.get_parts(shapely.constrained_delaunay_triangles(outline))
    # Every triangle is a ring of four points, the last equal to the first.
    points = shapely.get_coordinates(triangles).reshape(-1, 4, 2)[:, :3].reshape(-1, 2)
    corners, faces = np.unique(points, axis=0, return_inverse=True)
    faces = faces.reshape(-1, 3)
    flat = np.column_stack([corners, np.zeros(len(corners))])
    clockwise = area_vectors(flat, faces)[:, 2] < 0
    return corners, np.where(clockwise[:, None], faces[:, ::-1], faces)


def _rim(faces: Ints) -> tuple[Ints, Ints]:
    """Start and end, (e,) each, of the directed edges that no other face runs back along."""
    start, end = faces.ravel(), np.roll(faces, -1, axis=1).ravel()
    size = faces.max() + 1
    outer = ~np.isin(start * size + end, end * size + start)
    return start[outer], end[outer]
