"""A trial: a gait is played on a body, measured and scored. It is what workers are sent."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from hydrostat.actuation.sines import Sines
from hydrostat.arrays import Floats
from hydrostat.bodies.reduced import ReducedBody, ReducedState, Surroundings, Trajectory, rollout
from hydrostat.errors import InputError, StepError
from hydrostat.geometry.mesh_cache import key
from hydrostat.search.gaits import GaitSpace
from hydrostat.search.objectives import Objective
from hydrostat.search.outcomes import FAILED, Outcome, outcome_of
from hydrostat.search.starts import disturbed


@dataclass(frozen=True)
class Trial:
    """What gaits are tried on: ``steps`` steps of ``body`` from each of ``starts``.

    space: the gaits. direction: (3,), horizontal, of length 1: where to go. The first start is what turning and leaning
    are measured from; the others show whether a gait works from there only.
    """

    body: ReducedBody
    space: GaitSpace
    objective: Objective
    surroundings: Surroundings
    direction: tuple[float, float, float]
    steps: int
    starts: tuple[ReducedState, ...]

    def __post_init__(self) -> None:
        """Refuse trials that show nothing."""
        if not self.starts:
            raise InputError("no start", "at least one", "begin with settled(body, surroundings)")
        if self.steps < 2:
            raise InputError(f"{self.steps} steps", "at least 2", "try 5 seconds")
        if self.direction[1] != 0.0 or not abs(np.linalg.norm(self.direction) - 1.0) < 1e-9:
            raise InputError(f"the direction is {self.direction}", "a horizontal unit vector", "set y to 0")

    def __call__(self, point: Floats) -> float:
        """The score of the gait at a point of the unit cube: the worst from any start."""
        gait, worst = self.space.gait(point), -np.inf
        for start in self.starts:
            worst = max(worst, self.objective.score(self.tried(gait, start)))
            if worst >= 0.0:
                break  # no better than standing still: other starts would not make it good
        return worst

    def motion(self, gait: Sines, start: ReducedState | None = None) -> Trajectory:
        """The body driven by ``gait``, from ``start`` or the first start."""
        times: Floats = self.surroundings.dt * np.arange(1.0, self.steps + 1)
        return rollout(self.body, start or self.starts[0], gait.values(times), self.surroundings)

    def outcome(self, motion: Trajectory) -> Outcome:
        """What a motion of this body amounts to."""
        # The first coordinate is the centre of mass; the others are weighed by mass, so that they fit as the nodes do.
        shapes = motion.coordinates[:, 1:]
        return outcome_of(
            motion.centres,
            (self._affine_fit @ shapes).transpose(0, 2, 1),
            np.linalg.norm(shapes, axis=(1, 2)) / np.linalg.norm(self.starts[0].coordinates[1:]),
            motion.work,
            np.array(self.direction),
        )

    def tried(self, gait: Sines, start: ReducedState) -> Outcome:
        """What ``gait`` amounts to from ``start``, also where the simulation fails."""
        try:
            return self.outcome(self.motion(gait, start))
        except (StepError, np.linalg.LinAlgError):  # the second where numbers overflow within a step
            return FAILED

    @cached_property
    def _affine_fit(self) -> Floats:
        """(3, k - 1): from coordinates beyond the first to the affine map from the first start."""
        inverse: Floats = np.asarray(np.linalg.pinv(self.starts[0].coordinates[1:]), np.float64)
        return inverse

    @property
    def length(self) -> float:
        """Body length: extent along the direction at the first start, m."""
        return float(np.ptp(self.body.positions(self.starts[0].coordinates) @ np.array(self.direction)))

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
            *(start.coordinates for start in self.starts),
        )


def replays(trial: Trial, gait: Sines, count: int, noise: float, generator: np.random.Generator) -> list[Outcome]:
    """What ``gait`` amounts to from ``count`` other poses: the first start with ``noise``, in sizes of the body."""
    starts = (disturbed(trial.body, trial.starts[0], trial.surroundings, noise, generator) for _ in range(count))
    return [trial.tried(gait, start) for start in starts]
