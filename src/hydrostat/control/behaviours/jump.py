"""Jump: crouch, push off, fly and land (T2012 section 7)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from hydrostat.arrays import Floats
from hydrostat.control.behaviours.balance import base_of
from hydrostat.control.goals import AngularMomentum, Goal, LinearMomentum, Moment, Planted, Target, constant
from hydrostat.control.places import centre_of_mass, mean_of
from hydrostat.control.plans import Behaviour, Clock, Phase, Plan, phased
from hydrostat.stepping.world import World

# Feedback on the centre of mass (1/s², 1/s): stiff along a fast trajectory, soft in flight and on landing.
TIGHT, SOFT = (400.0, 40.0), (60.0, 12.0)
# The head stays above the base by this feedback, with this weight against the weight 1 of the centre of mass.
POSTURE, POSTURE_WEIGHT = (100.0, 20.0), 0.3
TURNING, TURNING_WEIGHT = 6.0, 0.3  # 1/s, rate at which angular momentum is damped on the ground; its weight
PLANTED = 1.0  # weight that keeps the feet where they are
CTURN=0.0
PTURN=0.0
PTURN_WEIGHT=0.3
PUSH=(400.0,40.0)
OPEN = 0.003  # gap of feet that have left the ground, in heights of the centre of mass
SHORTEST_FLIGHT = 0.1  # s, within which a foot that still drags is no landing


@dataclass(frozen=True)
class Jump:
    """``times`` jumps in a row, with standing before and after.

    rise, forward m/s: velocity of the centre of mass at take-off, up and along x. Lengths are shares of the height of
    the centre of mass over its base at rest: crouch, its height before the push; lean, how far it is ahead of the
    base then; reach, how far the base is put ahead of it for landing. twist N·m: rate of the angular momentum about
    the vertical during the push. Times in s: standing before every jump, crouching, and pushing.
    """

    times: int = 1
    rise: float = 2.0
    forward: float = 0.0
    crouch: float = 0.75
    lean: float = 0.0
    reach: float = 0.0
    twist: float = 0.0
    standing: float = 0.5
    crouching: float = 0.45
    pushing: float = 0.15
    stand_height: float = 0.98
    fly_height: float = 1.0

    def behaviour(self, world: World) -> Behaviour:
        """Stand, crouch, push and fly ``times`` times, then stand."""
        return phased(self.phases(world), "stand 1")

    def phases(self, world: World) -> dict[str, Phase]:
        """The phases by name; each jump has its own four, so that their names count the jumps."""
        trunk = Trunk.of(world)
        phases: dict[str, Phase] = {}
        for jump in range(1, self.times + 1):
            phases[f"stand {jump}"] = self._stand(trunk, self.standing, f"crouch {jump}")
            phases[f"crouch {jump}"] = self._crouch(trunk, f"push {jump}")
            phases[f"push {jump}"] = self._push(trunk, f"fly {jump}")
            phases[f"fly {jump}"] = self._fly(trunk, f"stand {jump + 1}")
        phases[f"stand {self.times + 1}"] = self._stand(trunk, np.inf, "")
        return phases

    def _stand(self, trunk: Trunk, seconds: float, following: str) -> Phase:
        goals = trunk.grounded(constant((0.0, self.stand_height * trunk.height, 0.0)), SOFT)
        return Phase(lambda moment, clock: Plan(goals), lambda moment, clock: clock.elapsed > seconds, following)

    def _crouch(self, trunk: Trunk, following: str) -> Phase:
        """The centre of mass sinks and comes to rest; and it tips forward, faster and faster."""

        def plan(moment: Moment, clock: Clock) -> Plan:
            start, began = clock.mark, moment.state.time - clock.elapsed
            end = trunk.height * np.array([self.lean, self.crouch, 0.0])

            def over(time: float) -> Floats:
                share = max((time - began) / self.crouching, 0.0)
                tip = share**3 if share < 1.0 else 3.0 * share - 2.0
                return start + (end - start) * [tip, _smooth(share), _smooth(share)]

            return Plan(trunk.grounded(over, TIGHT, CTURN))

        return Phase(plan, lambda moment, clock: clock.elapsed > self.crouching, following, trunk.over_base)

    def _push(self, trunk: Trunk, following: str) -> Phase:
        """The centre of mass speeds up evenly to its velocity at take-off, and keeps it until the feet are free."""
        speed = np.array([self.forward, self.rise, 0.0])

        def plan(moment: Moment, clock: Clock) -> Plan:
            (start, slow), began = clock.mark.reshape(2, 3), moment.state.time - clock.elapsed

            def target(time: float) -> Floats:
                past = max(time - began, 0.0)
                share = past / self.pushing
                gained = 0.5 * share**2 if share < 1.0 else share - 0.5
                return start + slow * past + (speed - slow) * self.pushing * gained

            turning = AngularMomentum(constant((0.0, self.twist, 0.0)), damping=PTURN, weight=PTURN_WEIGHT)
            return Plan([LinearMomentum(trunk.centre, target, *PUSH), turning])

        def over(moment: Moment, clock: Clock) -> bool:
            return clock.elapsed > self.pushing or trunk.in_the_air(moment)

        def mark(moment: Moment) -> Floats:
            return np.concatenate([trunk.centre @ moment.state.positions, trunk.centre @ moment.state.velocities])

        return Phase(plan, over, following, mark)

    def _fly(self, trunk: Trunk, following: str) -> Phase:
        over_base = constant((-self.reach * trunk.height, self.fly_height * trunk.height, 0.0))
        goals: list[Goal] = [
            LinearMomentum(trunk.over, over_base, *SOFT),
            trunk.along(over_base),
        ]

        def over(moment: Moment, clock: Clock) -> bool:
            return clock.elapsed > SHORTEST_FLIGHT and not trunk.in_the_air(moment)

        return Phase(lambda moment, clock: Plan(goals), over, following)


@dataclass(frozen=True)
class Trunk:
    """What a jump speaks of: places (n,), and the height of the centre of mass over the base at rest, m."""

    centre: Floats
    base: Floats
    head: Floats
    height: float
    tall: float

    @classmethod
    def of(cls, world: World) -> Trunk:
        """The trunk between the base and the top of a body."""
        rest = world.body.rest_positions
        centre, base = centre_of_mass(world), base_of(world)
        head = mean_of(world, np.flatnonzero(rest[:, 1] > rest[:, 1].max() - 1e-3))
        return cls(centre, base, head, float((centre - base) @ rest[:, 1]), float((head - base) @ rest[:, 1]))

    @property
    def over(self) -> Floats:
        """The centre of mass relative to the base, (n,)."""
        return self.centre - self.base

    def over_base(self, moment: Moment) -> Floats:
        """Where the centre of mass is over the base, (3,) m."""
        place: Floats = self.over @ moment.state.positions
        return place

    def along(self, over: Target) -> Goal:
        """The head is in line with the base and the target of the centre of mass over it."""
        longer = self.tall / self.height
        return LinearMomentum(
            self.head - self.base,
            lambda time: longer * over(time),
            *POSTURE,
            weight=POSTURE_WEIGHT,
            axes=(1.0, 0.0, 1.0),
        )

    def grounded(self, over: Target, feedback: tuple[float, float], turning: float=0.3) -> list[Goal]:
        """Goals while the feet stay where they are and the centre of mass is at ``over`` above them."""
        return [
            LinearMomentum(self.over, over, *feedback),
            AngularMomentum(damping=TURNING, weight=turning),
            self.along(over),
            Planted(PLANTED),
        ]

    def in_the_air(self, moment: Moment) -> bool:
        """Whether nothing touches the ground or will before the step ends."""
        contacts = moment.contacts
        return not len(contacts) or bool(contacts.gaps.min() > OPEN * self.height)


def _smooth(share: float) -> float:
    """From 0 to 1, beginning and ending at rest."""
    share = min(max(share, 0.0), 1.0)
    return share**2 * (3.0 - 2.0 * share)
