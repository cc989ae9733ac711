"""Where motions begin: at rest on the ground, and a little beside that."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from hydrostat.arrays import Floats
from hydrostat.bodies.reduced import ReducedBody, ReducedState, Surroundings, Trajectory, rest_state, rollout
from hydrostat.contact.ground import Ground, described
from hydrostat.errors import InputError

# A body is at rest when no sample moves faster than this share of its size a second.
STILL = 0.02
# It is looked at this often, s, and has at most so many looks to come to rest.
LOOK, LOOKS = 0.5, 20


def ground_of(surroundings: Surroundings) -> Ground:
    """What the body stands on."""
    if surroundings.ground is None:
        raise InputError("a motion in free space", "one on a ground", "give the surroundings a ground")
    return described(surroundings.ground.describe())


def settled(body: ReducedBody, surroundings: Surroundings) -> ReducedState:
    """The body at rest on the ground, after it was put there in its rest shape: it sags, and may fall over."""
    start = rest_state(body)
    state = replace(start, coordinates=_lifted(body, start.coordinates, surroundings))
    idle = np.zeros((round(LOOK / surroundings.dt), body.modes.shape[2]))
    for _ in range(LOOKS):
        motion: Trajectory = rollout(body, state, idle, surroundings)
        state = motion.end
        speeds = np.linalg.norm(body.basis[body.samples] @ state.velocities, axis=1)
        if speeds.max() < STILL * body.size:
            break
    return replace(state, velocities=np.zeros_like(state.velocities))


def disturbed(
    body: ReducedBody, state: ReducedState, surroundings: Surroundings, noise: float, generator: np.random.Generator
) -> ReducedState:
    """``state`` with its nodes moved at random, by ``noise`` × size in the root mean square, out of the ground."""
    # The basis is orthonormal in the mass: the squares of all coordinates add up to that of the nodes.
    shift = noise * body.size / np.sqrt(state.coordinates.size) * generator.standard_normal(state.coordinates.shape)
    return replace(state, coordinates=_lifted(body, state.coordinates + shift, surroundings))


def _lifted(body: ReducedBody, coordinates: Floats, surroundings: Surroundings) -> Floats:
    """``coordinates`` moved up until no sample is in the ground."""
    depth = -ground_of(surroundings).gaps(body.basis[body.samples] @ coordinates).min()
    lifted = coordinates.copy()
    lifted[0, 1] += max(0.0, float(depth))
    return lifted
