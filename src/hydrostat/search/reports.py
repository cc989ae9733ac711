"""What is told of a gait: how far, how straight, how smooth, and whether it works again."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from hydrostat.actuation.sines import Sines
from hydrostat.arrays import Floats
from hydrostat.bodies.reduced import Trajectory
from hydrostat.search.outcomes import Outcome, jitter
from hydrostat.search.starts import ground_of
from hydrostat.search.trials import Trial, replays

# A gait is played this often again, from poses with this noise, in sizes of the body.
REPLAYS, NOISE = 10, 0.01
# A walk goes this far, in body lengths, and keeps its heading this well, every time; no sample sinks deeper than this,
# in heights of the body.
FAR, STRAIGHT, DEEP = 1.0, 0.9, 0.005


@dataclass(frozen=True)
class Report:
    """A gait and what was measured of it."""

    trial: Trial
    gait: Sines

    @cached_property
    def motion(self) -> Trajectory:
        """What the body does from the first start."""
        return self.trial.motion(self.gait)

    @cached_property
    def outcome(self) -> Outcome:
        """What this motion amounts to."""
        return self.trial.outcome(self.motion)

    @cached_property
    def replays(self) -> list[Outcome]:
        """What the gait amounts to from poses with noise."""
        return replays(self.trial, self.gait, REPLAYS, NOISE, np.random.default_rng(0))

    @property
    def jitter(self) -> float:
        """See ``outcomes.jitter``, of the samples."""
        return jitter(self.motion.sample_positions(self.trial.body), self.trial.surroundings.dt)

    @cached_property
    def gaps(self) -> Floats:
        """How high every sample is over the ground in every frame, (T + 1, s) m."""
        ground = ground_of(self.trial.surroundings)
        return np.array([ground.gaps(points) for points in self.motion.sample_positions(self.trial.body)])

    @property
    def penetration(self) -> float:
        """The deepest that a sample was in the ground, in heights of the body."""
        return max(0.0, -float(self.gaps.min())) / self.trial.body.height

    @property
    def lift(self) -> float:
        """How high the samples that the ground bears at times rise, in heights of the body; the median."""
        bearing = (self.motion.impulses != 0.0).any(axis=(0, 2))
        return float(np.median(self.gaps[:, bearing].max(axis=0))) / self.trial.body.height if bearing.any() else 0.0

    def lengths(self, outcome: Outcome) -> float:
        """Distance in body lengths."""
        return outcome.distance / self.trial.length

    def walks(self, outcome: Outcome) -> bool:
        """Whether the body went far and straight."""
        return self.lengths(outcome) >= FAR and outcome.alignment >= STRAIGHT

    @property
    def walked_again(self) -> int:
        """How many of the replays were walks."""
        return sum(self.walks(outcome) for outcome in self.replays)
