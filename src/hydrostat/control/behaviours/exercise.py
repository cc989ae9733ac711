"""Morning exercises: the centre of mass swings from side to side while the feet stay (T2012 Figure 4)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hydrostat.arrays import Floats
from hydrostat.control.goals import AngularMomentum, Goal, LinearMomentum, Planted, constant
from hydrostat.control.places import centre_of_mass, mean_of
from hydrostat.stepping.world import World

# Parts of the body whose posture is kept: shares of its height, each on the left and on the right.
PARTS = ((0.4, 0.65), (0.8, 1.0))


@dataclass(frozen=True)
class Exercise:
    """Swing the centre of mass along x on a sine, standing on both feet.

    amplitude: share of the body's height. period s. settle s: time over which the swing grows from nothing to its full
    size. stance: height of the centre of mass against its height at rest. stiffness 1/s², damping 1/s: feedback on the
    centre of mass. posture 1/s², 1/s: feedback that keeps the body in its plane, with posture_weight against the weight
    1 of the centre of mass. turning 1/s: rate at which angular momentum is damped, with turning_weight. planted: weight
    that keeps the feet where they are, upward: the same against lifting them.
    """

    amplitude: float = 0.11
    period: float = 2.4
    settle: float = 1.0
    stance: float = 1.005
    stiffness: float = 250.0
    damping: float = 25.0
    posture: tuple[float, float] = (60.0, 12.0)
    posture_weight: float = 0.3
    turning: float = 6.0
    turning_weight: float = 0.3
    planted: float = 4.0
    upward: float = 0.0

    def target(self, world: World, time: float) -> Floats:
        """Where the centre of mass should be at ``time`` s, (3,) m."""
        centre = centre_of_mass(world) @ world.body.rest_positions * [1.0, self.stance, 1.0]
        grown = np.clip(time / self.settle, 0.0, 1.0)
        share = grown**2 * (3.0 - 2.0 * grown) * np.sin(2.0 * np.pi * time / self.period)
        sway = share * self.amplitude * float(np.ptp(world.body.rest_positions[:, 1]))
        return centre + np.array([sway, 0.0, 0.0])

    def goals(self, world: World) -> list[Goal]:
        """The goals for a body that stands where it stands at rest."""
        centre = centre_of_mass(world)
        return [
            LinearMomentum(centre, lambda time: self.target(world, time), self.stiffness, self.damping),
            AngularMomentum(damping=self.turning, weight=self.turning_weight),
            Planted(self.planted, self.upward),
            *(self._in_plane(world, place) for place in parts_of(world)),
        ]

    def _in_plane(self, world: World, place: Floats) -> LinearMomentum:
        """A part of the body that stays where it is from front to back."""
        rest = constant(tuple(place @ world.body.rest_positions))
        return LinearMomentum(place, rest, *self.posture, weight=self.posture_weight, axes=(0.0, 0.0, 1.0))


def parts_of(world: World) -> list[Floats]:
    """The parts of a body whose posture counts, as places (n,): left and right, at the heights of `PARTS`."""
    rest = world.body.rest_positions
    low, tall, middle = rest[:, 1].min(), np.ptp(rest[:, 1]), (rest[:, 0].min() + rest[:, 0].max()) / 2.0
    heights = (rest[:, 1] - low) / tall
    found = []
    for least, most in PARTS:
        for side in (-1.0, 1.0):
            nodes = np.flatnonzero((heights >= least) & (heights <= most) & (side * (rest[:, 0] - middle) >= 0.0))
            if len(nodes):
                found.append(mean_of(world, nodes))
    return found
