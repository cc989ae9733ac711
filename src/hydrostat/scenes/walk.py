"""The four-legged X walks: carefully, one foot at a time, and faster, two at a time (T2012 Figure 9)."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from hydrostat.arrays import Floats, Ints
from hydrostat.characters.quadruped_x import CHARACTER as QUADRUPED_X
from hydrostat.characters.quadruped_x import LIMBS
from hydrostat.control.behaviours.gait import Gait
from hydrostat.control.behaviours.walk import Walk
from hydrostat.control.controllers import GoalController
from hydrostat.io.reader import Recording
from hydrostat.scenes.footsteps import fewest_down, footsteps, greatest_slip, most_up, tracks
from hydrostat.scenes.scene import Demand, Scene, Settings, Stage
from hydrostat.scenes.staging import controller_of, start_of, world_of

FRONT_LEFT, FRONT_RIGHT, REAR_LEFT, REAR_RIGHT = range(4)
# A rear foot, then the front foot of its side: so the weight changes sides only twice a cycle, and it takes its time.
CREEP = Gait(
    order=((REAR_LEFT,), (FRONT_LEFT,), (REAR_RIGHT,), (FRONT_RIGHT,)),
    pauses=(0.4, 0.06, 0.4, 0.06),
    swing=0.45,
    stride=0.28,
    clearance=0.075,
    margin=0.06,
    limbs=0.4,
)
TROT = Gait(
    order=((FRONT_LEFT, REAR_RIGHT), (FRONT_RIGHT, REAR_LEFT)),
    pauses=(0.08, 0.08),
    swing=0.35,
    stride=0.23,
    clearance=0.075,
    margin=0.0,
    growing=2,
)
EFFORT, CHANGE = 1e-4, 4e-3


def walk(gait: Gait, settings: Settings) -> Stage:
    """The X on its four feet."""
    world = world_of(QUADRUPED_X, settings)
    controller = GoalController(Walk(gait).behaviour(world, soles(world.body.rest_positions)), EFFORT, CHANGE)
    return Stage(
        world,
        start_of(world, settings),
        controller_of(controller, settings),
        QUADRUPED_X.height,
        details={"gait": vars(gait)},
    )


def soles(rest: Floats) -> list[Ints]:
    """The nodes of every sole, in the order of LIMBS."""
    low = rest[:, 1] < rest[:, 1].min() + 1e-3
    return [np.flatnonzero(low & (x * rest[:, 0] > 0.0) & (z * rest[:, 2] > 0.0)) for x, z in LIMBS.values()]


def measure(recording: Recording) -> dict[str, Any]:
    """How far, how straight and how calmly it walked, and what its feet did.

    lengths: way forward over the length of the body. heading, tilt: greatest turn about the vertical and out of it,
    degrees. bob: how much the height of the centre of mass varies, in body heights, after the first second. clearance:
    least height of a foot in the middle of its step, in body heights. loaded: greatest share of a step in which the
    foot pressed on the ground, but for its ends. slip: how far a foot that stands gets from where it came down, m.
    feet_down: fewest feet on the ground at a time, since all were. feet_up: most feet in the air at a time.
    """
    seen = tracks(recording, soles(recording.rest_positions))
    every = footsteps(seen, recording.dt)
    steps = [step for step in every if step.whole]
    way, seconds = seen.centres[-1] - seen.centres[0], recording.times[-1] - recording.times[0]
    calm = seen.centres[recording.times > 1.0, 1]
    return {
        "lengths": float(way[0] / np.ptp(recording.rest_positions[:, 0])),
        "speed": float(way[0] / seconds),
        "heading": float(np.abs(seen.turns[:, 1]).max()),
        "tilt": float(np.linalg.norm(seen.turns[:, [0, 2]], axis=1).max()),
        "bob": float(np.ptp(calm) / recording.metadata["height"]),
        "steps": len(steps),
        "clearance": min((step.height for step in steps), default=0.0),
        "loaded": max((step.loaded for step in steps), default=1.0),
        "slip": greatest_slip(seen, every),
        "feet_down": fewest_down(seen),
        "feet_up": most_up(seen),
    }


WALKS = (
    Demand("lengths", least=2.0),
    Demand("heading", most=15.0),
    Demand("tilt", most=10.0),
    Demand("bob", most=0.1),
    Demand("clearance", least=0.04),
    Demand("loaded", most=0.0),
    Demand("slip", most=0.02),
)
TELLING = 1.1  # s: how it bobs is measured from 1 s on
SCENE_LIST = (
    Scene(
        "walk-x",
        "the X walks carefully, one foot at a time",
        25.0,
        partial(walk, CREEP),
        measure,
        (*WALKS, Demand("feet_down", least=3)),
        TELLING,
    ),
    Scene(
        "walk-x-fast",
        "the X walks faster, two feet at a time",
        10.0,
        partial(walk, TROT),
        measure,
        (*WALKS, Demand("feet_up", least=2, most=2)),
        TELLING,
    ),
)
