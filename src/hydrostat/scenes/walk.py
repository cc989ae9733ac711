"""The four-legged X walks: carefully, one foot at a time, and faster, two at a time (T2012 Figure 9)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

from hydrostat.arrays import Bools, Floats, Ints
from hydrostat.characters.quadruped_x import CHARACTER as QUADRUPED_X
from hydrostat.characters.quadruped_x import LIMBS
from hydrostat.control.behaviours.gait import Gait
from hydrostat.control.behaviours.walk import Walk
from hydrostat.control.controllers import GoalController
from hydrostat.io.reader import Recording
from hydrostat.scenes.scene import Demand, Scene, Settings, Stage
from hydrostat.scenes.staging import controller_of, start_of, world_of

FRONT_LEFT, FRONT_RIGHT, REAR_LEFT, REAR_RIGHT = range(4)
# A rear foot, then the front foot of its side: so the weight changes sides only twice a cycle, and it takes its time.
CREEP = Gait(
    order=((REAR_LEFT,), (FRONT_LEFT,), (REAR_RIGHT,), (FRONT_RIGHT,)),
    pauses=(0.27, 0.05, 0.27, 0.05),
    swing=0.45,
    stride=0.28,
    clearance=0.08,
    margin=0.07,
)
TROT = Gait(
    order=((FRONT_LEFT, REAR_RIGHT), (FRONT_RIGHT, REAR_LEFT)),
    pauses=(0.08, 0.08),
    swing=0.35,
    stride=0.25,
    clearance=0.075,
    margin=0.0,
    growing=2,
)
EFFORT, CHANGE = 1e-4, 1e-3
# A foot that is faster, m/s, and gets farther than this, m, makes a step. Ends of a step that do not count, in shares.
MOVING, STEP, ENDS = 0.1, 0.02, 0.15
# A foot is down whose lowest node is lower, and up whose lowest node is higher, in body heights.
DOWN, UP = 2e-3, 0.04
# An impulse below this, N·s, is rounding.
NOTHING = 1e-9


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


@dataclass(frozen=True)
class Tracks:
    """What feet and body do over f frames. Feet in the order of LIMBS.

    places (f, 4, 2) m: of the soles, forward and aside. heights (f, 4) m: of their lowest nodes. loads (f, 4) N·s:
    normal impulses. centres (f, 3) m: of mass. turns (f, 3) degrees: of the body about x, y, z.
    """

    places: Floats
    heights: Floats
    loads: Floats
    centres: Floats
    turns: Floats


def tracks(recording: Recording) -> Tracks:
    """The tracks of a recording of the X."""
    rest = recording.rest_positions
    feet = soles(rest)
    rows = []
    for index in range(len(recording)):
        positions, contacts = recording.positions(index), recording.contacts(index)
        middles = np.array([positions[foot].mean(axis=0) for foot in feet])
        nearest = np.linalg.norm(contacts.positions[:, None] - middles, axis=2).argmin(axis=1)
        normal = np.einsum("ci,ci->c", contacts.impulses, contacts.normals)
        rows.append(
            (
                middles[:, [0, 2]],
                [positions[foot, 1].min() for foot in feet],
                np.bincount(nearest, normal, len(feet)),
                recording.markers(index)["centre of mass"],
                _turn(rest, positions),
            )
        )
    return Tracks(*(np.array(column) for column in zip(*rows, strict=True)))


def _turn(rest: Floats, positions: Floats) -> Floats:
    """How far the body as a whole has turned from ``rest``, a rotation vector (3,) in degrees."""
    turned = Rotation.align_vectors(positions - positions.mean(axis=0), rest - rest.mean(axis=0))[0]
    answer: Floats = turned.as_rotvec(degrees=True)
    return answer


@dataclass(frozen=True)
class Footstep:
    """A foot on its way: from frame ``first`` to ``last``. way m. height m: of its lowest node in the middle.

    loaded: share of the middle of the step in which it pressed on the ground. whole: not cut off by the end.
    """

    foot: int
    first: int
    last: int
    way: float
    height: float
    loaded: float
    whole: bool


def footsteps(seen: Tracks, dt: float) -> list[Footstep]:
    """All steps: a foot that moves on, whether it lifts or drags, or sets out to when the recording ends."""
    found = []
    for foot in range(seen.heights.shape[1]):
        speeds = np.linalg.norm(np.diff(seen.places[:, foot], axis=0), axis=1) / dt
        moving = np.concatenate([[False], speeds > MOVING, [False]])
        edges = np.flatnonzero(np.diff(moving.astype(int)))
        for first, last in edges.reshape(-1, 2).tolist():
            way = float(np.linalg.norm(seen.places[last, foot] - seen.places[first, foot]))
            whole = last < len(speeds)
            if way > STEP or not whole:
                ends = round(ENDS * (last - first))
                middle = slice(first + ends, last - ends + 1)
                height = seen.heights[(first + last) // 2, foot]
                loaded = float((seen.loads[middle, foot] > NOTHING).mean())
                found.append(Footstep(foot, first, last, way, float(height), loaded, whole))
    return found


def measure(recording: Recording) -> dict[str, Any]:
    """How far, how straight and how calmly it walked, and what its feet did.

    lengths: way forward over the length of the body. heading, tilt: greatest turn about the vertical and out of it,
    degrees. bob: how much the height of the centre of mass varies, in body heights, after the first second. clearance:
    least height of a foot in the middle of its step, in body heights. loaded: greatest share of a step in which the
    foot pressed on the ground, but for its ends. slip: how far a foot
    that stands gets from where it came down, m.
    feet_down: fewest feet on the ground at a time, since all
    were. feet_up: most feet in the air at a time.
    """
    seen = tracks(recording)
    height, length = recording.metadata["height"], np.ptp(recording.rest_positions[:, 0])
    every = footsteps(seen, recording.dt)
    steps = [step for step in every if step.whole]
    calm = seen.centres[recording.times > 1.0, 1]
    return {
        "lengths": float((seen.centres[-1, 0] - seen.centres[0, 0]) / length),
        "speed": float((seen.centres[-1, 0] - seen.centres[0, 0]) / (recording.times[-1] - recording.times[0])),
        "heading": float(np.abs(seen.turns[:, 1]).max()),
        "tilt": float(np.linalg.norm(seen.turns[:, [0, 2]], axis=1).max()),
        "bob": float(np.ptp(calm) / height),
        "steps": len(steps),
        "clearance": min((step.height for step in steps), default=0.0) / height,
        "loaded": max((step.loaded for step in steps), default=1.0),
        "slip": _slip(seen, every),
        "feet_down": _feet_down(seen.heights < DOWN * height),
        "feet_up": int((seen.heights > UP * height).sum(axis=1).max()),
    }


def _feet_down(down: Bools) -> int:
    """The fewest feet that are ``down`` (f, 4) at a time, since all were for the first time."""
    count = down.sum(axis=1)
    return int(count[count.argmax() :].min()) if count.max() == down.shape[1] else 0


def _slip(seen: Tracks, steps: Sequence[Footstep]) -> float:
    """The greatest distance of a foot, while it stands between its steps, from where it came down, m."""
    worst = 0.0
    for foot in range(seen.heights.shape[1]):
        own = [step for step in steps if step.foot == foot]
        starts, ends = [0, *(step.last for step in own)], [*(step.first for step in own), len(seen.heights)]
        for start, end in zip(starts, ends, strict=True):
            stand = seen.places[start : end + 1, foot]
            worst = max(worst, float(np.linalg.norm(stand - stand[:1], axis=1).max(initial=0.0)))
    return worst


WALKS = (
    Demand("lengths", least=2.0),
    Demand("heading", most=15.0),
    Demand("tilt", most=10.0),
    Demand("bob", most=0.1),
    Demand("clearance", least=0.04),
    Demand("loaded", most=0.0),
    Demand("slip", most=0.02),
)
SCENE_LIST = (
    Scene(
        "walk-x",
        "the X walks carefully, one foot at a time",
        22.0,
        partial(walk, CREEP),
        measure,
        (*WALKS, Demand("feet_down", least=3)),
    ),
    Scene(
        "walk-x-fast",
        "the X walks faster, two feet at a time",
        10.0,
        partial(walk, TROT),
        measure,
        (*WALKS, Demand("feet_up", least=2, most=2)),
    ),
)
