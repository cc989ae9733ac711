"""Linear complementarity problems by Lemke's method: find z ≥ 0 with w = M z + q ≥ 0 and z·w = 0."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit

from hydrostat.arrays import Floats, frozen
from hydrostat.errors import InputError
from hydrostat.solvers.dense import product
from hydrostat.solvers.outcome import Outcome

# Entries of the scaled tableau below this are rounding, not pivots.
_PIVOT = 1e-11
# Ratios closer than this fraction tie; the lexicographic rule decides between them, so that no cycle is
# possible.
_TIE = 1e-10
# A solution is solved where |min(z, w)|, scaled, is below this.
_ACCURACY = 1e-7


class LcpStatus(Outcome):
    """How a linear complementarity problem ended."""

    SOLVED = "solved: z, w ≥ 0 and z·w = 0 within 1e-7 of the scaled problem"
    RAY = "ended on a ray: there is no solution, or Lemke's method cannot reach one for this matrix"
    PIVOTS = "stopped at the largest number of pivots"
    INACCURATE = "the pivots ended, but the answer does not fulfil the conditions: the matrix is ill-conditioned"


@dataclass(frozen=True)
class LcpSolution:
    """z (n,) and w = M z + q (n,), which solve the problem where the status is SOLVED.

    residual: the largest |min(z, w)| after scaling, recomputed from M and q. pivots: how many were made.
    """

    z: Floats
    w: Floats
    status: LcpStatus
    pivots: int
    residual: float


def solve_lcp(matrix: Floats, vector: Floats, max_pivots: int | None = None) -> LcpSolution:
    """Solve for ``matrix`` M (n, n) and ``vector`` q (n,), with at most ``max_pivots`` (20 n + 50) pivots."""
    matrix, vector = _checked(matrix, vector)
    rows, columns = _equilibration(matrix)
    size = float(np.abs(rows * vector).max(initial=0.0)) or 1.0
    scaled_matrix, scaled_vector = rows[:, None] * matrix * columns, rows * vector / size
    limit = 20 * vector.size + 50 if max_pivots is None else max_pivots
    scaled_z, pivots, code = _lemke(scaled_matrix, scaled_vector, limit)
    scaled_w = product(scaled_matrix, scaled_z) + scaled_vector
    residual = float(np.abs(np.minimum(scaled_z, scaled_w)).max(initial=0.0))
    status = (LcpStatus.SOLVED, LcpStatus.RAY, LcpStatus.PIVOTS)[code]
    if status is LcpStatus.SOLVED and not residual <= _ACCURACY:
        status = LcpStatus.INACCURATE
    if not np.isfinite(residual):
        scaled_z = np.zeros_like(vector)
        residual = float(np.abs(np.minimum(scaled_vector, 0.0)).max(initial=0.0))
    z = size * columns * scaled_z
    return LcpSolution(z, product(matrix, z) + vector, status, int(pivots), residual)


def _checked(matrix: Floats, vector: Floats) -> tuple[Floats, Floats]:
    matrix, vector = frozen(matrix), frozen(vector)
    if vector.ndim != 1 or matrix.shape != (vector.size, vector.size):
        raise InputError(
            f"matrix {matrix.shape} and vector {vector.shape}",
            "shapes (n, n) and (n,)",
            "pass M and q of w = M z + q",
        )
    for name, array in (("matrix", matrix), ("vector", vector)):
        if not np.isfinite(array).all():
            raise InputError(f"{name} holds a number that is not finite", "numbers", "look where it was computed")
    return matrix, vector


@njit(cache=True)
def _equilibration(matrix):  # type: ignore[no-untyped-def]
    """Positive row and column factors that bring the largest entry of every row and column near 1 (Ruiz)."""
    n = matrix.shape[0]
    rows, columns = np.ones(n), np.ones(n)
    for _ in range(3):
        row_largest, column_largest = np.zeros(n), np.zeros(n)
        for i in range(n):
            for j in range(n):
                size = abs(matrix[i, j]) * rows[i] * columns[j]
                row_largest[i] = max(row_largest[i], size)
                column_largest[j] = max(column_largest[j], size)
        for i in range(n):
            rows[i] /= np.sqrt(row_largest[i]) if row_largest[i] > 0.0 else 1.0
            columns[i] /= np.sqrt(column_largest[i]) if column_largest[i] > 0.0 else 1.0
    return rows, columns


@njit(cache=True)
def _lemke(matrix, vector, max_pivots):  # type: ignore[no-untyped-def]
    """Lemke's method on a dictionary: every basic variable as an affine function of the others.

    Variables are numbered w_0…, z_0…, and 2n for the artificial one, which enters every row with +1.
    Returns z, the number of pivots and 0 solved, 1 ray, 2 too many pivots.
    """
    n = vector.size
    z = np.zeros(n)
    leaving = -1
    for i in range(n):  # the last one of equal minima is the lexicographic choice
        if vector[i] < 0.0 and (leaving < 0 or vector[i] <= vector[leaving]):
            leaving = i
    if leaving < 0:
        return z, 0, 0
    table = np.empty((n, n + 2))
    basic, outside = np.empty(n, dtype=np.int64), np.empty(n + 1, dtype=np.int64)
    place = np.empty(2 * n + 1, dtype=np.int64)  # row of a basic variable; n + column of another one
    for i in range(n):
        for j in range(n):
            table[i, j] = matrix[i, j]
        table[i, n], table[i, n + 1] = 1.0, vector[i]
        basic[i], outside[i] = i, n + i
        place[i], place[n + i] = i, n + i
    outside[n] = place[2 * n] = entering = 2 * n
    for pivot in range(1, max_pivots + 1):
        column = place[entering] - n
        left = basic[leaving]
        _exchange(table, leaving, column)
        basic[leaving], outside[column] = entering, left
        place[entering], place[left] = leaving, n + column
        if left == 2 * n:
            for i in range(n):
                if basic[i] >= n:
                    z[basic[i] - n] = max(table[i, n + 1], 0.0)
            return z, pivot, 0
        entering = left + n if left < n else left - n
        leaving = _leaving_row(table, place[entering] - n, basic, place)
        if leaving < 0:
            return z, pivot, 1
    return z, max_pivots, 2


@njit(cache=True)
def _exchange(table, row, column):  # type: ignore[no-untyped-def]
    """Solve ``row`` for the variable of ``column`` and put it into all other rows."""
    inverse = 1.0 / table[row, column]
    for j in range(table.shape[1]):
        table[row, j] *= -inverse
    table[row, column] = inverse
    for i in range(table.shape[0]):
        factor = table[i, column]
        if i != row and factor != 0.0:
            table[i, column] = 0.0
            for j in range(table.shape[1]):
                table[i, j] += factor * table[row, j]


@njit(cache=True)
def _leaving_row(table, column, basic, place):  # type: ignore[no-untyped-def]
    """The row that first reaches zero as the variable of ``column`` grows; -1 where none does."""
    n = table.shape[0]
    best = np.inf
    for i in range(n):
        if table[i, column] < -_PIVOT:
            best = min(best, max(table[i, n + 1], 0.0) / -table[i, column])
    if best == np.inf:
        return -1
    candidates = np.empty(n, dtype=np.int64)
    count = 0
    for i in range(n):
        if table[i, column] < -_PIVOT and max(table[i, n + 1], 0.0) / -table[i, column] <= best + _TIE * (1.0 + best):
            if basic[i] == 2 * n:
                return i  # the artificial variable can leave: solved
            candidates[count] = i
            count += 1
    # Perturb q by (ε, ε², …): the coefficient of ε^(j+1) in a row is minus that of w_j, or 1 in the row of
    # w_j.
    j = 0
    while count > 1 and j < n:
        smallest = np.inf
        for k in range(count):
            smallest = min(smallest, _perturbation(table, candidates[k], column, place[j]))
        kept = 0
        for k in range(count):
            if _perturbation(table, candidates[k], column, place[j]) <= smallest + _TIE * (1.0 + abs(smallest)):
                candidates[kept] = candidates[k]
                kept += 1
        count = kept
        j += 1
    return candidates[0]


@njit(cache=True)
def _perturbation(table, row, column, place):  # type: ignore[no-untyped-def]
    n = table.shape[0]
    if place >= n:
        return -table[row, place - n] / -table[row, column]
    return 1.0 / -table[row, column] if place == row else 0.0
