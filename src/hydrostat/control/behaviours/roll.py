"""Roll: lean ahead of what one stands on, and keep leaning while the body turns below (T2012 section 7).

A round body that is longest along its rising diagonal touches the ground behind its centre of mass and falls forward.
Where it keeps that shape in the world, its material goes round in it, and it never stops falling.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from hydrostat.arrays import Floats
from hydrostat.control.goals import (
    AngularMomentum,
    Elongation,
    Goal,
    LinearMomentum,
    Moment,
    Planted,
    Velocity,
    constant,
)
from hydrostat.control.places import centre_of_mass
from hydrostat.control.plans import Behaviour, Clock, Phase, Plan, phased
from hydrostat.stepping.world import World

RIGHT, LEFT = 1.0, -1.0  # along x
UPRIGHT = 0.0
# Feedback on the height of the centre of mass, 1/s² and 1/s.
STEADY = (100.0, 20.0)


@dataclass(frozen=True)
class Roll:
    """Roll along x, for a round body whose muscles can make it an ellipse.

    ahead: how far in front of what it stands on the centre of mass shall be, over the body's radius. The moment of the
    weight over that arm, for the O T2012's 200 N·m, is the desired change of angular momentum about what it stands on.
    It asks for a lean, with lean_weight and a feedback of stiffness 1/s² and damping 1/s; for turning, with
    turning_weight; and for going forward, with forward_weight. The centre of mass keeps its height with steady_weight,
    so that nothing bounces, and what touches stays where it is with planted_weight. settling: s before it starts.
    release: s in which the muscles let go in the end.
    """

    ahead: float = 0.236
    stiffness: float = 50.0
    damping: float = 14.0
    lean_weight: float = 10.0
    turning_weight: float = 1.0
    forward_weight: float = 5.0
    steady_weight: float = 5.0
    planted_weight: float = 1.0
    settling: float = 0.5
    release: float = 0.8

    def away(self, seconds: float) -> Behaviour:
        """Roll to the right for ``seconds``, let go and roll on without muscles."""
        return self._from_rest({"right": self._roll(RIGHT, _after(seconds), "let go")})

    def away_and_back(self, speed: float) -> Behaviour:
        """Roll to the right until ``speed`` m/s, then lean to the left: slow down, stop and come back; then let go."""
        right = self._roll(RIGHT, lambda moment, clock: _speed(moment) >= speed, "left")
        left = self._roll(LEFT, lambda moment, clock: _speed(moment) <= -speed, "let go")
        return self._from_rest({"right": right, "left": left})

    def goals(self, moment: Moment, direction: float, height: float) -> list[Goal]:
        """Roll to the RIGHT or LEFT or stay UPRIGHT and roll on, with the centre of mass at ``height`` m."""
        world, (lean, turning, forward) = moment.world, direction * self.motion(moment.world)
        centre, speed = centre_of_mass(world), _speed(moment) + world.dt * forward
        return [
            AngularMomentum(constant((0.0, 0.0, -turning)), 0.0, self.turning_weight, (0.0, 0.0, 1.0)),
            Velocity(centre, constant((speed, 0.0, 0.0)), self.forward_weight, (1.0, 0.0, 0.0)),
            LinearMomentum(centre, constant((0.0, height, 0.0)), *STEADY, self.steady_weight, (0.0, 1.0, 0.0)),
            Elongation(lambda time: np.array([0.0, lean]), self.stiffness, self.damping, self.lean_weight),
            Planted(self.planted_weight),
        ]

    def motion(self, world: World) -> Floats:
        """The lean, m², the change of angular momentum, N·m, and the acceleration, m/s², of rolling.

        An ellipse with half axes a and b, longest at 45°, touches the ground (a² − b²) / 2r beside its centre, which is
        r = √((a² + b²) / 2) above it. Its second moments are to each other as a² to b², and s in the mean: for an arm
        of d the lean is s d / r. A wheel with I = 2ms turns with m g d / (I + m r²), its centre moves r times as fast.
        """
        rest, mass, shares = world.body.rest_positions, world.body.mass, centre_of_mass(world)
        radius = np.ptp(rest[:, 1]) / 2.0
        second_moment = shares @ ((rest - shares @ rest)[:, :2] ** 2).mean(axis=1)
        turning = np.linalg.norm(world.gravity) * self.ahead * radius / (2.0 * second_moment + radius**2)
        return np.array([self.ahead * second_moment, 2.0 * mass * second_moment * turning, radius * turning])

    def _from_rest(self, rolling: dict[str, Phase]) -> Behaviour:
        """Settle, do the phases of ``rolling``, let go and coast."""
        phases = {
            "settle": Phase(_relaxed, _after(self.settling), next(iter(rolling)), _height),
            **rolling,
            "let go": Phase(self._let_go, _after(self.release), "coast", _height),
            "coast": Phase(_relaxed, lambda moment, clock: False, "coast", _height),
        }
        return phased(phases, "settle")

    def _roll(self, direction: float, over: Callable[[Moment, Clock], bool], following: str) -> Phase:
        """Roll to the RIGHT or LEFT until it is ``over``."""

        def plan(moment: Moment, clock: Clock) -> Plan:
            return Plan(self.goals(moment, direction, clock.mark[0]))

        return Phase(plan, over, following, _height)

    def _let_go(self, moment: Moment, clock: Clock) -> Plan:
        """Upright again, with muscles that can do less and less."""
        return Plan(self.goals(moment, UPRIGHT, clock.mark[0]), ceiling=1.0 - clock.elapsed / self.release)


def _relaxed(moment: Moment, clock: Clock) -> Plan:
    return Plan([], ceiling=0.0)


def _after(seconds: float) -> Callable[[Moment, Clock], bool]:
    return lambda moment, clock: clock.elapsed > seconds - moment.world.dt / 2.0


def _speed(moment: Moment) -> float:
    """Of the centre of mass along x, m/s."""
    return float(centre_of_mass(moment.world) @ moment.state.velocities[:, 0])


def _height(moment: Moment) -> Floats:
    """Of the centre of mass, (1,) m."""
    return np.array([centre_of_mass(moment.world) @ moment.state.positions[:, 1]])
