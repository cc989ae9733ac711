"""A trial: a gait is played on a body, measured and scored. It is what workers are sent."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from hydrostat.actuation.sines import Sines
from hydrostat.arrays import Floats
from hydrostat.bodies.reduced import ReducedBody, ReducedState, Surroundings, Trajectory, rest_state, rollout
from hydrostat.errors import InputError, StepError
from hydrostat.geometry.mesh_cache import key
from hydrostat.search.gaits import GaitSpace
from hydrostat.search.objectives import BLOWN_UP, Objective
from hydrostat.search.outcomes import Outcome, outcome_of


@dataclass(frozen=True)
class Trial:
    """What gaits are tried on: ``steps`` steps of ``body`` from its rest shape on the ground.

    space: the gaits. direction: (3,), horizontal, of length 1: where to go.
    """

    body: ReducedBody
    space: GaitSpace
    objective: Objective
    surroundings: Surroundings
    direction: tuple[float, float, float]
    steps: int

    def __post_init__(self) -> None:
        """Refuse trials that show nothing."""
        if self.steps < 2:
            raise InputError(f"{self.steps} steps", "at least 2", "try 5 seconds")
        if self.direction[1] != 0.0 or not abs(np.linalg.norm(self.direction) - 1.0) < 1e-9:
            raise InputError(f"the direction is {self.direction}", "a horizontal unit vector", "set y to 0")

    def __call__(self, point: Floats) -> float:
        """The score of the gait at a point of the unit cube."""
        try:
            motion = self.motion(self.space.gait(point))
        except StepError:
            return BLOWN_UP
        return self.objective.score(self.outcome(motion))

    def motion(self, gait: Sines, start: ReducedState | None = None) -> Trajectory:
        """The body driven by ``gait``, from rest or from ``start``."""
        times = self.surroundings.dt * np.arange(1, self.steps + 1)
        first = rest_state(self.body) if start is None else start
        return rollout(self.body, first, gait.values(times), self.surroundings)

    def outcome(self, motion: Trajectory) -> Outcome:
        """What a motion of this body amounts to."""
        # The first coordinate is the centre of mass; of the others, the affine map from the rest shape that fits best.
        gradients = (self._affine_fit @ motion.coordinates[:, 1:]).transpose(0, 2, 1)
        return outcome_of(motion.centres, gradients, motion.work, np.array(self.direction))

    @cached_property
    def _affine_fit(self) -> Floats:
        """(3, k - 1): least squares weighs nodes by their mass, as coordinates beyond the first do already."""
        return np.linalg.pinv(self.body.rest_coordinates[1:])

    @property
    def length(self) -> float:
        """Body length: extent of the rest shape along the direction, m."""
        return float(np.ptp(self.body.mesh.vertices @ np.array(self.direction)))

    def identity(self) -> str:
        """A name that changes with everything that the scores depend on."""
        body, space, surroundings = self.body, self.space, self.surroundings
        ground = None if surroundings.ground is None else json.dumps(surroundings.ground.describe())
        return key(
            *(body.mesh.vertices, body.mesh.tets, body.basis, body.stiffnesses, body.actuation_stiffness),
            *(body.passive, body.actuation, body.samples, body.mass),
            *(space.amplitudes, repr((space.sinusoids, space.periods, space.phases, space.chosen))),
            *(ground, repr((surroundings.dt, surroundings.gravity, surroundings.friction, surroundings.iterations))),
            *(repr(self.objective), repr(self.direction), self.steps),
        )
