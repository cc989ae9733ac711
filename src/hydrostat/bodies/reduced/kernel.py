"""A whole rollout in one compiled loop: local and global steps, contact, the next state (docs/theory/b2024.md).

Inside, coordinates are (3, k): a loop over the k neighbours in memory is what the processor does best.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numba
import numpy as np

from hydrostat.arrays import Floats
from hydrostat.bodies.reduced.contact import above, look, resolve
from hydrostat.bodies.reduced.loops import add, add_blend, add_pushes, blend, copy, copy_frame, copy_impulses, finite
from hydrostat.bodies.reduced.rotations import lanes_of, read_quaternions, turn_to_best
from hydrostat.bodies.reduced.spin import add_moments, moment_of, turn_velocities


class BodyArrays(NamedTuple):
    """What the loop needs of a ``ReducedBody``; rows are those of the basis at the samples, (s, k)."""

    mass: float
    size: float
    stiffnesses: Floats
    actuation_stiffness: Floats
    passive: Floats
    actuation: Floats
    rows: Floats


class StateArrays(NamedTuple):
    """Coordinates (3, k) m, velocities (3, k) m/s, quaternions (c, 4), contact forces (3, s) N; changed in place."""

    coordinates: Floats
    velocities: Floats
    quaternions: Floats
    forces: Floats


class Rules(NamedTuple):
    """How a step is made; see ``Surroundings``. retained, coefficient: of the friction law."""

    dt: float
    gravity: Floats
    iterations: int
    retained: float
    coefficient: float


class Outputs(NamedTuple):
    """What is written: coordinates, velocities (T + 1, k, 3), impulses (T, s, 3), work (T,)."""

    coordinates: Floats
    velocities: Floats
    impulses: Floats
    work: Floats


class Workspace(NamedTuple):
    """Arrays that the steps share.

    inverse (k,): of the diagonal of Q. tensor (k, 3c): K of all clusters; answers (3c, k): (Q⁻¹ K)ᵀ.
    columns (k, s): the rows of the samples, transposed; pushes (s, k): Q⁻¹ of them; compliance (s, s): B2024-(52)'s W₁.
    covariances, rotations (3, 3c). held, free (3, k): Q⁻¹ of the inertia, and coordinates of the round.
    points, anchors, normals (3, s) and offsets, floors (s,): see ``contact.resolve``. moment (3,).
    """

    inverse: Floats
    tensor: Floats
    answers: Floats
    columns: Floats
    pushes: Floats
    compliance: Floats
    covariances: Floats
    rotations: Floats
    held: Floats
    free: Floats
    points: Floats
    anchors: Floats
    normals: Floats
    offsets: Floats
    floors: Floats
    moment: Floats


# Depth, as a share of the size, that a sample may be pushed out of the ground in one step; what is deeper takes more.
PUSH = 0.005
# Contact is solved to this share of the size in the last round of a step, at most by so many sweeps; in the others a
# few will do, because they begin where the round before ended.
TOLERANCE = 1e-7
SWEEPS, LAST_SWEEPS = 3, 30


def workspace(body: BodyArrays, rules: Rules) -> Workspace:
    """The shared arrays, with all that stays the same from step to step."""
    (k, passive), samples = body.passive.shape, len(body.rows)
    clusters = passive + body.actuation.shape[2]
    inverse = 1.0 / (body.mass / rules.dt**2 + body.stiffnesses)
    tensor = np.zeros((k, clusters))
    tensor[:, :passive] = body.passive
    pushes = body.rows * inverse
    return Workspace(
        inverse=inverse,
        tensor=tensor,
        answers=np.ascontiguousarray((inverse[:, None] * tensor).T),
        columns=np.ascontiguousarray(body.rows.T),
        pushes=pushes,
        compliance=pushes @ body.rows.T,
        **{name: np.zeros((3, clusters)) for name in ("covariances", "rotations")},
        **{name: np.zeros((3, k)) for name in ("held", "free")},
        **{name: np.zeros((3, samples)) for name in ("points", "anchors", "normals")},
        **{name: np.zeros(samples) for name in ("offsets", "floors")},
        moment=np.zeros(3),
    )


@numba.njit(cache=True, nogil=True)
def run(body: Any, state: Any, ground: Any, rules: Any, work: Any, amplitudes: Any, out: Any) -> int:
    """Make a step for every row of ``amplitudes`` (T, m); returns the number of steps whose numbers are finite.

    Tuples are taken apart first: every look into one counts a reference, which costs more than the sums it is for.
    """
    mass, size, _, actuation_stiffness, _, actuation, _ = body
    z, w, quaternions, forces = state
    dt, gravity, iterations, retained, coefficient = rules
    inverse, tensor, answers, columns, pushes, compliance = work[:6]
    covariances, rotations, held, free, points, anchors, normals, offsets, floors, moment = work[6:]
    even = ground.heights.size == 0
    lanes = lanes_of(quaternions)
    copy_frame(z, w, out.coordinates, out.velocities, 0)
    for step in range(len(amplitudes)):
        _set_actuation(actuation, amplitudes[step], inverse, tensor, answers)
        _predict(z, w, dt, gravity, mass / (dt * dt), inverse, free, held)
        blend(z, columns, points)
        blend(w, columns, anchors)
        look(ground, points, normals, offsets)
        _set_targets(points, normals, offsets, PUSH * size, dt * retained, floors, anchors)
        for iteration in range(iterations):
            blend(free, tensor, covariances)
            turn_to_best(covariances, lanes, rotations)
            copy(held, free)
            add_blend(rotations, answers, free)
            if not even:  # where a sample has gone decides which plane it meets
                look(ground, points, normals, offsets)
                add(floors, offsets)
            blend(free, columns, points)
            add_pushes(forces, compliance, points)
            sweeps = LAST_SWEEPS if iteration == iterations - 1 else SWEEPS
            resolve(points, forces, compliance, normals, offsets, anchors, coefficient, TOLERANCE * size, sweeps)
            add_pushes(forces, pushes, free)
        out.work[step] = _work_done(z, free, actuation_stiffness, rotations, tensor, actuation.shape[2], held)
        moment_of(z, w, moment)
        add_moments(points, forces, free, dt / mass, moment)
        _advance(free, dt, z, w)
        turn_velocities(z, w, moment)
        if not finite(z, w):
            return step
        copy_frame(z, w, out.coordinates, out.velocities, step + 1)
        copy_impulses(forces, dt, out.impulses, step)
    read_quaternions(lanes, quaternions)
    return len(amplitudes)


@numba.njit(cache=True)
def _predict(z: Any, w: Any, dt: float, gravity: Any, inertia: float, inverse: Any, free: Any, held: Any) -> None:
    """Where inertia and gravity lead, ``free`` (3, k), and Q⁻¹ of what pulls there, ``held`` (3, k)."""
    for i in range(3):
        for u in range(z.shape[1]):
            free[i, u] = z[i, u] + dt * w[i, u]
        free[i, 0] += dt * dt * gravity[i]
        for u in range(z.shape[1]):
            held[i, u] = inertia * inverse[u] * free[i, u]


@numba.njit(cache=True)
def _set_targets(points: Any, normals: Any, offsets: Any, push: float, kept: float, floors: Any, anchors: Any) -> None:
    """How deep every sample may stay, added to its offset, and where it is to go along the ground.

    ``anchors`` (3, s) come in as velocities, of which ``kept`` s are added to the points.
    """
    for s in range(len(floors)):
        floors[s] = min(0.0, above(points, normals, offsets, s) + push)
        offsets[s] += floors[s]
        for i in range(3):
            anchors[i, s] = points[i, s] + kept * anchors[i, s]


@numba.njit(cache=True)
def _advance(free: Any, dt: float, z: Any, w: Any) -> None:
    """Take the coordinates of the last round, and the velocities that lead there."""
    for i in range(3):
        for u in range(z.shape[1]):
            w[i, u] = (free[i, u] - z[i, u]) / dt
            z[i, u] = free[i, u]


@numba.njit(cache=True)
def _set_actuation(actuation: Any, amplitudes: Any, inverse: Any, tensor: Any, answers: Any) -> None:
    """Write Σ_v ā_v S_v to the last columns of ``tensor``, and Q⁻¹ of them to ``answers``. B2024-(13a)"""
    modes, k, columns = len(amplitudes), actuation.shape[1], actuation.shape[2]
    first = tensor.shape[1] - columns
    total = actuation[modes].copy().ravel()
    for v in range(modes):
        of_mode = actuation[v].ravel()
        for entry in range(k * columns):
            total[entry] += amplitudes[v] * of_mode[entry]
    for u in range(k):
        for j in range(columns):
            tensor[u, first + j] = total[u * columns + j]
            answers[first + j, u] = inverse[u] * total[u * columns + j]


@numba.njit(cache=True)
def _work_done(before: Any, after: Any, stiffness: Any, rotations: Any, tensor: Any, columns: int, pull: Any) -> float:
    """Work of the actuation on the body in this step, (z⁺ − z) · (f^a − Q^a z⁺), J; ``pull`` is scratch. B2024-(18)"""
    blend(after, stiffness, pull)
    total = 0.0
    for i in range(3):
        for u in range(before.shape[1]):
            force = -pull[i, u]
            for j in range(tensor.shape[1] - columns, tensor.shape[1]):
                force += rotations[i, j] * tensor[u, j]
            total += (after[i, u] - before[i, u]) * force
    return total
