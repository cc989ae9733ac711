"""Small loops of the rollout over arrays (3, k): sums of rows, copies."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np


@numba.njit(cache=True)
def blend(coefficients: Any, rows: Any, result: Any) -> None:
    """result (3, c) = coefficients (3, r) @ rows (r, c)."""
    for i in range(3):
        for j in range(rows.shape[1]):
            result[i, j] = 0.0
    add_blend(coefficients, rows, result)


@numba.njit(cache=True, fastmath={"contract"})
def add_blend(coefficients: Any, rows: Any, result: Any) -> None:
    """result (3, c) += coefficients (3, r) @ rows (r, c), four rows at a time to read and write the result less."""
    count, whole = rows.shape[0], rows.shape[0] - rows.shape[0] % 4
    for r in range(0, whole, 4):
        for i in range(3):
            a, b = coefficients[i, r], coefficients[i, r + 1]
            c, d = coefficients[i, r + 2], coefficients[i, r + 3]
            for j in range(rows.shape[1]):
                result[i, j] += a * rows[r, j] + b * rows[r + 1, j] + c * rows[r + 2, j] + d * rows[r + 3, j]
    for r in range(whole, count):
        for i in range(3):
            a = coefficients[i, r]
            for j in range(rows.shape[1]):
                result[i, j] += a * rows[r, j]


@numba.njit(cache=True)
def add_pushes(forces: Any, answers: Any, result: Any) -> None:
    """result (3, c) += forces (3, s) @ answers (s, c); most forces are zero."""
    for s in range(answers.shape[0]):
        if forces[0, s] != 0.0 or forces[1, s] != 0.0 or forces[2, s] != 0.0:
            for i in range(3):
                for j in range(answers.shape[1]):
                    result[i, j] += forces[i, s] * answers[s, j]


@numba.njit(cache=True)
def copy(source: Any, result: Any) -> None:
    """result (3, c) = source (3, c); a slice would make numba compile the words of its error message."""
    for i in range(3):
        for j in range(source.shape[1]):
            result[i, j] = source[i, j]


@numba.njit(cache=True)
def add(source: Any, result: Any) -> None:
    """result (c,) += source (c,)."""
    for i in range(len(source)):
        result[i] += source[i]


@numba.njit(cache=True)
def copy_frame(z: Any, w: Any, coordinates: Any, velocities: Any, frame: int) -> None:
    """Write coordinates and velocities (3, k) to their frame of (T, k, 3)."""
    for i in range(3):
        for u in range(z.shape[1]):
            coordinates[frame, u, i] = z[i, u]
            velocities[frame, u, i] = w[i, u]


@numba.njit(cache=True)
def copy_impulses(forces: Any, dt: float, impulses: Any, step: int) -> None:
    """Write dt × forces (3, s) to their step of (T, s, 3)."""
    for i in range(3):
        for s in range(forces.shape[1]):
            impulses[step, s, i] = dt * forces[i, s]


@numba.njit(cache=True)
def finite(z: Any, w: Any) -> bool:
    """Whether all of z and w (3, k) are numbers."""
    for i in range(3):
        for u in range(z.shape[1]):
            if not (np.isfinite(z[i, u]) and np.isfinite(w[i, u])):
                return False
    return True
