"""Walk: feet go along arcs from foothold to foothold, the weight stays over those that stand (T2012 section 7)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hydrostat.arrays import Floats, Ints
from hydrostat.control.behaviours.gait import LANDING, Gait, arc
from hydrostat.control.goals import AngularMomentum, Goal, LinearMomentum, Moment, Target, constant
from hydrostat.control.places import centre_of_mass, mean_of
from hydrostat.control.plans import Behaviour, Plan
from hydrostat.stepping.world import World

# Shares of the body's height: what is higher at rest is its trunk; a foot has landed whose lowest node is lower.
TRUNK, LANDED = 0.7, 4e-3
# Share of a swing in which a foot leaves the ground.
LEAVING = 0.4
LEVEL = np.array([1.0, 0.0, 1.0])

Gains = tuple[float, float]
Axes = tuple[float, float, float]


@dataclass(frozen=True)
class Walk:
    """Walk along x over level ground: the corners of every foot follow an arc, or stay where they came down.

    Pairs are stiffness 1/s² and damping 1/s of a feedback, with a weight, or one for each axis. balance: of the centre
    of mass. swing: of the corners of a foot in the air, stance: of those of a foot that stands; height counts most:
    what swings must leave the ground before it goes, what stands must not. trunk: of the length and breadth of what is
    high at rest, which keep it level and heading ahead. turning 1/s: rate at which angular momentum is damped.
    """

    gait: Gait
    balance: Gains = (150.0, 22.0)
    balance_weight: float = 50.0
    swing: Gains = (400.0, 40.0)
    swing_axes: Axes = (1.0, 3.0, 1.0)
    stance: Gains = (400.0, 40.0)
    stance_axes: Axes = (2.0, 6.0, 2.0)
    trunk: Gains = (100.0, 18.0)
    trunk_weight: float = 0.6
    turning: float = 6.0
    turning_weight: float = 0.1

    def behaviour(self, world: World, feet: Sequence[Ints]) -> Behaviour:
        """The behaviour of a body that stands on ``feet`` at rest: the nodes of every sole.

        It remembers its clock, which waits for feet that are late, where the corners of all feet stood last, and which
        of the swinging feet are down already: they stay where they came down.
        """
        corners = np.array([corners_of(world, foot) for foot in feet])
        homes = world.body.rest_positions[corners]
        posture = self._posture(world)

        def behaviour(moment: Moment) -> Plan:
            clock, planted, landed = self._remembered(moment, feet, corners)
            ahead = clock - moment.state.time
            in_air = [foot for foot in self.gait.swinging(clock) if not landed[foot]]
            goals = [*posture, self._balance(world, homes, ahead)]
            for foot, nodes in enumerate(corners):
                if foot in in_air:
                    arcs = self._arcs(foot, planted[foot], homes[foot], clock, ahead)
                    goals += _track(world, nodes, arcs, self.swing, self.swing_axes)
                else:
                    goals += _track(world, nodes, [constant(p) for p in planted[foot]], self.stance, self.stance_axes)
            after = clock + world.dt
            if in_air and self.gait.step_at(after) > self.gait.step_at(clock):
                after = clock
            rising = in_air if self.gait.share(clock) < LEAVING else []
            return Plan(
                goals,
                {"clock": np.array([after]), "planted": planted, "landed": landed},
                leaving=np.concatenate([np.empty(0, dtype=np.int64), *(feet[foot] for foot in rising)]),
            )

        return behaviour

    def _remembered(self, moment: Moment, feet: Sequence[Ints], corners: Ints) -> tuple[float, Floats, Floats]:
        """The clock, where the corners stand or stood (f, 4, 3) m, and which of the swinging feet have landed (f,)."""
        state, world = moment.state, moment.world
        now = state.positions[corners] * LEVEL
        if "clock" not in state.memory:
            return 0.0, now, np.zeros(len(feet))
        clock, planted, landed = (state.memory[name].copy() for name in ("clock", "planted", "landed"))
        near = LANDED * world.body.rest_positions[:, 1].max()
        swinging = self.gait.swinging(float(clock[0]))
        for foot, nodes in enumerate(feet):
            down = world.ground.gaps(state.positions[nodes]).min() < near
            if foot not in swinging:
                landed[foot] = 0.0
            elif down and not landed[foot] and self.gait.share(float(clock[0])) > LEAVING:
                landed[foot], planted[foot] = 1.0, now[foot]
        return float(clock[0]), planted, landed

    def _posture(self, world: World) -> list[Goal]:
        """The goals that never change: no turning, and a trunk that lies as it does at rest."""
        rest = world.body.rest_positions
        high = rest[:, 1] > TRUNK * rest[:, 1].max()
        goals: list[Goal] = [AngularMomentum(damping=self.turning, weight=self.turning_weight)]
        for axis in (0, 2):
            ends = [mean_of(world, np.flatnonzero(high & (sign * rest[:, axis] > 0.0))) for sign in (1.0, -1.0)]
            along = ends[0] - ends[1]
            goals.append(LinearMomentum(along, constant(along @ rest), *self.trunk, weight=self.trunk_weight))
        return goals

    def _balance(self, world: World, homes: Floats, ahead: float) -> Goal:
        """The centre of mass where the gait wants it. ahead: of the clock to the time, s."""
        middle = centre_of_mass(world)
        height = float(middle @ world.body.rest_positions[:, 1])
        places = homes.mean(axis=1)[:, [0, 2]]

        def target(time: float) -> Floats:
            return self.gait.weight(places, time + ahead) + [0.0, height, 0.0]

        return LinearMomentum(middle, target, *self.balance, weight=self.balance_weight)

    def _arcs(self, foot: int, start: Floats, home: Floats, clock: float, ahead: float) -> list[Target]:
        """For every corner of ``foot`` the way from ``start`` (4, 3) m to where the step of ``clock`` ends."""
        gait, step = self.gait, self.gait.step_at(clock)
        end = home + [gait.ahead(foot, step + 1), 0.0, 0.0]

        def way(corner: int) -> Target:
            return lambda time: arc(
                start[corner],
                end[corner],
                gait.clearance,
                (time + ahead - gait.lift(step)) / (LANDING * gait.swing),
            )

        return [way(corner) for corner in range(len(start))]


def corners_of(world: World, foot: Ints) -> Ints:
    """The four nodes of ``foot`` that are farthest from each other."""
    points = world.body.rest_positions[foot]
    away = np.linalg.norm(points - points.mean(axis=0), axis=1)
    chosen = [int(away.argmax())]
    away = np.full(len(foot), np.inf)
    while len(chosen) < 4:
        away = np.minimum(away, np.linalg.norm(points - points[chosen[-1]], axis=1))
        chosen.append(int(away.argmax()))
    return foot[chosen]


def _track(world: World, nodes: Ints, targets: Sequence[Target], gains: Gains, axes: Axes) -> list[Goal]:
    """Every node after its own target."""
    return [
        LinearMomentum(mean_of(world, [node]), target, *gains, axes=axes)
        for node, target in zip(nodes, targets, strict=True)
    ]
