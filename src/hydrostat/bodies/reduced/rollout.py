"""States of a reduced body, and whole rollouts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hydrostat.arrays import Floats
from hydrostat.bodies.reduced.body import ReducedBody
from hydrostat.bodies.reduced.kernel import BodyArrays, Outputs, Rules, StateArrays, run, workspace
from hydrostat.bodies.reduced.surroundings import Damping, Surroundings
from hydrostat.errors import InputError, StepError


@dataclass(frozen=True)
class ReducedState:
    """All that a rollout goes on from.

    coordinates (k, 3) m; velocities (k, 3) m/s; quaternions (c, 4): the rotations of the clusters, (w, x, y, z);
    forces (s, 3) N on the samples. The last two are where the next step begins to look for its own.
    """

    coordinates: Floats
    velocities: Floats
    quaternions: Floats
    forces: Floats


@dataclass(frozen=True)
class Trajectory:
    """What a rollout of T steps did.

    coordinates (T + 1, k, 3) m and velocities (T + 1, k, 3) m/s, the first ones those given; impulses (T, s, 3) N·s of
    the ground on the samples; work (T,) J of the actuation on the body; end: the state to go on from.
    """

    coordinates: Floats
    velocities: Floats
    impulses: Floats
    work: Floats
    end: ReducedState

    @property
    def centres(self) -> Floats:
        """Centre of mass, (T + 1, 3) m: the first coordinate."""
        return self.coordinates[:, 0]

    def positions(self, body: ReducedBody, frame: int) -> Floats:
        """All nodes, (n, 3) m, of one frame."""
        return body.positions(self.coordinates[frame])

    def sample_positions(self, body: ReducedBody) -> Floats:
        """The samples in every frame, (T + 1, s, 3) m."""
        return body.basis[body.samples] @ self.coordinates


def rest_state(body: ReducedBody) -> ReducedState:
    """The rest shape where the mesh has it, at rest."""
    still = np.zeros_like(body.rest_coordinates)
    quaternions = np.tile([1.0, 0.0, 0.0, 0.0], (body.clusters, 1))
    return ReducedState(body.rest_coordinates, still, quaternions, np.zeros((len(body.samples), 3)))


def rollout(
    body: ReducedBody, state: ReducedState, actuation: Floats, surroundings: Surroundings | None = None
) -> Trajectory:
    """Move ``body`` from ``state`` by one step for every row of ``actuation`` (T, m), amplitudes in m."""
    rules = surroundings or Surroundings()
    amplitudes = np.ascontiguousarray(actuation, dtype=np.float64)
    _check(body, state, amplitudes)
    steps, k, samples = len(amplitudes), len(body.stiffnesses), len(body.samples)
    friction = rules.friction
    law = (friction.retained, np.inf) if isinstance(friction, Damping) else (0.0, friction.coefficient)
    arrays = BodyArrays(
        body.mass,
        body.size,
        body.stiffnesses,
        body.actuation_stiffness,
        body.passive,
        body.actuation,
        body.basis[body.samples],
    )
    now = StateArrays(
        np.array(state.coordinates.T, order="C"),
        np.array(state.velocities.T, order="C"),
        state.quaternions.copy(),
        np.array(state.forces.T, order="C"),
    )
    out = Outputs(
        np.empty((steps + 1, k, 3)), np.empty((steps + 1, k, 3)), np.empty((steps, samples, 3)), np.empty(steps)
    )
    stepping = Rules(rules.dt, np.array(rules.gravity, dtype=float), rules.iterations, *law)
    done = run(arrays, now, rules.ground_arrays, stepping, workspace(arrays, stepping), amplitudes, out)
    if done < steps:
        raise StepError(f"the reduced body blew up in step {done}: use a smaller dt, amplitudes or velocities")
    end = ReducedState(now.coordinates.T.copy(), now.velocities.T.copy(), now.quaternions, now.forces.T.copy())
    return Trajectory(*out, end)


def _check(body: ReducedBody, state: ReducedState, amplitudes: Floats) -> None:
    modes = body.modes.shape[2]
    if amplitudes.ndim != 2 or amplitudes.shape[1] != modes or not np.isfinite(amplitudes).all():
        raise InputError(
            f"actuation of shape {amplitudes.shape}, {np.count_nonzero(~np.isfinite(amplitudes))} values not finite",
            f"finite amplitudes of shape (steps, {modes})",
            "give a row for every step and a column for every mode",
        )
    shapes = (state.coordinates.shape, state.quaternions.shape, state.forces.shape)
    wanted = (body.rest_coordinates.shape, (body.clusters, 4), (len(body.samples), 3))
    if shapes != wanted:
        raise InputError(f"a state with arrays of shapes {shapes}", f"{wanted}", "begin at rest_state(body)")
