"""Walk on feet: a gait is an order of feet, and every step of it a shift of weight and a swing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hydrostat.arrays import Floats, Ints
from hydrostat.control.goals import AngularMomentum, Goal, LinearMomentum, Moment, Planted, Position, Velocity, constant
from hydrostat.control.places import body_point, centre_of_mass, mean_of
from hydrostat.control.plans import Behaviour, Plan
from hydrostat.stepping.world import World


@dataclass(frozen=True)
class Walk:
    """prototype"""

    order: tuple[tuple[int, ...], ...]
    pauses: tuple[float, ...]
    stride: float = 0.12
    clearance: float = 0.08
    swing: float = 0.5
    landing: float = 0.9
    margin: float = 0.07
    height: float = 1.0
    balance: tuple = (150.0, 22.0)
    balance_weight: float = 5.0
    foot_weight: float = 0.3
    foot: tuple = (400.0, 40.0)
    posture: tuple = (100.0, 18.0)
    posture_weight: float = 0.3
    turning: float = 6.0
    turning_weight: float = 0.1
    stance: tuple = (200.0, 28.0)
    stance_weight: float = 1.0
    settle: float = 0.3
    trunk: tuple = ((0.16, 0.34, 0.0), (-0.16, 0.34, 0.0), (0.0, 0.34, 0.16), (0.0, 0.34, -0.16))

    def behaviour(self, world: World, feet: Sequence[Ints]) -> Behaviour:
        rest = world.body.rest_positions
        middle = centre_of_mass(world)
        com0 = middle @ rest
        homes = np.array([rest[f].mean(axis=0) for f in feet])
        means = [mean_of(world, f) for f in feet]
        corners = np.array([corners_of(rest, f) for f in feet])
        points = [body_point(world, p) for p in self.trunk]
        sticks = [points[0] - points[1], points[2] - points[3]]
        dt = world.dt

        def behaviour(moment: Moment) -> Plan:
            state = moment.state
            memory = state.memory
            now = state.positions[corners]
            if "clock" in memory:
                clock, planted = float(memory["clock"][0]), memory["planted"].copy()
            else:
                clock, planted = 0.0, now * [1, 0, 1]
            step, into = self.at(clock)
            gaps = np.array([state.positions[f, 1].min() for f in feet])
            group = self.order[step % len(self.order)]
            airborne = group if into > 0 else ()
            if not (into > self.swing - dt and any(gaps[i] > 2e-3 for i in group)):
                clock += dt
            step, into = self.at(clock)
            group = self.order[step % len(self.order)]
            for i in airborne:
                if into <= 0 or i not in group:
                    planted[i] = now[i] * [1, 0, 1]

            def com(time):
                x, z = self.centre(clock + time - state.time - dt, homes)
                return np.array([x, self.height * com0[1], z])

            goals: list[Goal] = [
                LinearMomentum(middle, com, *self.balance, weight=self.balance_weight),
                AngularMomentum(damping=self.turning, weight=self.turning_weight),
            ]
            for stick in sticks:
                goals.append(LinearMomentum(stick, constant(stick @ rest), *self.posture, weight=self.posture_weight))
            for i, foot in enumerate(feet):
                swinging = into > 0 and i in group
                for j, c in enumerate(corners[i]):
                    place = np.zeros(len(rest)); place[c] = 1.0
                    if swinging:
                        to = self.foothold(step + 1, i, homes) + rest[c] - homes[i]

                        def path(time, frm=planted[i][j], to=to):
                            s = np.clip((into + time - state.time - dt) / (self.landing * self.swing), 0, 1)
                            p = frm + smooth(s) * (to - frm)
                            return p * [1, 0, 1] + [0, self.clearance * np.sin(np.pi * s) ** 2, 0]
                        goals.append(LinearMomentum(place, path, *self.foot, weight=self.foot_weight))
                    else:
                        goals.append(LinearMomentum(place, constant(planted[i][j]), *self.stance, weight=self.stance_weight))
            return Plan(goals, {"clock": np.array([clock]), "planted": planted, "step": np.array([float(2*step+(into>0))])}, leaving=np.concatenate([feet[i] for i in group]) if 0 < into < 0.6*self.swing else np.empty(0,int))

        return behaviour

    def slots(self):
        return np.array([p + self.swing for p in self.pauses])

    def at(self, clock):
        """step, time into swing (negative before)"""
        clock = clock - self.settle
        if clock < 0: return 0, clock - self.pauses[0]
        slots = self.slots(); T = slots.sum()
        n = len(slots)
        c, r = divmod(clock, T)
        ends = np.cumsum(slots)
        j = min(int(np.searchsorted(ends, r, side="right")), n - 1)
        return int(c) * n + j, r - (ends[j] - self.swing)

    def lift(self, step):
        slots = self.slots(); n = len(slots)
        c, j = divmod(step, n)
        return self.settle + c * slots.sum() + np.cumsum(slots)[j] - self.swing

    def foothold(self, steps, i, homes):
        """place of foot i after `steps` swings"""
        n = len(self.order)
        j = next(k for k, g in enumerate(self.order) if i in g)
        last = steps - 1 - (steps - 1 - j) % n
        ahead = self.stride * (last + 1) / n if last >= 0 else 0.0
        return homes[i] + np.array([ahead, 0, 0])

    def centre(self, clock, homes):
        n = len(self.order)
        def mean(step): return np.mean([self.foothold(step, i, homes)[0] for i in range(len(homes))])
        def knot(step): return self.lift(step) - 0.5 * self.pauses[step % n] if step>0 else 0.0
        def knots(step): return knot(step), mean(step)
        step = max(self.at(clock)[0], 0)
        while clock < knot(step) and step > 0: step -= 1
        while clock >= knot(step + 1): step += 1
        x = np.interp(clock, [knot(step), knot(step + 1)], [mean(step), mean(step + 1)])
        step, into = self.at(clock)
        z = self.aside(step, mean, homes)
        if into < 0:
            before = self.aside(step - 1, mean, homes) if step else 0.0
            p = self.pauses[step % n] + (self.settle if step == 0 else 0)
            z = before + smooth(np.clip(1 + into / p, 0, 1)) * (z - before)
        return x, z

    def aside(self, step, mean, homes):
        group = self.order[step % len(self.order)]
        x = 0.5 * (mean(step) + mean(step + 1))
        p = [self.foothold(step, i, homes)[[0, 2]] for i in range(len(homes)) if i not in group]
        cross = []
        for a in range(len(p)):
            for b in range(a):
                (x0, z0), (x1, z1) = p[a], p[b]
                if min(x0, x1) <= x <= max(x0, x1) and x1 != x0:
                    cross.append(z0 + (x - x0) / (x1 - x0) * (z1 - z0))
        lo, hi = min(cross) + self.margin, max(cross) - self.margin
        return 0.5 * (lo + hi) if lo > hi else float(np.clip(0.0, lo, hi))


def smooth(s):
    return s**3 * (10 - 15 * s + 6 * s * s)


def corners_of(rest: Floats, foot: Ints) -> Ints:
    """Four nodes of ``foot`` that are farthest from each other."""
    points = rest[foot]
    chosen = [int(np.argmax(np.linalg.norm(points - points.mean(axis=0), axis=1)))]
    while len(chosen) < min(4, len(foot)):
        distance = np.linalg.norm(points[:, None] - points[chosen], axis=2).min(axis=1)
        chosen.append(int(np.argmax(distance)))
    return foot[chosen]
