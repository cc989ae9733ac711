"""Triangle surfaces: the container, area and volume, and how polygons become triangles."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from hydrostat.arrays import Bools, Floats, Ints
from hydrostat.errors import InputError

# A polygon whose area is below this fraction of its squared size has no usable normal.
FLAT_AREA = 1e-12


@dataclass(frozen=True)
class Surface:
    """A triangle surface; faces are counter-clockwise seen from outside.

    vertices: (n, 3) metres. faces: (f, 3) indices into vertices.
    """

    vertices: Floats
    faces: Ints


def area_vectors(vertices: Floats, faces: Ints) -> Floats:
    """Normal times area of every face, (f, 3) m²."""
    a, b, c = (vertices[faces[:, i]] for i in range(3))
    return np.cross(b - a, c - a) / 2.0


def face_volumes(vertices: Floats, faces: Ints) -> Floats:
    """Signed volume between every face and the first corner, (f,) m³; they sum to the volume inside."""
    corners = vertices[faces] - vertices[faces[:1, :1]]
    volumes: Floats = np.einsum("fi,fi->f", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])) / 6.0
    return volumes


def triangulate(
    vertices: Floats,
    polygons: Sequence[Sequence[int]],
    name: Callable[[int], str] = "polygon {}".format,
) -> tuple[Ints, Ints]:
    """Split planar polygons, convex or not, into triangles with the same winding.

    vertices: (n, 3) m. polygons: corner indices. Returns the triangles (f, 3), in the order of the polygons,
    and the polygon each comes from, (f,). Corners that repeat their predecessor are dropped, then fewer
    than three give no triangle; a polygon without area gives triangles without area; one that crosses itself
    is refused by its ``name``.
    """
    by_size: dict[int, list[int]] = defaultdict(list)
    cleaned = [_without_repeats(polygon) for polygon in polygons]
    for index, polygon in enumerate(cleaned):
        by_size[len(polygon)].append(index)
    faces, owners = [np.empty((0, 3), dtype=np.int64)], [np.empty(0, dtype=np.int64)]
    for size, group in by_size.items():
        if size < 3:
            continue
        members = np.array(group)
        loops = np.array([cleaned[i] for i in group], dtype=np.int64)
        fan = _can_fan(vertices[loops])
        ring = np.arange(1, size - 1)
        corners = np.stack([np.zeros_like(ring), ring, ring + 1], axis=1)
        faces.append(loops[fan][:, corners].reshape(-1, 3))
        owners.append(np.repeat(members[fan], size - 2))
        for index in members[~fan].tolist():
            faces.append(triangulate_region(vertices, [cleaned[index]], name=name(index)))
            owners.append(np.full(len(faces[-1]), index))
    owner = np.concatenate(owners)
    order = np.argsort(owner, kind="stable")
    return np.concatenate(faces)[order], owner[order]


def triangulate_region(
    vertices: Floats,
    loops: Sequence[Sequence[int]],
    holes: Floats | None = None,
    name: str = "the polygon",
) -> Ints:
    """Triangles (f, 3) of the planar region that ``loops`` enclose, without the cells that hold a hole point.

    vertices: (n, 3) m. loops: corner indices; one inside another divides the region but does not cut it out,
    as in TetGen's facets. holes: (h, 3) m, points inside the cells to leave out. The winding is that of the
    largest loop.
    """
    import shapely

    loops = [loop for loop in loops if len(loop) >= 3]
    if not loops:
        return np.empty((0, 3), dtype=np.int64)
    used = np.unique(np.concatenate([np.asarray(loop) for loop in loops]))
    origin, axes = _plane(vertices, loops)
    flat = (vertices[used] - origin) @ axes.T
    index_at = {tuple(point): index for point, index in zip(flat.tolist(), used.tolist(), strict=True)}
    rings = [(vertices[list(loop)] - origin) @ axes.T for loop in loops]
    edges = shapely.union_all([shapely.LineString(np.vstack([ring, ring[:1]])) for ring in rings])
    points = shapely.points((np.reshape([] if holes is None else holes, (-1, 3)) - origin) @ axes.T)
    triangles = []
    for cell in shapely.polygonize([edges]).geoms:
        inside = np.array(shapely.point_on_surface(cell).coords[0])
        if any(_encloses(ring, inside) for ring in rings) and not shapely.contains(cell, points).any():
            triangles += list(shapely.constrained_delaunay_triangles(cell).geoms)
    corners = [triangle.exterior.coords[:3] for triangle in triangles]
    try:
        faces = [[index_at[point] for point in corner] for corner in corners]
    except KeyError:
        raise InputError(
            f"{name} crosses itself",
            "planar polygons whose edges meet at their corners only",
            "triangulate this polygon in a modelling program",
        ) from None
    result = np.array(faces, dtype=np.int64).reshape(-1, 3)
    clockwise = area_vectors(vertices, result) @ np.cross(axes[0], axes[1]) < 0
    result[clockwise] = result[clockwise][:, ::-1]
    return result


def _without_repeats(polygon: Sequence[int]) -> list[int]:
    """The polygon without corners that repeat their predecessor around the ring."""
    return [corner for i, corner in enumerate(polygon) if corner != polygon[i - 1]]


def _newell(corners: Floats) -> Floats:
    """Area vectors, (m, 3) m², of polygons with ``corners`` (m, k, 3) m, planar or nearly so."""
    spokes = corners - corners[:, :1]
    areas: Floats = np.cross(spokes, np.roll(spokes, -1, axis=1)).sum(axis=1) / 2.0
    return areas


def _can_fan(corners: Floats) -> Bools:
    """Which polygons (m, k, 3) m take a fan from their first corner, (m,): the strictly convex, or flat."""
    area = _newell(corners)
    sides = np.roll(corners, -1, axis=1) - corners
    spokes = corners[:, 1:] - corners[:, :1]
    turns = np.einsum("mki,mi->mk", np.cross(sides, np.roll(sides, -1, axis=1)), area)
    fan = np.einsum("mki,mi->mk", np.cross(spokes[:, :-1], spokes[:, 1:]), area)
    scale = np.einsum("mi,mi->m", area, area)
    size = np.ptp(corners, axis=1).max(axis=1)
    flat = np.sqrt(scale) <= FLAT_AREA * size**2
    smallest = np.minimum(turns.min(axis=1), fan.min(axis=1))
    fans: Bools = flat | (corners.shape[1] == 3) | (smallest > 1e-9 * scale)
    return fans


def _plane(vertices: Floats, loops: Sequence[Sequence[int]]) -> tuple[Floats, Floats]:
    """Origin (3,) and unit axes (2, 3) of the plane in which the largest loop runs counter-clockwise."""
    areas = [_newell(vertices[None, list(loop)])[0] for loop in loops]
    largest = int(np.argmax([np.linalg.norm(area) for area in areas]))
    normal = areas[largest] / (np.linalg.norm(areas[largest]) or 1.0)
    first = np.cross(normal, np.eye(3)[np.argmin(np.abs(normal))])
    first /= np.linalg.norm(first) or 1.0
    return vertices[loops[largest][0]], np.array([first, np.cross(normal, first)])


def _encloses(ring: Floats, point: Floats) -> bool:
    """Whether the closed ``ring`` (k, 2) runs around ``point`` (2,) an odd number of times."""
    start, end = ring, np.roll(ring, -1, axis=0)
    spans = (start[:, 1] > point[1]) != (end[:, 1] > point[1])
    start, end = start[spans], end[spans]
    crossing = start[:, 0] + (point[1] - start[:, 1]) * (end[:, 0] - start[:, 0]) / (end[:, 1] - start[:, 1])
    return bool(np.count_nonzero(crossing > point[0]) % 2)
