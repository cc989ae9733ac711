"""A whole rollout in one compiled loop: local and global steps, contact, the next state (docs/theory/b2024.md).

Inside, coordinates are (3, k): a loop over the k neighbours in memory is what the processor does best.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numba
import numpy as np

from hydrostat.arrays import Floats
from hydrostat.bodies.reduced.contact import look, resolve
from hydrostat.bodies.reduced.rotations import turn_to_best, write_rotations


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


# Depth, as a share of the size, that a sample may be pushed out of the ground in one step; what is deeper takes more.
PUSH = 0.005
# Contact is solved to this share of the size.
TOLERANCE = 1e-7


@numba.njit(cache=True, nogil=True)
def run(body: Any, state: Any, ground: Any, rules: Any, amplitudes: Any, out: Any) -> int:
    """Make a step for every row of ``amplitudes`` (T, m); returns the steps whose numbers are finite."""
    k, samples, passive = len(body.stiffnesses), len(body.rows), body.passive.shape[1]
    columns = passive + body.actuation.shape[2]
    dt, z, w = rules.dt, state.coordinates, state.velocities
    inertia = body.mass / (dt * dt)
    inverse = 1.0 / (inertia + body.stiffnesses)
    columns_of_rows = np.ascontiguousarray(body.rows.T)
    moved_rows = body.rows * inverse
    compliance = np.dot(moved_rows, columns_of_rows)
    tolerance = TOLERANCE * body.size

    tensor, tensor_rows = np.empty((k, columns)), np.empty((columns, k))
    tensor[:, :passive] = body.passive
    covariances, rotations = np.empty((3, columns)), np.empty((3, columns))
    write_rotations(state.quaternions, rotations)
    inertial, right, free = np.empty((3, k)), np.empty((3, k)), np.empty((3, k))
    points, anchors = np.empty((3, samples)), np.empty((3, samples))
    normals, offsets, floor = np.empty((3, samples)), np.empty(samples), np.empty(samples)

    moment = np.empty(3)

    _copy_out(z, w, out, 0)
    for step in range(len(amplitudes)):
        _set_actuation(body.actuation, amplitudes[step], tensor, passive)
        _transpose(tensor, tensor_rows, 0 if step == 0 else passive)
        for i in range(3):
            for u in range(k):
                inertial[i, u] = z[i, u] + dt * w[i, u]
            inertial[i, 0] += dt * dt * rules.gravity[i]
        _blend(z, columns_of_rows, points)
        _blend(w, columns_of_rows, anchors)
        look(ground, points, normals, offsets)
        for s in range(samples):
            gap = (
                normals[0, s] * points[0, s] + normals[1, s] * points[1, s] + normals[2, s] * points[2, s] - offsets[s]
            )
            floor[s] = min(0.0, gap + PUSH * body.size)
            for i in range(3):
                anchors[i, s] = points[i, s] + dt * rules.retained * anchors[i, s]
        offsets += floor

        free[:] = inertial
        for _ in range(rules.iterations):
            _blend(free, tensor, covariances)
            turn_to_best(covariances, state.quaternions, rotations)
            for i in range(3):
                for u in range(k):
                    right[i, u] = inertia * inertial[i, u]
            _add_blend(rotations, tensor_rows, right)
            for i in range(3):
                for u in range(k):
                    free[i, u] = inverse[u] * right[i, u]
            if ground.heights.size > 0:
                look(ground, points, normals, offsets)
                offsets += floor
            _blend(free, columns_of_rows, points)
            _add_pushes(state.forces, compliance, points)
            resolve(points, state.forces, compliance, normals, offsets, anchors, rules.coefficient, tolerance)
            _add_pushes(state.forces, moved_rows, free)

        out.work[step] = _work(body, z, free, rotations, tensor_rows, passive)
        _moment(z, w, moment)
        for s in range(samples):
            _add_cross(points, s, free, state.forces, dt / body.mass, moment)
            for i in range(3):
                out.impulses[step, s, i] = dt * state.forces[i, s]
        for i in range(3):
            for u in range(k):
                w[i, u] = (free[i, u] - z[i, u]) / dt
                z[i, u] = free[i, u]
        _turn_velocities(z, w, moment)
        _copy_out(z, w, out, step + 1)
        if not np.isfinite(z).all():
            return step
    return len(amplitudes)


@numba.njit(cache=True)
def _blend(coefficients: Any, rows: Any, result: Any) -> None:
    """result (3, c) = coefficients (3, r) @ rows (r, c)."""
    result[:] = 0.0
    _add_blend(coefficients, rows, result)


@numba.njit(cache=True, fastmath={"contract"})
def _add_blend(coefficients: Any, rows: Any, result: Any) -> None:
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
def _add_pushes(forces: Any, answers: Any, result: Any) -> None:
    """result (3, c) += forces (3, s) @ answers (s, c); most forces are zero."""
    for s in range(answers.shape[0]):
        a, b, c = forces[0, s], forces[1, s], forces[2, s]
        if a != 0.0 or b != 0.0 or c != 0.0:
            for j in range(answers.shape[1]):
                answer = answers[s, j]
                result[0, j] += a * answer
                result[1, j] += b * answer
                result[2, j] += c * answer


@numba.njit(cache=True)
def _set_actuation(actuation: Any, amplitudes: Any, tensor: Any, first: int) -> None:
    """Write Σ_v ā_v S_v to the columns of ``tensor`` from ``first`` on. B2024-(13a)"""
    last = len(amplitudes)
    for u in range(actuation.shape[1]):
        for j in range(actuation.shape[2]):
            total = actuation[last, u, j]
            for v in range(last):
                total += amplitudes[v] * actuation[v, u, j]
            tensor[u, first + j] = total


@numba.njit(cache=True)
def _transpose(tensor: Any, tensor_rows: Any, first: int) -> None:
    for u in range(tensor.shape[0]):
        for j in range(first, tensor.shape[1]):
            tensor_rows[j, u] = tensor[u, j]


@numba.njit(cache=True)
def _work(body: Any, before: Any, after: Any, rotations: Any, tensor_rows: Any, passive: int) -> float:
    """Work of the actuation on the body in this step, (z⁺ − z) · (f^a − Q^a z⁺), J. B2024-(18)"""
    total = 0.0
    for i in range(3):
        for u in range(before.shape[1]):
            force = 0.0
            for j in range(passive, tensor_rows.shape[0]):
                force += rotations[i, j] * tensor_rows[j, u]
            for v in range(before.shape[1]):
                force -= body.actuation_stiffness[u, v] * after[i, v]
            total += (after[i, u] - before[i, u]) * force
    return total


@numba.njit(cache=True)
def _moment(z: Any, w: Any, moment: Any) -> None:
    """Write the angular momentum about the centre of mass over the mass, Σ_u z_u × w_u without u = 0, to (3,)."""
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        moment[i] = 0.0
        for u in range(1, z.shape[1]):
            moment[i] += z[j, u] * w[k, u] - z[k, u] * w[j, u]


@numba.njit(cache=True)
def _add_cross(points: Any, s: int, z: Any, forces: Any, factor: float, moment: Any) -> None:
    """moment += factor · (point − centre of mass) × force of sample s."""
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        moment[i] += factor * ((points[j, s] - z[j, 0]) * forces[k, s] - (points[k, s] - z[k, 0]) * forces[j, s])


@numba.njit(cache=True)
def _turn_velocities(z: Any, w: Any, moment: Any) -> None:
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


@numba.njit(cache=True)
def _copy_out(z: Any, w: Any, out: Any, frame: int) -> None:
    for i in range(3):
        for u in range(z.shape[1]):
            out.coordinates[frame, u, i] = z[i, u]
            out.velocities[frame, u, i] = w[i, u]
