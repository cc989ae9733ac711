"""Best rotations of the clusters: polar decomposition by Newton's method on unit quaternions, warm-started.

All clusters stand side by side: H and R are (3, 3c), cluster c in columns 3c to 3c + 2.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np

# Newton squares its error, so after a turn this small (radians) the rotation is right to about its square.
SMALL_TURN = 1e-2
NEWTON_STEPS = 12


@numba.njit(cache=True, fastmath={"contract"})
def turn_to_best(covariances: Any, quaternions: Any, rotations: Any) -> None:
    """Turn every R_c and its quaternion (w, x, y, z) to the rotation that maximises tr(R_cᵀ H_c). B2024-(12)"""
    for c in range(len(quaternions)):
        turn = np.inf
        for _ in range(NEWTON_STEPS):
            turn = _newton_turn(covariances, rotations, quaternions, c)
            if turn < SMALL_TURN * SMALL_TURN:
                break
            _write_rotation(quaternions, c, rotations)
        if not 0.0 <= turn < SMALL_TURN * SMALL_TURN:
            _decompose(covariances, c, quaternions)
        _write_rotation(quaternions, c, rotations)


@numba.njit(cache=True)
def write_rotations(quaternions: Any, rotations: Any) -> None:
    """The matrices of ``quaternions`` (c, 4) side by side, (3, 3c)."""
    for c in range(len(quaternions)):
        _write_rotation(quaternions, c, rotations)


@numba.njit(cache=True, inline="always")
def _newton_turn(h: Any, r: Any, quaternions: Any, c: int) -> float:
    """One Newton step: solve (tr S I − sym S) ω = axial(S) with S = RᵀH, and turn by ω.

    Returns |ω|², or −1 where the matrix is not positive definite or the turn is large: then R is far from the best.
    At a stationary R it is positive definite for the best rotation only, also where H is inverted.
    """
    n = 3 * c
    s00 = r[0, n] * h[0, n] + r[1, n] * h[1, n] + r[2, n] * h[2, n]
    s01 = r[0, n] * h[0, n + 1] + r[1, n] * h[1, n + 1] + r[2, n] * h[2, n + 1]
    s02 = r[0, n] * h[0, n + 2] + r[1, n] * h[1, n + 2] + r[2, n] * h[2, n + 2]
    s10 = r[0, n + 1] * h[0, n] + r[1, n + 1] * h[1, n] + r[2, n + 1] * h[2, n]
    s11 = r[0, n + 1] * h[0, n + 1] + r[1, n + 1] * h[1, n + 1] + r[2, n + 1] * h[2, n + 1]
    s12 = r[0, n + 1] * h[0, n + 2] + r[1, n + 1] * h[1, n + 2] + r[2, n + 1] * h[2, n + 2]
    s20 = r[0, n + 2] * h[0, n] + r[1, n + 2] * h[1, n] + r[2, n + 2] * h[2, n]
    s21 = r[0, n + 2] * h[0, n + 1] + r[1, n + 2] * h[1, n + 1] + r[2, n + 2] * h[2, n + 1]
    s22 = r[0, n + 2] * h[0, n + 2] + r[1, n + 2] * h[1, n + 2] + r[2, n + 2] * h[2, n + 2]
    a, b, d = s11 + s22, s00 + s22, s00 + s11
    x, y, z = -0.5 * (s01 + s10), -0.5 * (s02 + s20), -0.5 * (s12 + s21)
    c00, c01, c02 = b * d - z * z, y * z - x * d, x * z - y * b
    det = a * c00 + x * c01 + y * c02
    if not (a > 0.0 and a * b > x * x and det > 0.0):
        return -1.0
    gx, gy, gz = s21 - s12, s02 - s20, s10 - s01
    half = 0.5 / det
    wx = half * (c00 * gx + c01 * gy + c02 * gz)
    wy = half * (c01 * gx + (a * d - y * y) * gy + (x * y - a * z) * gz)
    wz = half * (c02 * gx + (x * y - a * z) * gy + (a * b - x * x) * gz)
    square = wx * wx + wy * wy + wz * wz
    if not square < 0.25:
        return -1.0
    q0, q1, q2, q3 = quaternions[c, 0], quaternions[c, 1], quaternions[c, 2], quaternions[c, 3]
    p0 = q0 - q1 * wx - q2 * wy - q3 * wz
    p1 = q1 + q0 * wx + q2 * wz - q3 * wy
    p2 = q2 + q0 * wy + q3 * wx - q1 * wz
    p3 = q3 + q0 * wz + q1 * wy - q2 * wx
    scale = 1.0 / np.sqrt(p0 * p0 + p1 * p1 + p2 * p2 + p3 * p3)
    quaternions[c, 0], quaternions[c, 1] = scale * p0, scale * p1
    quaternions[c, 2], quaternions[c, 3] = scale * p2, scale * p3
    return 4.0 * square


@numba.njit(cache=True, inline="always")
def _write_rotation(quaternions: Any, c: int, rotations: Any) -> None:
    w, x, y, z = quaternions[c, 0], quaternions[c, 1], quaternions[c, 2], quaternions[c, 3]
    n = 3 * c
    rotations[0, n] = 1.0 - 2.0 * (y * y + z * z)
    rotations[0, n + 1] = 2.0 * (x * y - w * z)
    rotations[0, n + 2] = 2.0 * (x * z + w * y)
    rotations[1, n] = 2.0 * (x * y + w * z)
    rotations[1, n + 1] = 1.0 - 2.0 * (x * x + z * z)
    rotations[1, n + 2] = 2.0 * (y * z - w * x)
    rotations[2, n] = 2.0 * (x * z - w * y)
    rotations[2, n + 1] = 2.0 * (y * z + w * x)
    rotations[2, n + 2] = 1.0 - 2.0 * (x * x + y * y)


@numba.njit(cache=True)
def _decompose(covariances: Any, c: int, quaternions: Any) -> None:
    """Davenport's way: the best quaternion is the eigenvector of the largest eigenvalue of a 4×4 matrix of H."""
    h = np.empty((3, 3))
    for i in range(3):
        for j in range(3):
            h[i, j] = covariances[i, 3 * c + j]
    k = np.empty((4, 4))
    k[0, 0] = h[0, 0] + h[1, 1] + h[2, 2]
    k[1, 0], k[2, 0], k[3, 0] = h[2, 1] - h[1, 2], h[0, 2] - h[2, 0], h[1, 0] - h[0, 1]
    for i in range(3):
        k[0, i + 1] = k[i + 1, 0]
        for j in range(3):
            k[i + 1, j + 1] = h[i, j] + h[j, i]
        k[i + 1, i + 1] -= k[0, 0]
    if not np.isfinite(k).all():  # the step will be refused as a whole
        return
    _, vectors = np.linalg.eigh(k)
    for i in range(4):
        quaternions[c, i] = vectors[i, 3]
