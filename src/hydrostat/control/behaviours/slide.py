"""Stay up while something pulls, on ground that is slippery: lean against the pull (T2012 section 7)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hydrostat.arrays import Floats
from hydrostat.control.behaviours.balance import HORIZONTAL, VERTICAL, base_of, head_of
from hydrostat.control.goals import AngularMomentum, Goal, LinearMomentum, Moment, constant
from hydrostat.control.places import centre_of_mass
from hydrostat.control.plans import Behaviour, Plan
from hydrostat.stepping.step import resultants
from hydrostat.stepping.world import World

FELT = "felt"


@dataclass(frozen=True)
class Lean:
    """The centre of mass as far from the centre of the base as the pull asks for, and no turning.

    How far, see ``lever``. stiffness 1/s², damping 1/s: feedback on it; used: how far out on the base the ground may
    carry the body, as a share of the way to the rim. turning 1/s, turning_weight and height: see ``Balance``.
    reaction: s, for which a pull goes unnoticed.
    """

    stiffness: float = 30.0
    damping: float = 12.0
    height: float = 0.9
    turning: float = 6.0
    turning_weight: float = 0.3
    reaction: float = 0.0
    straight_weight: float = 2.0

    def behaviour(self, world: World) -> Behaviour:
        """The behaviour of a body whose base is what touches the ground at rest."""
        rest = world.body.rest_positions
        over_base = centre_of_mass(world) - base_of(world)
        head = head_of(world) - centre_of_mass(world)
        level, above = over_base @ rest, head @ rest

        def plan(moment: Moment) -> Plan:
            pull, place = pull_on(moment)
            felt = self.felt(moment, pull)
            noticed = moment.state.time >= felt + self.reaction
            target = self.offset(moment, pull, place) if noticed else np.zeros(3)
            straight = above + (target - level) * above[1] / level[1]
            goals: list[Goal] = [
                LinearMomentum(over_base, lambda time: target, self.stiffness, self.damping, axes=HORIZONTAL),
                LinearMomentum(
                    over_base, constant((0.0, self.height * level[1], 0.0)), self.stiffness, self.damping, axes=VERTICAL
                ),
                LinearMomentum(head, lambda time: straight, *STRAIGHT, weight=self.straight_weight, axes=HORIZONTAL),
                AngularMomentum(damping=self.turning, weight=self.turning_weight),
            ]
            return Plan(goals, {FELT: np.array([felt])})

        return plan

    def felt(self, moment: Moment, pull: Floats) -> float:
        """Since when there has been a pull, s; a time that never comes while there is none."""
        before = float(moment.state.memory[FELT][0]) if FELT in moment.state.memory else FAR
        return min(before, moment.state.time) if pull.any() else FAR

    def offset(self, moment: Moment, pull: Floats, place: Floats) -> Floats:
        """Where the centre of mass should be, seen from the centre of the base, (3,) m: against the pull."""
        size = float(np.linalg.norm(pull))
        if size == 0.0:
            return np.zeros(3)
        return -lever(moment, size, float(place[1])) * pull / size


FAR = 1e9
STRAIGHT = (60.0, 12.0)


def pull_on(moment: Moment) -> tuple[Floats, Floats]:
    """All that pulls along the ground, (3,) N, and the place of its middle, (3,) m."""
    forces = moment.world.outside(moment.state).sum(axis=0, keepdims=True)
    place, force = resultants(forces, moment.state.positions)[0]
    return force * HORIZONTAL, place


def lever(moment: Moment, pull: float, height: float) -> float:
    """How far ahead of the centre of mass, m, the ground has to carry a body pulled at ``height`` m. T2012-(14a)

    Whether the base sticks or slides, friction holds back with all that the pull asks for, up to μ times the weight.
    """
    world, state = moment.world, moment.state
    whole = centre_of_mass(world) @ state.positions
    weight = world.body.mass * float(np.linalg.norm(world.gravity))
    lowest = float(state.positions[:, 1].min())
    friction = min(pull, world.friction.coefficient * weight)
    return (friction * (float(whole[1]) - lowest) + pull * (height - float(whole[1]))) / weight
