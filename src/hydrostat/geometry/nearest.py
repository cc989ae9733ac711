"""The nearest point of a surface."""

from __future__ import annotations

import numpy as np

from hydrostat.arrays import Floats, Ints

# Points are taken in blocks, so that the pairs of point and candidate face stay few in memory.
BLOCK = 2048


def nearest_on_faces(points: Floats, vertices: Floats, faces: Ints) -> tuple[Ints, Floats]:
    """For every point (k, 3) m the nearest face, (k,), and the nearest point on it, (k, 3) m."""
    from scipy.spatial import cKDTree

    corners = vertices[faces]
    middles = corners.mean(axis=1)
    # No point of a face is further from its middle than its furthest corner.
    radius = np.linalg.norm(corners - middles[:, None], axis=2).max()
    tree = cKDTree(middles)
    face, place = np.empty(len(points), dtype=np.int64), np.empty((len(points), 3))
    for begin in range(0, len(points), BLOCK):
        block = points[begin : begin + BLOCK]
        at_most, _ = tree.query(block)
        candidates = tree.query_ball_point(block, at_most * (1 + 1e-12) + radius)
        owner = np.repeat(np.arange(len(block)), [len(found) for found in candidates])
        candidate = np.concatenate([np.asarray(found, dtype=np.int64) for found in candidates])
        close = nearest_on_triangles(block[owner], corners[candidate])
        distance = np.linalg.norm(close - block[owner], axis=1)
        order = np.lexsort((candidate, distance, owner))
        best = order[np.searchsorted(owner[order], np.arange(len(block)))]
        face[begin : begin + BLOCK], place[begin : begin + BLOCK] = candidate[best], close[best]
    return face, place


def nearest_on_triangles(points: Floats, corners: Floats) -> Floats:
    """The nearest point, (k, 3) m, of triangle ``corners[i]`` (3, 3) m to ``points[i]`` (3,) m."""
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    square = np.einsum("ki,ki->k", normal, normal)
    safe = np.where(square > 0, square, 1.0)
    height = np.einsum("ki,ki->k", points - corners[:, 0], normal) / safe
    best = points - height[:, None] * normal
    inside = square > 0
    on_sides = []
    for i in range(3):
        start, side = corners[:, i], corners[:, (i + 1) % 3] - corners[:, i]
        from_start = points - start
        inside &= np.einsum("ki,ki->k", np.cross(side, from_start), normal) >= 0
        length = np.einsum("ki,ki->k", side, side)
        share = np.einsum("ki,ki->k", from_start, side) / np.where(length > 0, length, 1.0)
        on_sides.append(start + np.clip(share, 0.0, 1.0)[:, None] * side)
    sides = np.array(on_sides)
    nearest = np.linalg.norm(sides - points, axis=2).argmin(axis=0)
    result: Floats = np.where(inside[:, None], best, sides[nearest, np.arange(len(points))])
    return result
