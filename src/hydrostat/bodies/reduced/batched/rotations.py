"""Best rotations of all clusters at once: the Newton steps of ``bodies.reduced.rotations``, without branches.

A matrix is three rows of three arrays (c,), a quaternion (w, x, y, z) four arrays (c,).
"""

from __future__ import annotations

from typing import Any, TypeAlias

import jax
import jax.numpy as jnp

from hydrostat.bodies.reduced.rotations import NEWTON_STEPS, SMALL_TURN

Array: TypeAlias = Any
Quaternion: TypeAlias = tuple[Array, Array, Array, Array]
Matrix: TypeAlias = Any

# Squarings leave (λ₂/λ₁)^4096 of the second eigenvector; Newton squares what is left.
SQUARINGS, POLISH = 12, 3


def turned_to_best(h: Matrix, quaternion: Quaternion) -> Quaternion:
    """The rotations that maximise tr(Rᵀ H), from nearby ones. B2024-(12)"""

    def unfinished(carry: tuple[Any, Array, Quaternion]) -> Any:
        return (carry[0] < NEWTON_STEPS) & (jnp.max(carry[1]) >= SMALL_TURN**2)

    def improve(carry: tuple[Any, Array, Quaternion]) -> tuple[Any, Array, Quaternion]:
        return carry[0] + 1, *_newton(h, carry[2])

    start = (jnp.int32(0), jnp.full_like(quaternion[0], jnp.inf), quaternion)
    _, turn, found = jax.lax.while_loop(unfinished, improve, start)
    lost = ~(turn < SMALL_TURN**2)
    return jax.lax.cond(
        jnp.max(jnp.where(lost, 1, 0)) > 0,
        lambda: tuple(jnp.where(lost, a, b) for a, b in zip(_from_afar(h), found, strict=True)),
        lambda: found,
    )


def matrix_of(quaternion: Quaternion) -> Matrix:
    """The rotation matrices of unit quaternions."""
    w, x, y, z = quaternion
    return (
        (1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)),
        (2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)),
        (2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)),
    )


def _newton(h: Matrix, quaternion: Quaternion) -> tuple[Array, Quaternion]:
    """One Newton step: solve (tr S I − sym S) ω = axial(S) with S = RᵀH, and turn by ω.

    |ω|² and the new quaternion; infinity and the old one where the step leads nowhere, as in ``bodies.reduced``.
    """
    r = matrix_of(quaternion)
    s = [[sum(r[k][i] * h[k][j] for k in range(3)) for j in range(3)] for i in range(3)]
    a, b, d = s[1][1] + s[2][2], s[0][0] + s[2][2], s[0][0] + s[1][1]
    x, y, z = -0.5 * (s[0][1] + s[1][0]), -0.5 * (s[0][2] + s[2][0]), -0.5 * (s[1][2] + s[2][1])
    c00, c01, c02 = b * d - z * z, y * z - x * d, x * z - y * b
    det = a * c00 + x * c01 + y * c02
    gx, gy, gz = s[2][1] - s[1][2], s[0][2] - s[2][0], s[1][0] - s[0][1]
    half = 0.5 / det
    wx = half * (c00 * gx + c01 * gy + c02 * gz)
    wy = half * (c01 * gx + (a * d - y * y) * gy + (x * y - a * z) * gz)
    wz = half * (c02 * gx + (x * y - a * z) * gy + (a * b - x * x) * gz)
    square = wx * wx + wy * wy + wz * wz
    good = (a > 0.0) & (a * b > x * x) & (det > 0.0) & (square < 0.25)
    q0, q1, q2, q3 = quaternion
    turned = _unit(
        q0 - q1 * wx - q2 * wy - q3 * wz,
        q1 + q0 * wx + q2 * wz - q3 * wy,
        q2 + q0 * wy + q3 * wx - q1 * wz,
        q3 + q0 * wz + q1 * wy - q2 * wx,
    )
    new = tuple(jnp.where(good, a, b) for a, b in zip(turned, quaternion, strict=True))
    return jnp.where(good, 4.0 * square, jnp.inf), new


def _from_afar(h: Matrix) -> Quaternion:
    """Davenport's way: the best quaternion is the eigenvector of the largest eigenvalue of a 4×4 matrix of H.

    That matrix, made positive, is squared again and again until only this vector is left.
    """
    trace = h[0][0] + h[1][1] + h[2][2]
    axial = (h[2][1] - h[1][2], h[0][2] - h[2][0], h[1][0] - h[0][1])
    power = [[trace, *axial]] + [[axial[i], *(h[i][j] + h[j][i] for j in range(3))] for i in range(3)]
    for i in range(1, 4):
        power[i][i] = power[i][i] - trace
    largest = jnp.sqrt(_square_sum(power))
    for i in range(4):
        power[i][i] = power[i][i] + largest

    def squared(_: Any, power: list[list[Array]]) -> list[list[Array]]:
        scale = jax.lax.rsqrt(_square_sum(power))
        rows = [[scale * entry for entry in row] for row in power]
        return [[sum(rows[i][k] * rows[k][j] for k in range(4)) for j in range(4)] for i in range(4)]

    power = jax.lax.fori_loop(0, SQUARINGS, squared, power)
    column, size = power[0], power[0][0]  # the column with the largest diagonal is the least cancelled
    for i in range(1, 4):
        larger = power[i][i] > size
        column = [jnp.where(larger, a, b) for a, b in zip(power[i], column, strict=True)]
        size = jnp.maximum(size, power[i][i])
    return jax.lax.fori_loop(0, POLISH, lambda _, found: _newton(h, found)[1], _unit(*column))


def _square_sum(rows: list[list[Array]]) -> Array:
    return sum(entry * entry for row in rows for entry in row)


def _unit(w: Array, x: Array, y: Array, z: Array) -> Quaternion:
    scale = jax.lax.rsqrt(w * w + x * x + y * y + z * z)
    return scale * w, scale * x, scale * y, scale * z
