"""Jump: crouch, push off, fly and land (T2012 section 7)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hydrostat.arrays import Floats
from hydrostat.control.behaviours.balance import base_of
from hydrostat.control.goals import AngularMomentum, Goal, LinearMomentum, Moment, Planted, Target, constant
from hydrostat.control.places import centre_of_mass, mean_of
from hydrostat.control.plans import Behaviour, Clock, Phase, Plan, phased
from hydrostat.stepping.world import World

# Feedback on places (1/s², 1/s). A stiff one shakes a soft body while it stands; the push is too short for that.
SOFT, FIRM, STIFF = (60.0, 12.0), (100.0, 20.0), (400.0, 40.0)
# Weights against the weight 1 of the centre of mass: of the head, in line with it; and of how the whole body turns,
# while it stands, while it crouches, and in the push, which must not leave the ground with a wrong spin.
POSTURE, STEADY, TURNING, SPIN = 0.3, 0.3, 0.1, 2.0
DAMPING = 6.0  # 1/s, rate at which turning is damped on the ground
SPINNING = 10.0  # 1/s, rate at which the push brings the turning to what it should be
# Weight of all goals while it stands: so small beside the effort that the body keeps its shape, and its soles flat.
CALM = 0.08
OPEN = 0.003  # gap of feet that have left the ground, in heights of the centre of mass
SHORTEST = 0.1  # s of flight, before which a foot that still drags is no landing
YIELDING = 0.03  # s, for which it gives way on landing at least
STOPPED = -0.1  # m/s, sinking no faster than this the body has landed


@dataclass(frozen=True)
class Jump:
    """``times`` jumps in a row along x, with standing before and after.

    rise, forward m/s: velocity of the centre of mass at take-off. spin 1/s: how the whole body turns then, about x, y
    and z; about z it brings the feet forward, about y it twists. Lengths are shares of the height of the centre of
    mass over its base at rest: crouch, its height before the push; lean, how far it tips ahead of the base until
    then; reach, how far the base is put ahead of it for landing. Times in s: standing before every jump, crouching,
    and pushing. brake 1/s: rate at which its fall is braked on landing.
    """

    times: int = 1
    rise: float = 2.0
    forward: float = 0.0
    spin: tuple[float, float, float] = (0.0, 0.0, 0.0)
    crouch: float = 0.75
    lean: float = 0.0
    reach: float = 0.0
    standing: float = 0.5
    crouching: float = 0.45
    pushing: float = 0.12
    brake: float = 3.0

    def behaviour(self, world: World) -> Behaviour:
        """Stand, crouch, push, fly and land ``times`` times, then stand."""
        return phased(self.phases(world), "stand 1")

    def phases(self, world: World) -> dict[str, Phase]:
        """The phases by name: every jump has five of its own, so that the phase tells which jump it is."""
        trunk = Trunk.of(world)
        phases: dict[str, Phase] = {}
        for jump in range(1, self.times + 1):
            phases[f"stand {jump}"] = self._stand(trunk, self.standing, f"crouch {jump}")
            phases[f"crouch {jump}"] = self._crouch(trunk, f"push {jump}")
            phases[f"push {jump}"] = self._push(trunk, f"fly {jump}")
            phases[f"fly {jump}"] = self._fly(trunk, f"land {jump}")
            phases[f"land {jump}"] = self._land(trunk, f"stand {jump + 1}")
        phases[f"stand {self.times + 1}"] = self._stand(trunk, np.inf, "")
        return phases

    def _stand(self, trunk: Trunk, seconds: float, following: str) -> Phase:
        goals = trunk.standing()
        return Phase(
            lambda moment, clock: Plan(goals), lambda moment, clock: clock.elapsed > seconds, following, trunk.mark
        )

    def _crouch(self, trunk: Trunk, following: str) -> Phase:
        """The centre of mass sinks and comes to rest there; meanwhile it tips forward, faster and faster."""
        end = trunk.height * np.array([self.lean, self.crouch, 0.0])

        def plan(moment: Moment, clock: Clock) -> Plan:
            (start, _, _), began = clock.mark.reshape(3, 3), moment.state.time - clock.elapsed

            def over(time: float) -> Floats:
                share = float(np.clip((time - began) / self.crouching, 0.0, 1.0))
                smooth = share**2 * (3.0 - 2.0 * share)
                return start + (end - start) * [share**3, smooth, smooth]

            return Plan(
                [
                    LinearMomentum(trunk.over, over, *FIRM),
                    AngularMomentum(damping=DAMPING, weight=TURNING),
                    trunk.in_line(over, POSTURE),
                    Planted(),
                ]
            )

        return Phase(plan, lambda moment, clock: clock.elapsed > self.crouching, following, trunk.mark)

    def _push(self, trunk: Trunk, following: str) -> Phase:
        """The centre of mass speeds up evenly to its velocity at take-off."""
        speed = np.array([self.forward, self.rise, 0.0])
        turning = SPINNING * trunk.inertia * np.array(self.spin)

        def plan(moment: Moment, clock: Clock) -> Plan:
            (_, start, slow), began = clock.mark.reshape(3, 3), moment.state.time - clock.elapsed

            def centre(time: float) -> Floats:
                past = time - began
                return start + slow * past + (speed - slow) * past**2 / (2.0 * self.pushing)

            return Plan(
                [
                    LinearMomentum(trunk.centre, centre, *STIFF),
                    AngularMomentum(lambda time: turning, SPINNING, SPIN),
                ]
            )

        def over(moment: Moment, clock: Clock) -> bool:
            return clock.elapsed > self.pushing or trunk.in_the_air(moment)

        return Phase(plan, over, following, trunk.mark)

    def _fly(self, trunk: Trunk, following: str) -> Phase:
        """Nothing moves the centre of mass now; the base moves ahead of it, for landing."""
        over = constant((-self.reach * trunk.height, trunk.height, 0.0))
        goals = [LinearMomentum(trunk.over, over, *SOFT)]

        def landed(moment: Moment, clock: Clock) -> bool:
            return clock.elapsed > SHORTEST and not trunk.in_the_air(moment)

        return Phase(lambda moment, clock: Plan(goals), landed, following, trunk.mark)

    def _land(self, trunk: Trunk, following: str) -> Phase:
        """It gives way until it sinks no more; on its own it would be as hard as its relaxed muscles."""
        braked = LinearMomentum(trunk.centre, constant((0.0, 0.0, 0.0)), 0.0, self.brake, axes=(0.0, 1.0, 0.0))
        goals = [*trunk.standing(), braked]

        def over(moment: Moment, clock: Clock) -> bool:
            return clock.elapsed > YIELDING and float(trunk.centre @ moment.state.velocities[:, 1]) > STOPPED

        return Phase(lambda moment, clock: Plan(goals), over, following, trunk.mark)


@dataclass(frozen=True)
class Trunk:
    """What a jump speaks of. centre, base, head: places (n,). height, length m: of the centre of mass and of the head
    over the base at rest. inertia (3,) kg·m²: of the body at rest, about the centre of mass."""

    centre: Floats
    base: Floats
    head: Floats
    height: float
    length: float
    inertia: Floats

    @classmethod
    def of(cls, world: World) -> Trunk:
        """The trunk of a body, whose head is what is highest at rest."""
        rest, masses = world.body.rest_positions, world.body.masses
        centre, base = centre_of_mass(world), base_of(world)
        head = mean_of(world, np.flatnonzero(rest[:, 1] > rest[:, 1].max() - 1e-3))
        squares = masses @ (rest - centre @ rest) ** 2
        inertia = squares.sum() - squares
        return cls(centre, base, head, float((centre - base) @ rest[:, 1]), float((head - base) @ rest[:, 1]), inertia)

    @property
    def over(self) -> Floats:
        """The centre of mass relative to the base, (n,)."""
        return self.centre - self.base

    def mark(self, moment: Moment) -> Floats:
        """What phases begin with: the centre of mass over the base, m, in space, m, and its velocity, m/s; (9,)."""
        positions, velocities = moment.state.positions, moment.state.velocities
        return np.concatenate([self.over @ positions, self.centre @ positions, self.centre @ velocities])

    def standing(self) -> list[Goal]:
        """What keeps it upright on its feet."""
        over = constant((0.0, self.height, 0.0))
        return [
            LinearMomentum(self.over, over, *SOFT, weight=CALM),
            AngularMomentum(damping=DAMPING, weight=CALM * STEADY),
            self.in_line(over, CALM * POSTURE),
            Planted(CALM),
        ]

    def in_line(self, over: Target, weight: float) -> Goal:
        """The head is as far to the side of the base as a target of the centre of mass over the base would have it."""

        def head(time: float) -> Floats:
            return self.length / self.height * over(time)

        return LinearMomentum(self.head - self.base, head, *FIRM, weight=weight, axes=(1.0, 0.0, 1.0))

    def in_the_air(self, moment: Moment) -> bool:
        """Whether nothing touches the ground, nor will in this step."""
        contacts = moment.contacts
        falling = np.minimum(contacts.rows[::3] @ moment.state.velocities.ravel(), 0.0)
        gaps = contacts.gaps + moment.world.dt * falling
        return bool((gaps > OPEN * self.height).all())
