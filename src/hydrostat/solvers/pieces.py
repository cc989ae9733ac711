"""The 18 pieces of a contact: where it is on one piece, its conditions are linear.

With w the relative velocity after the step and p the impulse (normal, tangent 1, tangent 2):

    FREE               p = 0                                          w_n + clearance ≥ 0
    STICK              w_n = -clearance, w_t = 0                      p inside the friction cone
    SLIDE_ALONG + k    w_n = -clearance, p_t = p_n μ_k d_k            p_n ≥ 0, -w_t in the normal cone of corner k
    SLIDE_BETWEEN + k  w_n = -clearance, p_t on the edge from corner  p_t between the two corners,
                       k to its successor, no velocity along it       -w_t outwards

Each piece is three equations and a few inequalities. A contact without friction has FREE, STICK and one
SLIDE_ALONG; a corner that is not on the hull has no pieces.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from hydrostat.arrays import Ints
from hydrostat.solvers.friction import FrictionPolygons

FREE, STICK, SLIDE_ALONG, SLIDE_BETWEEN = 0, 1, 2, 10
PIECES = 18
# Contact modes: what a piece is in plain words.
MODE_FREE, MODE_STICK, MODE_SLIDE = 0, 1, 2


def modes_of(pieces: Ints) -> Ints:
    """Modes (c,), 0 free, 1 stick, 2 slide, of ``pieces`` (c,)."""
    return np.minimum(pieces, MODE_SLIDE)


def exist(pieces: Ints, polygons: FrictionPolygons) -> bool:
    """Whether every contact has the piece (c,) it is said to be on."""
    if np.any((pieces < 0) | (pieces >= PIECES)):
        return False
    corner = (pieces - SLIDE_ALONG) % 8
    after = np.take_along_axis(polygons.successors, corner[:, None], axis=1)[:, 0]
    sliding, on_edge = pieces >= SLIDE_ALONG, pieces >= SLIDE_BETWEEN
    return not np.any((sliding & (after < 0)) | (on_edge & (after == corner)))


@njit(cache=True)
def equations(pieces, delassus, constants, clearance, polygons):  # type: ignore[no-untyped-def]
    """The square system A p = B of ``pieces``, where w = constants[:, 0] + constants[:, 1:] u + W p.

    constants: (3c, 1 + m), so that p = P[:, 0] + P[:, 1:] u with P = A⁻¹ B, (3c, 1 + m). Returns A (3c, 3c) and B.
    """
    size = delassus.shape[0]
    matrix = np.zeros((size, size))
    right = np.zeros(constants.shape)
    for i in range(pieces.size):
        n = 3 * i
        piece = pieces[i]
        if piece == FREE:
            for row in range(n, n + 3):
                matrix[row, row] = 1.0
            continue
        _velocity_row(matrix, right, n, n, 1.0, 0.0, delassus, constants)
        right[n, 0] -= clearance[i]
        if piece == STICK:
            _velocity_row(matrix, right, n + 1, n + 1, 1.0, 0.0, delassus, constants)
            _velocity_row(matrix, right, n + 2, n + 1, 0.0, 1.0, delassus, constants)
        elif piece < SLIDE_BETWEEN:
            k = piece - SLIDE_ALONG
            for axis in range(2):
                matrix[n + 1 + axis, n] = -polygons.corners[i, k, axis]
                matrix[n + 1 + axis, n + 1 + axis] = 1.0
        else:
            k = piece - SLIDE_BETWEEN
            x, y = polygons.edges[i, k]
            matrix[n + 1, n] = -polygons.offsets[i, k]
            matrix[n + 1, n + 1] = y
            matrix[n + 1, n + 2] = -x
            _velocity_row(matrix, right, n + 2, n + 1, x, y, delassus, constants)
    return matrix, right


@njit(cache=True)
def _velocity_row(matrix, right, row, first, a, b, delassus, constants):  # type: ignore[no-untyped-def]
    """Write a·w[first] + b·w[first + 1] = 0 as ``row`` of the system in p."""
    if b == 0.0:  # also keeps first + 1 inside the array for the normal rows of the last contact
        matrix[row] = a * delassus[first]
        right[row] = -a * constants[first]
    else:
        matrix[row] = a * delassus[first] + b * delassus[first + 1]
        right[row] = -a * constants[first] - b * constants[first + 1]


@njit(cache=True)
def inequalities(pieces, impulses, velocities, clearance, polygons):  # type: ignore[no-untyped-def]
    """The remaining conditions of ``pieces`` as rows: row[0] + row[1:] u ≥ 0, or = 0 where fixed.

    impulses, velocities: (3c, 1 + m), p and w as affine functions of u. Returns rows (r, 1 + m) and fixed (r,).
    """
    rows = np.empty((9 * pieces.size, impulses.shape[1]))
    fixed = np.zeros(9 * pieces.size, dtype=np.bool_)
    count = 0
    for i in range(pieces.size):
        piece = pieces[i]
        p, w = impulses[3 * i : 3 * i + 3], velocities[3 * i : 3 * i + 3]
        if piece == FREE:
            rows[count] = w[0]
            rows[count, 0] += clearance[i]
            count += 1
        elif piece == STICK:
            for facet in range(9):
                a, b, c = polygons.facets[i, facet]
                if a != 0.0 or b != 0.0 or c != 0.0:
                    rows[count] = a * p[0] + b * p[1] + c * p[2]
                    fixed[count] = polygons.fixed[i, facet]
                    count += 1
        elif piece < SLIDE_BETWEEN:
            k = piece - SLIDE_ALONG
            rows[count] = p[0]
            count += 1
            if polygons.successors[i, k] != k:
                x, y = polygons.edges[i, k]
                rows[count] = x * w[1] + y * w[2]
                x, y = polygons.edges[i, polygons.predecessors[i, k]]
                rows[count + 1] = -x * w[1] - y * w[2]
                count += 2
        else:
            k = piece - SLIDE_BETWEEN
            x, y = polygons.edges[i, k]
            start, end = polygons.corners[i, k], polygons.corners[i, polygons.successors[i, k]]
            along = x * p[1] + y * p[2]
            rows[count] = along - (x * start[0] + y * start[1]) * p[0]
            rows[count + 1] = (x * end[0] + y * end[1]) * p[0] - along
            rows[count + 2] = x * w[2] - y * w[1]
            count += 3
    return rows[:count], fixed[:count]
