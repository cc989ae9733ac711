"""The 18 pieces of a contact: where it is on one piece, its conditions are linear.

With w the relative velocity after the step and p the impulse (normal, tangent 1, tangent 2):

    FREE               p = 0                                  w_n + clearance ≥ 0
    STICK              w_n = -clearance, w_t = 0              p inside the friction cone
    SLIDE_ALONG + k    w_n = -clearance, p_t = p_n μ_k d_k    p_n ≥ 0, -w_t in the normal cone of corner k
    SLIDE_BETWEEN + k  w_n = -clearance, no w_t along the     p_t between the two corners, -w_t outwards
                       edge from corner k to its successor,
                       p_t on that edge

Each piece is three equations and a few inequalities. A contact without friction has FREE, STICK and one
SLIDE_ALONG; a corner that is not on the hull has no pieces.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from hydrostat.arrays import Ints

FREE, STICK, SLIDE_ALONG, SLIDE_BETWEEN = 0, 1, 2, 10
PIECES = 18
# Contact modes: what a piece is in plain words.
MODE_FREE, MODE_STICK, MODE_SLIDE = 0, 1, 2


def modes_of(pieces: Ints) -> Ints:
    """Modes (c,), 0 free, 1 stick, 2 slide, of ``pieces`` (c,)."""
    return np.minimum(pieces, MODE_SLIDE)


@njit(cache=True)
def exist(pieces, polygons):  # type: ignore[no-untyped-def]
    """Whether every contact has the piece (c,) it is said to be on."""
    for i in range(pieces.size):
        piece = pieces[i]
        if piece < 0 or piece >= PIECES:
            return False
        if piece >= SLIDE_ALONG:
            corner = (piece - SLIDE_ALONG) % 8
            after = polygons.successors[i, corner]
            if after < 0 or (piece >= SLIDE_BETWEEN and after == corner):
                return False
    return True


@njit(cache=True)
def equations(pieces, delassus, constants, clearance, polygons):  # type: ignore[no-untyped-def]
    """The square system A p = B of ``pieces``, where w = constants[:, 0] + constants[:, 1:] u + W p.

    constants: (3c, 1 + m), so that p = P[:, 0] + P[:, 1:] u with P = A⁻¹ B, (3c, 1 + m). Returns A (3c, 3c)
    and B.
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
    second = min(first + 1, delassus.shape[0] - 1)  # the last row has no second one, and needs none
    for j in range(delassus.shape[1]):
        matrix[row, j] = a * delassus[first, j] + b * delassus[second, j]
    for j in range(constants.shape[1]):
        right[row, j] = -a * constants[first, j] - b * constants[second, j]
