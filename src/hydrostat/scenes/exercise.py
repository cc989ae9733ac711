"""The H at its morning exercises: its centre of mass swings from side to side (T2012 Figure 4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from hydrostat.arrays import Floats
from hydrostat.characters.letter_h import CHARACTER as LETTER_H
from hydrostat.characters.letter_h import LEGS
from hydrostat.control.controllers import GoalController
from hydrostat.control.goals import AngularMomentum, LinearMomentum, constant
from hydrostat.control.places import body_point, centre_of_mass
from hydrostat.scenes.scene import Scene, Settings, Stage
from hydrostat.scenes.staging import controller_of, start_of, world_of
from hydrostat.stepping.world import State, World


@dataclass(frozen=True)
class Swing:
    """A centre of mass that swings along x on a sine.

    amplitude m; period s; settle s: time over which the swing grows from nothing to its full size.
    """

    amplitude: float = 0.11
    period: float = 2.0
    settle: float = 1.0

    def around(self, centre: Floats, time: float) -> Floats:
        """Target (3,) m at ``time`` s for a swing around ``centre``."""
        grown = np.clip(time / self.settle, 0.0, 1.0)
        sway = self.amplitude * grown**2 * (3.0 - 2.0 * grown) * np.sin(2.0 * np.pi * time / self.period)
        return centre + np.array([sway, 0.0, 0.0])


# Feedback on the centre of mass (1/s², 1/s), and on the posture: the legs stay upright from front to back.
BALANCE = (150.0, 20.0)
POSTURE = (60.0, 12.0)
POSTURE_WEIGHT = 0.3
# Weights of activation and of its change, (m/s)²; the turning of the body is damped at this rate, 1/s.
EFFORT, CHANGE = 3e-4, 3e-3
TURNING = 6.0
CROUCH = 0.98  # height of the centre of mass against its height at rest


def exercise_h(settings: Settings, swing: Swing = Swing()) -> Stage:
    """The H on its two feet."""
    world = world_of(LETTER_H, settings)
    state = start_of(world, settings)
    middle = centre_of_mass(world)
    centre = middle @ world.body.rest_positions * [1.0, CROUCH, 1.0]

    def target(time: float) -> Floats:
        return swing.around(centre, time)

    def markers(state: State) -> Mapping[str, Floats]:
        return {"target": target(state.time)}

    goals = [
        LinearMomentum(middle, target, *BALANCE),
        AngularMomentum(damping=TURNING, weight=0.3),
        *(upright(world, (leg, height, 0.0)) for leg in LEGS for height in (0.5, 0.93)),
    ]
    controller = controller_of(GoalController(lambda moment: goals, EFFORT, CHANGE), settings)
    return Stage(world, state, controller, LETTER_H.height, markers, {"swing": vars(swing)})


def upright(world: World, point: tuple[float, float, float]) -> LinearMomentum:
    """A point of a leg that stays in the plane of the letter."""
    return LinearMomentum(
        body_point(world, point), constant(point), *POSTURE, weight=POSTURE_WEIGHT, axes=(0.0, 0.0, 1.0)
    )


SCENE_LIST = (Scene("exercise-h", "the H swings its centre of mass from side to side", 6.0, exercise_h),)
