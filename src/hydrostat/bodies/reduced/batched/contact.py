"""Contact of the samples by projected Gauss–Seidel, as in ``bodies.reduced.contact``; vectors are triples of arrays.

In every visit each sample finds out how its own force would change, and the one whose turn it is does change it.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import jax
import jax.numpy as jnp

from hydrostat.bodies.reduced.contact import SOFTNESS

Array: TypeAlias = Any
Vector: TypeAlias = tuple[Any, Any, Any]


def along(a: Vector, b: Vector) -> Any:
    """Scalar products."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def resolved(
    points: Vector,
    forces: Vector,
    character: Any,
    normal: Vector,
    offsets: Array,
    anchors: Vector,
    coefficient: float,
    tolerance: Array,
    sweeps: Any,
) -> Vector:
    """The forces (s,) × 3 N that keep every sample above its plane. See ``bodies.reduced.contact.resolve``.

    character: of the batch; its compliance is read row by row.
    """
    lanes = jax.lax.broadcasted_iota(jnp.int32, offsets.shape, 0)
    count = offsets.shape[0]
    real, own = character.real[...] > 0.0, character.own[...]

    def following(points: Vector, forces: Vector, previous: Any) -> Any:
        """The next sample that is in the ground or pressed."""
        touched = (along(normal, points) - offsets < 0.0) | (along(forces, forces) > 0.0)
        return jnp.min(jnp.where(real & touched & (lanes > previous), lanes, count))

    def visit(carry: Any) -> Any:
        points, forces, largest, current = carry
        changes = _changes(points, forces, own, normal, offsets, anchors, coefficient)
        mine = lanes == current
        of_one = tuple(jnp.where(mine, change, 0.0) for change in changes)
        row = character.compliance[current, :]
        moved = tuple(point + row * jnp.sum(change) for point, change in zip(points, of_one, strict=True))
        pressed = tuple(force + change for force, change in zip(forces, of_one, strict=True))
        size = jnp.maximum(jnp.abs(of_one[0]), jnp.maximum(jnp.abs(of_one[1]), jnp.abs(of_one[2])))
        largest = jnp.maximum(largest, own * size)
        return moved, pressed, largest, following(moved, pressed, current)

    def sweep(carry: Any) -> Any:
        points, forces, _, done = carry
        begin = (points, forces, jnp.zeros_like(offsets), following(points, forces, jnp.int32(-1)))
        points, forces, moves, _ = jax.lax.while_loop(lambda inner: inner[3] < count, visit, begin)
        return points, forces, jnp.max(moves), done + 1

    start = (points, forces, jnp.full_like(tolerance, jnp.inf), jnp.int32(0))
    done = jax.lax.while_loop(lambda carry: (carry[3] < sweeps) & (carry[2] > tolerance), sweep, start)
    return done[1]


def _changes(
    points: Vector, forces: Vector, own: Array, normal: Vector, offsets: Array, anchors: Vector, coefficient: float
) -> Vector:
    """How each force would change if its sample were alone. B2024-(52)"""
    answer, soft = 1.0 / ((1.0 + SOFTNESS) * own), SOFTNESS * own
    old = along(normal, forces)
    pressed = jnp.maximum(0.0, old - answer * (along(normal, points) - offsets + soft * old))
    wanted = tuple(f - answer * (p - a + soft * f) for f, p, a in zip(forces, points, anchors, strict=True))
    out = along(normal, wanted)
    tangential = tuple(g - out * n for g, n in zip(wanted, normal, strict=True))
    size = jnp.sqrt(along(tangential, tangential))
    limit = coefficient * pressed
    share = jnp.where(size > limit, limit / size, 1.0)
    share = jnp.where(pressed > 0.0, share, 0.0)
    return tuple(share * g + pressed * n - f for g, n, f in zip(tangential, normal, forces, strict=True))
