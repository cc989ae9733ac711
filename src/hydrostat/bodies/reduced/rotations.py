"""Best rotations of the clusters: polar decomposition by Newton's method on unit quaternions, warm-started.

All clusters stand side by side: H and R are (3, 3c), cluster c in columns 3c to 3c + 2. Newton's steps of up to
`LANES` clusters are made at once, in arrays whose rows are one number of every cluster.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np

# Newton squares its error, so after a turn this small (radians) the rotation is right to about its square.
SMALL_TURN = 1e-2
NEWTON_STEPS = 12
# Clusters whose steps the compiler makes side by side, and how many of them a processor may take at once. The compiler
# has to know where the rows of ``lanes`` are, and what is left over after whole turns of the processor is slow.
LANES, AT_ONCE = 32, 8
_H, _R, _Q, _TURN, _ROWS = 0, 9, 18, 22, 23


@numba.njit(cache=True)
def lanes_of(quaternions: Any) -> Any:
    """Where `turn_to_best` works: H, R, quaternions and squares of turns of every `LANES` clusters, beginning so."""
    lanes = np.zeros(((len(quaternions) + LANES - 1) // LANES, _ROWS * LANES))
    for c in range(len(quaternions)):
        own, lane = lanes[c // LANES], c % LANES
        for part in range(4):
            own[(_Q + part) * LANES + lane] = quaternions[c, part]
        _write_rotation(own, lane)
    return lanes


@numba.njit(cache=True)
def read_quaternions(lanes: Any, quaternions: Any) -> None:
    """Write where the lanes are now to ``quaternions`` (c, 4)."""
    for c in range(len(quaternions)):
        for part in range(4):
            quaternions[c, part] = lanes[c // LANES, (_Q + part) * LANES + c % LANES]


@numba.njit(cache=True)
def turn_to_best(covariances: Any, lanes: Any, rotations: Any) -> None:
    """Turn every R_c and its quaternion (w, x, y, z) to the rotation that maximises tr(R_cᵀ H_c). B2024-(12)"""
    clusters = rotations.shape[1] // 3
    for block in range(len(lanes)):
        own, first = lanes[block], LANES * block
        count = min(LANES, clusters - first)
        whole = AT_ONCE * ((count + AT_ONCE - 1) // AT_ONCE)  # what stands in the lanes beyond is not looked at
        for c in range(count):
            for i in range(3):
                for j in range(3):
                    own[(_H + 3 * i + j) * LANES + c] = covariances[i, 3 * (first + c) + j]
        for _ in range(NEWTON_STEPS):
            _newton_turns(own, whole)
            worst = 0.0
            for c in range(count):
                worst = max(worst, own[_TURN * LANES + c])
            if worst < SMALL_TURN * SMALL_TURN:
                break
        for c in range(count):
            if not own[_TURN * LANES + c] < SMALL_TURN * SMALL_TURN:
                _decompose(own, c)
        for c in range(count):
            for i in range(3):
                for j in range(3):
                    rotations[i, 3 * (first + c) + j] = own[(_R + 3 * i + j) * LANES + c]


@numba.njit(cache=True, fastmath={"contract"}, error_model="numpy")
def _newton_turns(lanes: Any, count: int) -> None:
    """One Newton step each: solve (tr S I − sym S) ω = axial(S) with S = RᵀH, and turn by ω.

    Writes |ω|², or infinity, and does not turn, where the matrix is not positive definite or the turn is large: then R
    is far from the best. At a stationary R it is positive definite for the best rotation only, also where H is
    inverted.
    """
    for k in range(count):
        h00, h01, h02 = lanes[k], lanes[LANES + k], lanes[2 * LANES + k]
        h10, h11, h12 = lanes[3 * LANES + k], lanes[4 * LANES + k], lanes[5 * LANES + k]
        h20, h21, h22 = lanes[6 * LANES + k], lanes[7 * LANES + k], lanes[8 * LANES + k]
        r00, r01, r02 = lanes[9 * LANES + k], lanes[10 * LANES + k], lanes[11 * LANES + k]
        r10, r11, r12 = lanes[12 * LANES + k], lanes[13 * LANES + k], lanes[14 * LANES + k]
        r20, r21, r22 = lanes[15 * LANES + k], lanes[16 * LANES + k], lanes[17 * LANES + k]
        q0, q1 = lanes[18 * LANES + k], lanes[19 * LANES + k]
        q2, q3 = lanes[20 * LANES + k], lanes[21 * LANES + k]
        s00, s11 = r00 * h00 + r10 * h10 + r20 * h20, r01 * h01 + r11 * h11 + r21 * h21
        s22 = r02 * h02 + r12 * h12 + r22 * h22
        s01, s10 = r00 * h01 + r10 * h11 + r20 * h21, r01 * h00 + r11 * h10 + r21 * h20
        s02, s20 = r00 * h02 + r10 * h12 + r20 * h22, r02 * h00 + r12 * h10 + r22 * h20
        s12, s21 = r01 * h02 + r11 * h12 + r21 * h22, r02 * h01 + r12 * h11 + r22 * h21
        a, b, d = s11 + s22, s00 + s22, s00 + s11
        x, y, z = -0.5 * (s01 + s10), -0.5 * (s02 + s20), -0.5 * (s12 + s21)
        c00, c01, c02 = b * d - z * z, y * z - x * d, x * z - y * b
        det = a * c00 + x * c01 + y * c02
        gx, gy, gz = s21 - s12, s02 - s20, s10 - s01
        half = 0.5 / det
        wx = half * (c00 * gx + c01 * gy + c02 * gz)
        wy = half * (c01 * gx + (a * d - y * y) * gy + (x * y - a * z) * gz)
        wz = half * (c02 * gx + (x * y - a * z) * gy + (a * b - x * x) * gz)
        square = wx * wx + wy * wy + wz * wz
        good = (a > 0.0) & (a * b > x * x) & (det > 0.0) & (square < 0.25)
        wx, wy, wz = wx if good else 0.0, wy if good else 0.0, wz if good else 0.0
        p0, p1 = q0 - q1 * wx - q2 * wy - q3 * wz, q1 + q0 * wx + q2 * wz - q3 * wy
        p2, p3 = q2 + q0 * wy + q3 * wx - q1 * wz, q3 + q0 * wz + q1 * wy - q2 * wx
        scale = 1.0 / np.sqrt(p0 * p0 + p1 * p1 + p2 * p2 + p3 * p3)
        p0, p1, p2, p3 = scale * p0, scale * p1, scale * p2, scale * p3
        lanes[22 * LANES + k] = 4.0 * square if good else np.inf
        lanes[18 * LANES + k], lanes[19 * LANES + k] = p0, p1
        lanes[20 * LANES + k], lanes[21 * LANES + k] = p2, p3
        lanes[9 * LANES + k] = 1.0 - 2.0 * (p2 * p2 + p3 * p3)
        lanes[10 * LANES + k] = 2.0 * (p1 * p2 - p0 * p3)
        lanes[11 * LANES + k] = 2.0 * (p1 * p3 + p0 * p2)
        lanes[12 * LANES + k] = 2.0 * (p1 * p2 + p0 * p3)
        lanes[13 * LANES + k] = 1.0 - 2.0 * (p1 * p1 + p3 * p3)
        lanes[14 * LANES + k] = 2.0 * (p2 * p3 - p0 * p1)
        lanes[15 * LANES + k] = 2.0 * (p1 * p3 - p0 * p2)
        lanes[16 * LANES + k] = 2.0 * (p2 * p3 + p0 * p1)
        lanes[17 * LANES + k] = 1.0 - 2.0 * (p1 * p1 + p2 * p2)


@numba.njit(cache=True)
def _decompose(own: Any, c: int) -> None:
    """Davenport's way: the best quaternion is the eigenvector of the largest eigenvalue of a 4×4 matrix of H."""
    h = np.empty((3, 3))
    for entry in range(9):
        h[entry // 3, entry % 3] = own[(_H + entry) * LANES + c]
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
    for part in range(4):
        own[(_Q + part) * LANES + c] = vectors[part, 3]
    _write_rotation(own, c)


@numba.njit(cache=True)
def _write_rotation(own: Any, c: int) -> None:
    """R of a lane from its quaternion."""
    w, x, y, z = own[_Q * LANES + c], own[(_Q + 1) * LANES + c], own[(_Q + 2) * LANES + c], own[(_Q + 3) * LANES + c]
    rotation = (
        (1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)),
        (2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)),
        (2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)),
    )
    for i in range(3):
        for j in range(3):
            own[(_R + 3 * i + j) * LANES + c] = rotation[i][j]
