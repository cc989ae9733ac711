"""Crawl: a body that lies along x shortens and lengthens, and what moves moves forward (T2012 section 7)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hydrostat.arrays import Floats
from hydrostat.control.goals import Goal, LinearMomentum, constant
from hydrostat.control.places import body_point
from hydrostat.stepping.world import World


@dataclass(frozen=True)
class Crawl:
    stride: float = 0.12
    period: float = 1.5
    grip: float = 0.2
    stiffness: float = 250.0
    damping: float = 25.0
    flat: float = 0.05
    sides: float = 1.0
    gripping: float = 1.0
    hollow: float = 0.0

    def length(self, time: float) -> float:
        return 1.0 - 0.5 * self.stride * (1.0 - float(np.cos(2.0 * np.pi * time / self.period)))

    def goals(self, world: World) -> list[Goal]:
        rest = world.body.rest_positions
        soles = soles_of(world, self.grip)
        front, rear = (np.mean(list(soles[end].values()), axis=0) for end in ("front", "rear"))
        middle = body_point(world, ((rest[:, 0].min() + rest[:, 0].max())/2, rest[:,1].min(), 0.0))
        goals = []
        for side in ("left", "right"):
            apart = soles["front"]["outer "+side] - soles["rear"]["outer "+side]
            span = apart @ rest[:, 0]
            goals.append(LinearMomentum(apart, lambda t, span=span: np.array([span * self.length(t), 0.0, 0.0]), self.stiffness, self.damping, axes=(1.0, 0.0, 1.0)))
        for end, sole in (("front", front), ("rear", rear)):
            for corner in soles[end].values():
                goals.append(LinearMomentum(corner - sole, constant(tuple((corner - sole) @ rest)), self.stiffness, self.damping, self.gripping, axes=(1.0, self.flat, self.sides)))
            goals.append(LinearMomentum(middle - sole, constant((0,self.hollow,0)), self.stiffness, self.damping, self.gripping, axes=(0.0, self.flat, 0.0)))
        return goals


def soles_of(world: World, grip: float) -> dict[str, dict[str, Floats]]:
    rest = world.body.rest_positions
    low, high = rest.min(axis=0), rest.max(axis=0)
    length = high[0] - low[0]
    centre = 0.5 * (low + high)
    waist = np.abs(rest[:, 0] - centre[0]) < 0.1 * length
    side = 0.9 * np.abs(rest[waist, 2] - centre[2]).max()
    return {
        end: {
            f"{place} {hand}": body_point(world, (x + inward * inset, low[1], centre[2] + s * side))
            for place, inset in (("outer", 0.0), ("inner", grip * length))
            for hand, s in (("left", -1.0), ("right", 1.0))
        }
        for end, x, inward in (("front", high[0], -1.0), ("rear", low[0], 1.0))
    }
