"""Direction-dependent Coulomb friction on eight directions: its polygon, edges and facets.

The friction impulse of a contact with normal impulse p_n is (T2012's D S f∥, section 8, with f∥ written as β)

    p_t = Σ_k β_k μ_k d_k,   β ≥ 0,   Σ_k β_k ≤ p_n,

so p_t / p_n ranges over the polygon conv{μ_k d_k}: because the d_k surround the origin, the origin is
always inside it or, where some μ_k is zero, one of its points. A point μ_k d_k inside the hull of the
others is a generator that is never needed; a segment (friction along one line) and a single point (no
friction) are polygons of two and of one corner.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from hydrostat.arrays import Bools, Floats, Ints

_ANGLES = np.arange(8) * (np.pi / 4)
# The eight unit directions d_k in a contact's tangent plane (tangent 1, tangent 2), 45° apart,
# counter-clockwise.
DIRECTIONS: Floats = np.round(np.stack([np.cos(_ANGLES), np.sin(_ANGLES)], axis=1), 16)

# Corners closer than this fraction of the polygon's size to a line or a corner lie on it.
_FLAT = 1e-12
_FACETS = 9


class FrictionPolygons(NamedTuple):
    """The polygons conv{μ_k d_k} of c contacts; corners are numbered by their direction k.

    corners: (c, 8, 2) the points μ_k d_k. successors, predecessors: (c, 8) the next and the previous corner
    counter-clockwise, -1 where μ_k d_k is not a corner; a single point is its own successor. edges: (c, 8,
    2) unit vectors from corner k to its successor, zero where there is none. offsets: (c, 8) distance ≥ 0
    of that edge's line from the origin. facets: (c, 9, 3) rows r with r·p ≥ 0 for an impulse p inside the
    cone, or r·p = 0 where fixed (c, 9) is true; unused rows are zero.
    """

    corners: Floats
    successors: Ints
    predecessors: Ints
    edges: Floats
    offsets: Floats
    facets: Floats
    fixed: Bools


def isotropic(coefficients: Floats) -> Floats:
    """The (c, 8) friction of contacts with the same coefficient in all directions, from (c,) coefficients."""
    return np.repeat(np.asarray(coefficients, dtype=np.float64)[:, None], 8, axis=1)


def friction_polygons(friction: Floats) -> FrictionPolygons:
    """The polygons of ``friction`` (c, 8) ≥ 0."""
    return FrictionPolygons(*_polygons(friction, DIRECTIONS))


@njit(cache=True)
def _polygons(friction, directions):  # type: ignore[no-untyped-def]
    count = friction.shape[0]
    corners = np.empty((count, 8, 2))
    successors = np.full((count, 8), -1)
    predecessors = np.full((count, 8), -1)
    edges = np.zeros((count, 8, 2))
    offsets = np.zeros((count, 8))
    facets = np.zeros((count, _FACETS, 3))
    fixed = np.zeros((count, _FACETS), dtype=np.bool_)
    for i in range(count):
        for k in range(8):
            corners[i, k, 0] = friction[i, k] * directions[k, 0]
            corners[i, k, 1] = friction[i, k] * directions[k, 1]
        _wrap(corners[i], successors[i])
        for k in range(8):
            after = successors[i, k]
            if after < 0:
                continue
            predecessors[i, after] = k
            if after != k:
                x = corners[i, after, 0] - corners[i, k, 0]
                y = corners[i, after, 1] - corners[i, k, 1]
                length = np.hypot(x, y)
                edges[i, k, 0], edges[i, k, 1] = x / length, y / length
                offsets[i, k] = max(0.0, (y * corners[i, k, 0] - x * corners[i, k, 1]) / length)
        _facets(corners[i], successors[i], edges[i], offsets[i], facets[i], fixed[i])
    return corners, successors, predecessors, edges, offsets, facets, fixed


@njit(cache=True)
def _wrap(points, successors):  # type: ignore[no-untyped-def]
    """Wrap the hull of ``points`` counter-clockwise, from the farthest point, which is surely a corner."""
    start, area = 0, 0.0
    for k in range(8):
        square = points[k, 0] * points[k, 0] + points[k, 1] * points[k, 1]
        if square > area:
            start, area = k, square
    current = start
    for _ in range(8):
        following = _next_corner(points, current, area)
        successors[current] = following
        current = following
        if current == start:
            break


@njit(cache=True)
def _next_corner(points, current, area):  # type: ignore[no-untyped-def]
    """The corner after ``current``: no point lies to the right of the line to it, and none on it farther."""
    best = current
    best_x = best_y = 0.0
    for j in range(8):
        x = points[j, 0] - points[current, 0]
        y = points[j, 1] - points[current, 1]
        length = x * x + y * y
        if length <= _FLAT * _FLAT * area:
            continue
        turn = best_x * y - best_y * x
        farther = abs(turn) <= _FLAT * area and length > best_x * best_x + best_y * best_y
        if turn < -_FLAT * area or farther:
            best, best_x, best_y = j, x, y
    return best


@njit(cache=True)
def _facets(corners, successors, edges, offsets, facets, fixed):  # type: ignore[no-untyped-def]
    facets[0, 0] = 1.0
    row = 1
    for k in range(8):
        after = successors[k]
        if after < 0:
            continue
        x, y = edges[k, 0], edges[k, 1]
        if after == k:  # a point: no tangential impulse at all
            facets[1, 1], facets[2, 2] = 1.0, 1.0
            fixed[1] = fixed[2] = True
        elif successors[after] != k:
            facets[row, 0], facets[row, 1], facets[row, 2] = offsets[k], -y, x
            row += 1
        else:  # a segment, seen from either end: in front of this end, and on the line
            facets[row, 0], facets[row, 1], facets[row, 2] = -(x * corners[k, 0] + y * corners[k, 1]), x, y
            facets[3, 1], facets[3, 2] = -y, x
            fixed[3] = True
            row += 1
