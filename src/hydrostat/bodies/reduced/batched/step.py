"""One step of one rollout, for JAX to batch: the loop body of ``bodies.reduced.kernel`` on arrays of fixed sizes.

It uses only what also compiles into one GPU kernel: sums of products and selections, but no slices and no products
of matrices.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from hydrostat.bodies.reduced.batched.characters import Character, Pose
from hydrostat.bodies.reduced.batched.contact import Array, Vector, along, resolved
from hydrostat.bodies.reduced.batched.rotations import Matrix, Quaternion, matrix_of, turned_to_best
from hydrostat.bodies.reduced.kernel import LAST_SWEEPS, PUSH, SWEEPS, TOLERANCE
from hydrostat.bodies.reduced.surroundings import Damping, Surroundings
from hydrostat.errors import InputError

# Contact is solved to no less than so many roundings of numbers near 1.
ROUNDING = 16.0


class Rules(NamedTuple):
    """How every rollout of a batch steps; see ``bodies.reduced.kernel.Rules``. The ground is normal · x ≥ offset."""

    dt: float
    gravity: tuple[float, float, float]
    iterations: int
    retained: float
    coefficient: float
    normal: tuple[float, float, float]
    offset: float


def rules_of(surroundings: Surroundings) -> Rules:
    """The rules of ``surroundings``; InputError where the ground is not even."""
    ground, friction = surroundings.ground_arrays, surroundings.friction
    if ground.heights.size:
        raise InputError("a batch of rollouts on a heightfield", "a plane or free space", "search on the CPU instead")
    law = (friction.retained, float("inf")) if isinstance(friction, Damping) else (0.0, friction.coefficient)
    normal = tuple(ground.normal.tolist())
    return Rules(surroundings.dt, surroundings.gravity, surroundings.iterations, *law, normal, float(ground.offset))


class Moving(NamedTuple):
    """A rollout between two steps: coordinates, velocities (k,) × 3, quaternions (c,) × 4, forces (s,) × 3."""

    z: Vector
    w: Vector
    quaternion: Quaternion
    forces: Vector


def begun(pose: Pose) -> Moving:
    """A rollout that begins at ``pose``, an array or a reference in each field."""
    z, w, forces = (tuple(field[i, :] for i in range(3)) for field in (pose.coordinates, pose.velocities, pose.forces))
    return Moving(z, w, tuple(pose.quaternions[i, :] for i in range(4)), forces)


def step(character: Character, rules: Rules, amplitude: Any, before: Moving) -> tuple[Moving, Array]:
    """The rollout after one step, and the work of the actuation in it, J.

    amplitude: a function from the number of a mode to its amplitude in this step, m.
    """
    z, w, quaternion, forces = before
    inverse, rows, spare = character.inverse[...], character.rows[...], character.spare[...]
    tensor, size = _tensor(character, amplitude), character.size[0]
    guess = _inertial_guess(z, w, rules)
    held = _each(lambda g: character.inertia[...] * g, guess)
    offsets, anchors = _targets(_at_samples(z, rows), _at_samples(w, rows), size, rules)
    tolerance = size * max(TOLERANCE, ROUNDING * float(jnp.finfo(inverse.dtype).eps))

    def pushed(free: Vector, forces: Vector) -> Vector:
        return _each(lambda f, p: f + inverse * jnp.sum(rows * p[None, :], axis=1), free, forces)

    def iterate(iteration: Any, carry: tuple[Vector, Quaternion, Vector]) -> tuple[Vector, Quaternion, Vector]:
        now, quaternion, forces = carry
        quaternion = turned_to_best(_covariances(now, tensor, spare), quaternion)
        free = _each(lambda h, pull: h + inverse * pull, held, _pulls(matrix_of(quaternion), tensor))
        points = _at_samples(pushed(free, forces), rows)
        last = (iteration == rules.iterations - 1).astype(jnp.int32)
        sweeps = SWEEPS + last * (LAST_SWEEPS - SWEEPS)
        law = (rules.normal, offsets, anchors, rules.coefficient)
        forces = resolved(points, forces, character, *law, tolerance, sweeps)
        return pushed(free, forces), quaternion, forces

    now, quaternion, forces = jax.lax.fori_loop(0, rules.iterations, iterate, (guess, quaternion, forces))
    driving = _each(lambda part: part * character.driven[...][None, :], tensor)
    work = _work(character, z, now, _pulls(matrix_of(quaternion), driving))
    moment = _moment(character, z, w)
    turn = _moment_of_forces(_at_samples(now, rows), forces, now, rules.dt / character.mass[0])
    moving = _each(lambda a, b: (a - b) / rules.dt, now, z)
    moving = _turned(character, now, moving, _each(jnp.add, moment, turn))
    return Moving(now, moving, quaternion, forces), work


def _each(function: Any, *vectors: Any) -> Any:
    """``function`` of every axis."""
    return tuple(function(*parts) for parts in zip(*vectors, strict=True))


def _cross(a: Vector, b: Vector) -> Vector:
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def _first(of: Array) -> Array:
    """Where the first coordinate is, the centre of mass."""
    return jax.lax.broadcasted_iota(jnp.int32, of.shape, 0) == 0


def _tensor(character: Character, amplitude: Any) -> Vector:
    """K of all clusters with this actuation, (k, c) for every column of the rotations. B2024-(13a)"""

    def add(mode: Any, sums: Vector) -> Vector:
        return _each(lambda total, j: total + amplitude(mode) * character.modes[mode, j, :, :], sums, (0, 1, 2))

    start = (character.tensor[0, :, :], character.tensor[1, :, :], character.tensor[2, :, :])
    return jax.lax.fori_loop(0, character.modes.shape[0], add, start)


def _inertial_guess(z: Vector, w: Vector, rules: Rules) -> Vector:
    """Where inertia and gravity lead."""
    falls = tuple(rules.dt**2 * g for g in rules.gravity)
    return _each(lambda a, b, fall: a + rules.dt * b + jnp.where(_first(a), fall, 0.0), z, w, falls)


def _at_samples(coefficients: Vector, rows: Array) -> Vector:
    return _each(lambda part: jnp.sum(part[:, None] * rows, axis=0), coefficients)


def _targets(points: Vector, velocities: Vector, size: Array, rules: Rules) -> tuple[Array, Vector]:
    """How low every sample may be along the normal, and where it is to go along the ground."""
    depth = jnp.minimum(0.0, along(rules.normal, points) - rules.offset + PUSH * size)
    return rules.offset + depth, _each(lambda p, v: p + rules.dt * rules.retained * v, points, velocities)


def _covariances(z: Vector, tensor: Vector, spare: Array) -> Matrix:
    """H_c = zᵀ K_c, and the identity where there is no cluster. B2024-(13b)"""
    return tuple(
        tuple(jnp.sum(z[i][:, None] * tensor[j], axis=0) + (spare if i == j else 0.0) for j in range(3))
        for i in range(3)
    )


def _pulls(r: Matrix, tensor: Vector) -> Vector:
    """Σ_c K_c R_cᵀ, (k,) × 3 N."""
    return _each(lambda row: jnp.sum(sum(row[j][None, :] * tensor[j] for j in range(3)), axis=1), r)


def _work(character: Character, before: Vector, after: Vector, pull: Vector) -> Array:
    """(z⁺ − z) · (f^a − Q^a z⁺). B2024-(18)"""
    stiffness = character.actuation_stiffness[...]
    held = _each(lambda part: jnp.sum(part[:, None] * stiffness, axis=0), after)
    powers = _each(lambda a, b, p, h: jnp.sum((a - b) * (p - h)), after, before, pull, held)
    return powers[0] + powers[1] + powers[2]


def _moment(character: Character, z: Vector, w: Vector) -> Vector:
    """Angular momentum about the centre of mass over the mass, Σ_u z_u × w_u without u = 0."""
    return _each(lambda part: jnp.sum(part * character.deforming[...]), _cross(z, w))


def _moment_of_forces(points: Vector, forces: Vector, z: Vector, factor: Any) -> Vector:
    """factor · Σ_s (point − centre of mass) × force."""
    arms = _each(lambda p, part: p - jnp.sum(jnp.where(_first(part), part, 0.0)), points, z)
    return _each(lambda part: factor * jnp.sum(part), _cross(arms, forces))


def _turned(character: Character, z: Vector, w: Vector, moment: Vector) -> Vector:
    """The velocities with the rotation ω × z with which their angular momentum becomes ``moment``. B2024-(15b)"""
    arms = _each(lambda part: part * character.deforming[...], z)
    x, y, v = arms
    xx, yy, zz = jnp.sum(x * x), jnp.sum(y * y), jnp.sum(v * v)
    xy, xz, yz = jnp.sum(x * y), jnp.sum(x * v), jnp.sum(y * v)
    lx, ly, lz = _each(jnp.subtract, moment, _moment(character, z, w))
    a, b, c = yy + zz, xx + zz, xx + yy
    c00, c01, c02 = b * c - yz * yz, yz * xz + xy * c, xy * yz + xz * b
    det = a * c00 - xy * c01 - xz * c02
    spin = (
        (c00 * lx + c01 * ly + c02 * lz) / det,
        (c01 * lx + (a * c - xz * xz) * ly + (a * yz + xy * xz) * lz) / det,
        (c02 * lx + (a * yz + xy * xz) * ly + (a * b - xy * xy) * lz) / det,
    )
    return _each(jnp.add, w, _cross(spin, arms))
