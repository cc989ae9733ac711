"""The H at its morning exercises: its centre of mass swings from side to side (T2012 Figure 4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from hydrostat.arrays import Floats
from hydrostat.characters.letter_h import CHARACTER as LETTER_H
from hydrostat.control.controllers import GoalController, Passive
from hydrostat.control.goals import Position
from hydrostat.control.places import centre_of_mass
from hydrostat.scenes.scene import Scene, Settings, Stage
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


def exercise_h(settings: Settings, swing: Swing = Swing()) -> Stage:
    """The H on its two feet."""
    world = World(LETTER_H.body, LETTER_H.muscles, patches=LETTER_H.patches)
    state = world.rest_state()
    middle = centre_of_mass(world)
    centre = middle @ state.positions * [1.0, 0.98, 1.0]

    def target(time: float) -> Floats:
        return swing.around(centre, time)

    def markers(state: State) -> Mapping[str, Floats]:
        return {"target": target(state.time)}

    goals = [Position(middle, target, weight=1.0, share=0.3)]
    controller = GoalController(lambda moment: goals) if settings.controller == "goals" else Passive()
    return Stage(world, state, controller, LETTER_H.height, markers, {"swing": vars(swing)})


SCENE_LIST = (Scene("exercise-h", "the H swings its centre of mass from side to side", 6.0, exercise_h),)
