"""Isosurface stuffing: tetrahedra straight from a signed distance, without a mesher.

F. Labelle and J. R. Shewchuk, "Isosurface Stuffing: Fast Tetrahedral Meshes with Good Dihedral Angles", 2007. A
body-centred cubic lattice is laid over the shape; lattice points very near the surface are moved onto it, and what
then sticks out is cut off. With the paper's limits of what is near, no dihedral angle is below 10.78° or above 164.8°.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from hydrostat.arrays import Bools, Floats, Ints
from hydrostat.errors import InputError
from hydrostat.geometry.tetrahedra import TetMesh, signed_volumes

Field: TypeAlias = Callable[[Floats], Floats]

# Cuts nearer to a lattice point than these shares of the edge move the point: on edges along an axis, and diagonal.
NEAR_STRAIGHT, NEAR_DIAGONAL = 0.24999, 0.41189
# A lattice with more points than this would take minutes and gigabytes.
MOST_POINTS = 8_000_000
# Points whose distance is asked for at once.
BLOCK = 200_000
# The edges of a lattice tetrahedron in the order in which they are cut: straight ones first, as in the paper. Its
# corners are two cube corners and two cube middles, even before odd: neighbours agree on how they cut common faces.
EDGES = ((0, 1), (2, 3), (0, 2), (0, 3), (1, 2), (1, 3))


@dataclass(frozen=True)
class Lattice:
    """points: (n, 3) m, cube corners first, then cube middles. corners: how many cube corners. tets: (t, 4)."""

    points: Floats
    corners: int
    distance: Floats
    tets: Ints


def stuffed(distance: Field, bounds: Floats, cell: float) -> TetMesh:
    """Tetrahedra that fill the points of negative ``distance`` within ``bounds`` (2, 3) m.

    distance: from points (n, 3) m to signed distances (n,) m. cell: edge of the lattice's cubes, m; what is thinner
    than about two thirds of it gets lost. Pieces that hang together by less than a face are all in the mesh: see
    ``filling.largest_piece``.
    """
    lattice = _lattice(distance, bounds, cell)
    edges, first, share = _cuts(distance, lattice)
    points, side = lattice.points.copy(), np.sign(lattice.distance).astype(np.int64)
    moved, place = _moves(lattice, edges, first, share)
    points[moved], side[moved] = place, 0
    cut = (side[edges] != 0).all(axis=1)
    edges, number = edges[cut], len(points) + np.arange(np.count_nonzero(cut))
    points = np.vstack([points, first[cut]])
    side = np.concatenate([side, np.zeros(len(number), dtype=np.int64)])
    tets = _split(lattice.tets, side, edges, number)
    tets = tets[(side[tets] <= 0).all(axis=1) & (side[tets] < 0).any(axis=1)]
    points, tets = compacted(points, tets)
    backward = signed_volumes(points, tets) < 0
    return TetMesh(points, np.where(backward[:, None], tets[:, [0, 2, 1, 3]], tets))


def _lattice(distance: Field, bounds: Floats, cell: float) -> Lattice:
    """The lattice around ``bounds`` and its tetrahedra with a corner inside."""
    low, high = bounds
    counts = np.ceil((high - low) / cell).astype(np.int64) + 2
    if 2.0 * np.prod(counts.astype(float)) > MOST_POINTS:
        raise InputError(
            f"cells of {cell:g} m in a box of {' × '.join(f'{length:g}' for length in high - low)} m",
            f"at most {MOST_POINTS:g} lattice points",
            "ask for fewer tetrahedra, or thicken what is long and thin",
        )
    origin = (low + high - cell * counts) / 2.0
    shapes = counts + 1, counts
    grids = [np.indices(shape).reshape(3, -1).T for shape in shapes]
    points = origin + cell * np.vstack([grids[0], grids[1] + 0.5])
    values = np.concatenate([distance(points[i : i + BLOCK]) for i in range(0, len(points), BLOCK)])
    corners = len(grids[0])
    even = np.concatenate([grid.sum(axis=1) % 2 == 0 for grid in grids])
    ids = np.arange(corners).reshape(shapes[0]), corners + np.arange(len(grids[1])).reshape(shapes[1])
    tets = [_inside_of(candidate, values < 0, even) for axis in range(3) for candidate in _around(*ids, axis)]
    return Lattice(points, corners, values, np.concatenate(tets))


def _around(corners: Ints, middles: Ints, axis: int) -> list[tuple[Ints, Ints, Ints, Ints]]:
    """The four tetrahedra around every line between two cube middles along ``axis``; arrays that broadcast."""
    corners, middles = np.moveaxis(corners, axis, 0)[1:-1], np.moveaxis(middles, axis, 0)
    square = [corners[:, :-1, :-1], corners[:, 1:, :-1], corners[:, 1:, 1:], corners[:, :-1, 1:]]
    return [(square[i - 1], square[i], middles[:-1], middles[1:]) for i in range(4)]


def _inside_of(candidate: tuple[Ints, Ints, Ints, Ints], inside: Bools, even: Bools) -> Ints:
    """The tetrahedra (t, 4) with a corner inside, the even one of either pair of equal corners first."""
    kept = np.logical_or.reduce([inside[corner] for corner in candidate])
    a, b, c, d = (corner[kept] for corner in candidate)
    return np.stack(
        [np.where(even[a], a, b), np.where(even[a], b, a), np.where(even[c], c, d), np.where(even[c], d, c)], axis=1
    )


def _cuts(distance: Field, lattice: Lattice) -> tuple[Ints, Floats, Floats]:
    """Edges (e, 2) that go through the surface, where (e, 3) m, and at which share of them (e,) from the first end."""
    pairs = np.concatenate([lattice.tets[:, edge] for edge in EDGES])
    inside = lattice.distance[pairs] < 0
    outside = lattice.distance[pairs] > 0
    pairs = np.sort(pairs[(inside.any(axis=1)) & (outside.any(axis=1))], axis=1)
    n = len(lattice.points)
    edges = np.stack(np.divmod(np.unique(pairs[:, 0] * n + pairs[:, 1]), n), axis=1)
    start, way = lattice.points[edges[:, 0]], np.diff(lattice.points[edges], axis=1)[:, 0]
    low, high = lattice.distance[edges].T
    share = low / (low - high)
    # Distances are not linear along the edge: take the line once more, between the point found and the end beyond.
    found = distance(start + share[:, None] * way)
    before = np.sign(found) == np.sign(high)
    near, far = np.where(before, 0.0, share), np.where(before, share, 1.0)
    at_near, at_far = np.where(before, low, found), np.where(before, found, high)
    share = near + (far - near) * at_near / (at_near - at_far)
    return edges, start + share[:, None] * way, share


def _moves(lattice: Lattice, edges: Ints, place: Floats, share: Floats) -> tuple[Ints, Floats]:
    """Lattice points (k,) that are too near to the surface, and where (k, 3) m on it they go: the nearest cut."""
    straight = (edges[:, 0] < lattice.corners) == (edges[:, 1] < lattice.corners)
    limit = np.where(straight, NEAR_STRAIGHT, NEAR_DIAGONAL)
    length = np.where(straight, 1.0, np.sqrt(0.75))
    point = edges.T.ravel()
    off = np.concatenate([share, 1.0 - share])
    near = np.flatnonzero(off < np.tile(limit, 2))
    order = near[np.lexsort((off[near] * np.tile(length, 2)[near], point[near]))]
    moved, first = np.unique(point[order], return_index=True)
    return moved, place[order[first] % len(edges)]


def _split(tets: Ints, side: Ints, edges: Ints, number: Ints) -> Ints:
    """``tets`` with every edge that is cut split there. edges: (e, 2), sorted; number: (e,) the points on them."""
    size = len(side)
    keys = edges[:, 0] * size + edges[:, 1]
    for i, j in EDGES:
        low, high = np.minimum(tets[:, i], tets[:, j]), np.maximum(tets[:, i], tets[:, j])
        crossed = side[low] * side[high] < 0
        new = number[np.searchsorted(keys, (low * size + high)[crossed])]
        first, second = tets[crossed], tets[crossed]
        first[:, i], second[:, j] = new, new
        tets = np.concatenate([tets[~crossed], first, second])
    return tets


def compacted(points: Floats, corners: Ints) -> tuple[Floats, Ints]:
    """The points that ``corners`` (k, c) name, in their order, and the corners numbered among them."""
    used = np.zeros(len(points), dtype=bool)
    used[corners] = True
    return points[used], (np.cumsum(used) - 1)[corners]
