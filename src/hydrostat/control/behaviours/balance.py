"""Stay upright: goals for the centre of mass over the base."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hydrostat.arrays import Bools, Floats, Ints
from hydrostat.control.goals import AngularMomentum, BaseArea, Goal, LinearMomentum, constant
from hydrostat.control.places import centre_of_mass, mean_of
from hydrostat.stepping.world import World


@dataclass(frozen=True)
class Balance:
    """Stay upright: the centre of mass over the base, and no turning (T2012 section 5.2, after Macchietto).

    stiffness 1/s², damping 1/s: feedback on the centre of mass relative to the centre of its base. height: of the
    centre of mass over the base, over that at rest. turning 1/s: rate at which angular momentum is damped, with
    turning_weight against the weight 1 of the centre of mass. widening: m²/s, rate at which the base grows, with
    widening_weight; 0 leaves it alone.
    """

    stiffness: float = 60.0
    damping: float = 12.0
    height: float = 0.98
    turning: float = 6.0
    turning_weight: float = 0.3
    widening: float = 0.0
    widening_weight: float = 0.1

    def goals(self, world: World) -> list[Goal]:
        """The goals for a body whose base is what touches the ground at rest."""
        over_base = centre_of_mass(world) - base_of(world)
        rest = over_base @ world.body.rest_positions
        aim = constant((0.0, self.height * float(rest[1]), 0.0))
        goals: list[Goal] = [
            LinearMomentum(over_base, aim, self.stiffness, self.damping),
            AngularMomentum(damping=self.turning, weight=self.turning_weight),
        ]
        if self.widening:
            goals.append(BaseArea(base_triangles(world), lambda time: self.widening, self.widening_weight))
        return goals


def base_of(world: World) -> Floats:
    """The centre of the base, as a place: the mean of the nodes that are on the ground at rest, (n,)."""
    return mean_of(world, np.flatnonzero(_on_ground(world)))


def base_triangles(world: World) -> Ints:
    """The surface triangles that lie on the ground at rest, seen from above counter-clockwise, (b, 3)."""
    faces = world.body.mesh.boundary
    return faces[_on_ground(world)[faces].all(axis=1)][:, ::-1]


def _on_ground(world: World) -> Bools:
    heights = world.body.rest_positions[:, 1]
    return heights < heights.min() + 1e-3
