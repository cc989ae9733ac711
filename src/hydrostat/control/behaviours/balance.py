"""Stay upright: goals for the centre of mass over the base; and a recovery from hard pushes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hydrostat.arrays import Bools, Floats, Ints
from hydrostat.control.goals import AngularMomentum, BaseArea, Goal, LinearMomentum, Moment, constant
from hydrostat.control.places import centre_of_mass, mean_of
from hydrostat.control.plans import Behaviour, Plan
from hydrostat.stepping.world import World

HORIZONTAL, VERTICAL = (1.0, 0.0, 1.0), (0.0, 1.0, 0.0)
ALARM = "alarm"


@dataclass(frozen=True)
class Balance:
    """Stay upright: the centre of mass over the base, and no turning (T2012 section 5.2, after Macchietto).

    stiffness 1/s², damping 1/s: feedback on the centre of mass, which is to be over its base where it is at rest.
    height: of the centre of mass over the base, over that at rest. turning 1/s: rate at which angular momentum is
    damped, with turning_weight against the weight 1 of the centre of mass. widening: m²/s, rate at which the base
    grows, with widening_weight; 0 leaves it alone.
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
        aim = constant(over_base @ world.body.rest_positions * [1.0, self.height, 1.0])
        goals: list[Goal] = [
            LinearMomentum(over_base, aim, self.stiffness, self.damping),
            AngularMomentum(damping=self.turning, weight=self.turning_weight),
        ]
        if self.widening:
            goals.append(BaseArea(base_triangles(world), lambda time: self.widening, self.widening_weight))
        return goals


@dataclass(frozen=True)
class Recovery:
    """Stay upright against hard pushes: a base that widens and a body that sinks when a fall is near.

    How near, is told by the alarm, see ``alarm``: 0 while the capture point is within ``near`` of the way from the
    centre of the base to its rim, 1 beyond ``far``; it fades within ``calm`` s.

    stiffness 1/s², damping 1/s: feedback on the centre of mass over the base. turning 1/s, turning_weight: see
    ``Balance``. stance, brace: height that the centre of mass strives for while all is well and at full alarm, over
    that at rest. Both are lower than it gets, which keeps muscles tense. A muscle can only pull; one that is tense can
    also let go, and that is what pushes a body up and back.
    growth: share by which the base grows at full alarm, within ``widening`` s. Volume is kept, so a wider base is a
    lower body.
    """

    stiffness: float = 40.0
    damping: float = 40.0
    turning: float = 3.0
    turning_weight: float = 0.8
    stance: float = 0.77
    brace: float = 0.56
    growth: float = 0.3
    widening: float = 0.11
    near: float = 0.1
    far: float = 0.4
    calm: float = 1.0

    def behaviour(self, world: World) -> Behaviour:
        """The behaviour of a body whose base is what touches the ground at rest."""
        rest = world.body.rest_positions
        whole, base, head = centre_of_mass(world), base_of(world), head_of(world)
        area = BaseArea(base_triangles(world), lambda time: 0.0)
        width = area.area(rest)
        height = float((whole - base) @ rest[:, 1])

        def plan(moment: Moment) -> Plan:
            positions = moment.state.positions
            alarm = self.alarm(moment)
            growth = (width * (1.0 + self.growth * alarm) - area.area(positions)) / self.widening
            centre = base @ positions
            low = height * (self.stance + alarm * (self.brace - self.stance))
            goals: list[Goal] = [
                LinearMomentum(whole, lambda time: centre, self.stiffness, self.damping, axes=HORIZONTAL),
                LinearMomentum(whole - base, constant((0.0, low, 0.0)), *LOW, weight=LOW_WEIGHT, axes=VERTICAL),
                LinearMomentum(
                    head - whole, constant((0.0, 0.0, 0.0)), *UPRIGHT, weight=UPRIGHT_WEIGHT, axes=HORIZONTAL
                ),
                AngularMomentum(damping=self.turning, weight=self.turning_weight),
                BaseArea(area.triangles, lambda time: growth),
            ]
            return Plan(goals, {ALARM: np.array([alarm])})

        return plan

    def alarm(self, moment: Moment) -> float:
        """0 to 1: how near to a fall the body is, or was less than ``calm`` s ago."""
        span = (capture(moment) - self.near) / (self.far - self.near)
        before = float(moment.state.memory[ALARM][0]) if ALARM in moment.state.memory else 0.0
        return max(float(np.clip(span, 0.0, 1.0)), before - moment.world.dt / self.calm)


# Feedback (1/s², 1/s) on the height and on the head over the centre of mass, and what they weigh against the rest.
LOW, LOW_WEIGHT = (180.0, 25.0), 0.12
UPRIGHT, UPRIGHT_WEIGHT = (35.0, 8.0), 0.12


def capture(moment: Moment) -> float:
    """Where the capture point is on the way from the centre of the base, 0, to its rim, 1.

    The capture point c + ċ √(h/g) is where a pendulum of height h would have to stand to come to rest upright.
    """
    world, state = moment.world, moment.state
    whole, base = centre_of_mass(world), base_of(world)
    height = max(float(whole @ state.positions[:, 1] - state.positions[base > 0.0, 1].min()), 1e-3)
    fall = np.sqrt(height / np.linalg.norm(world.gravity))
    ahead = ((whole - base) @ state.positions + fall * (whole @ state.velocities)) * HORIZONTAL
    distance = float(np.linalg.norm(ahead))
    return distance / extent(moment, ahead / distance) if distance > 0.0 else 0.0


def extent(moment: Moment, direction: Floats) -> float:
    """How far the base reaches from its centre into ``direction`` (3,), m."""
    base, positions = base_of(moment.world), moment.state.positions
    return float(((positions[base > 0.0] - base @ positions) @ direction).max())


def head_of(world: World) -> Floats:
    """The top, as a place: the mean of the nodes that are highest at rest, (n,)."""
    heights = world.body.rest_positions[:, 1]
    return mean_of(world, np.flatnonzero(heights > heights.max() - 1e-3))


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
