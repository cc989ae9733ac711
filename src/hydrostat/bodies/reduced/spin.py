"""Angular momentum of a reduced body, and velocities that have the right one (docs/theory/b2024.md, Spin)."""

from __future__ import annotations

from typing import Any

import numba


@numba.njit(cache=True)
def moment_of(z: Any, w: Any, moment: Any) -> None:
    """Write the angular momentum about the centre of mass over the mass, Σ_u z_u × w_u without u = 0, to (3,)."""
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        moment[i] = 0.0
        for u in range(1, z.shape[1]):
            moment[i] += z[j, u] * w[k, u] - z[k, u] * w[j, u]


@numba.njit(cache=True)
def add_moments(points: Any, forces: Any, z: Any, factor: float, moment: Any) -> None:
    """moment += factor · Σ_s (point − centre of mass) × force."""
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        for s in range(points.shape[1]):
            arm_j, arm_k = points[j, s] - z[j, 0], points[k, s] - z[k, 0]
            moment[i] += factor * (arm_j * forces[k, s] - arm_k * forces[j, s])


@numba.njit(cache=True)
def turn_velocities(z: Any, w: Any, moment: Any) -> None:
    """Add to the velocities the rotation ω × z with which their angular momentum becomes ``moment``. B2024-(15b)"""
    xx, yy, zz, xy, xz, yz = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    lx, ly, lz = moment[0], moment[1], moment[2]
    for u in range(1, z.shape[1]):
        x, y, v = z[0, u], z[1, u], z[2, u]
        xx, yy, zz = xx + x * x, yy + y * y, zz + v * v
        xy, xz, yz = xy + x * y, xz + x * v, yz + y * v
        lx -= y * w[2, u] - v * w[1, u]
        ly -= v * w[0, u] - x * w[2, u]
        lz -= x * w[1, u] - y * w[0, u]
    a, b, c = yy + zz, xx + zz, xx + yy
    c00, c01, c02 = b * c - yz * yz, yz * xz + xy * c, xy * yz + xz * b
    det = a * c00 - xy * c01 - xz * c02
    tx = (c00 * lx + c01 * ly + c02 * lz) / det
    ty = (c01 * lx + (a * c - xz * xz) * ly + (a * yz + xy * xz) * lz) / det
    tz = (c02 * lx + (a * yz + xy * xz) * ly + (a * b - xy * xy) * lz) / det
    for u in range(1, z.shape[1]):
        w[0, u] += ty * z[2, u] - tz * z[1, u]
        w[1, u] += tz * z[0, u] - tx * z[2, u]
        w[2, u] += tx * z[1, u] - ty * z[0, u]
