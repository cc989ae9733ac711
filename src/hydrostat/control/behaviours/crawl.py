"""Crawl: a body that lies along x shortens and lengthens; friction lets only what moves forward move (T2012 section 7).

The four corners of its underside have trajectories: along x only as seen from each other, so that how long the body is
is controlled and where it is left to contact. Whatever way the worm makes it owes to friction; on ground that is the
same forward and backward it gets nowhere.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hydrostat.arrays import Floats
from hydrostat.control.goals import Goal, LinearMomentum, Target, constant
from hydrostat.control.places import body_point
from hydrostat.control.plans import Behaviour, Plan
from hydrostat.stepping.world import World

ENDS, SIDES = ("front", "rear"), ("left", "right")
# The corners stand this share of the way from the middle line to the sides that the body has in its middle.
BESIDE = 0.9


@dataclass(frozen=True)
class Crawl:
    """Shorten and lengthen, for a body that lies along x, head toward +x.

    stride: by which the body shortens in a cycle, over its length; it moves on by that much less what slips. period s.
    resting: names of muscle groups that may not contract; without the upper ones a body bends upward as it shortens.

    grip: length of each end, over that of the body, whose underside keeps its shape so that it can hold on. hollow:
    height of the underside's middle over its ends, over the length of the body, so that the ends carry weight.
    flatness: weight of that height and of level ends against the weight 1 of length and grip; small, so that it
    decides only among ways to shorten. stiffness 1/s², damping 1/s: of all feedback.
    """

    stride: float = 0.125
    period: float = 1.5
    resting: tuple[str, ...] = ()
    grip: float = 0.2
    hollow: float = 0.01
    flatness: float = 0.3
    stiffness: float = 250.0
    damping: float = 25.0

    def length(self, time: float) -> float:
        """Wanted length at ``time`` s over that at rest."""
        return 1.0 - 0.5 * self.stride * (1.0 - float(np.cos(2.0 * np.pi * time / self.period)))

    def behaviour(self, world: World) -> Behaviour:
        """What it wants of the body in ``world``."""
        goals = self.goals(world)
        ceiling: Floats | float = 1.0
        if world.muscles is not None:
            names = np.array(world.muscles.names)
            ceiling = np.where(np.isin(names[world.muscles.groups], self.resting), 0.0, 1.0)
        return lambda moment: Plan(goals, ceiling=ceiling)

    def goals(self, world: World) -> list[Goal]:
        """Length of both sides, shape, line and height of both ends."""
        rest, soles = world.body.rest_positions, soles_of(world, self.grip)
        goals: list[Goal] = []
        for side in range(len(SIDES)):
            apart = soles["front"][side] - soles["rear"][side]
            goals.append(self._follow(apart, self._lengthwise(float(apart @ rest[:, 0])), (1.0, 0.0, 1.0)))
        raised = constant((0.0, self.hollow * float(np.ptp(rest[:, 0])), 0.0))
        for end in ENDS:
            centre = soles[end].mean(axis=0)
            for corner in soles[end] - centre:
                x, y, z = corner @ rest
                goals.append(self._follow(corner, constant((x, y, z)), (1.0, self.flatness, 1.0)))
            line = constant((0.0, 0.0, float(centre @ rest[:, 2])))
            goals.append(self._follow(centre, line, (0.0, 0.0, 1.0)))
            goals.append(self._follow(belly_of(world) - centre, raised, (0.0, self.flatness, 0.0)))
        return goals

    def _lengthwise(self, span: float) -> Target:
        return lambda time: np.array([span * self.length(time), 0.0, 0.0])

    def _follow(self, place: Floats, target: Target, axes: tuple[float, float, float]) -> LinearMomentum:
        return LinearMomentum(place, target, self.stiffness, self.damping, axes=axes)


def soles_of(world: World, grip: float) -> dict[str, Floats]:
    """By end, four places on the underside (4, n): left and right at the very end, and ``grip`` lengths further in."""
    low, high = world.body.rest_positions.min(axis=0), world.body.rest_positions.max(axis=0)
    inset = grip * (high[0] - low[0])
    middle, aside = 0.5 * (low[2] + high[2]), BESIDE * _half_width(world)
    return {
        end: np.array(
            [
                body_point(world, (x, low[1], middle + side * aside))
                for x in (outer, outer + inward * inset)
                for side in (-1.0, 1.0)
            ]
        )
        for end, outer, inward in zip(ENDS, (high[0], low[0]), (-1.0, 1.0), strict=True)
    }


def belly_of(world: World) -> Floats:
    """The middle of the underside, (n,)."""
    low, high = world.body.rest_positions.min(axis=0), world.body.rest_positions.max(axis=0)
    return body_point(world, (0.5 * (low[0] + high[0]), low[1], 0.5 * (low[2] + high[2])))


def _half_width(world: World) -> float:
    """Half the width of the body in its middle, m."""
    x, _, z = world.body.rest_positions.T
    waist = np.abs(x - 0.5 * (x.min() + x.max())) <= 0.1 * np.ptp(x)
    return 0.5 * float(np.ptp(z[waist]))
