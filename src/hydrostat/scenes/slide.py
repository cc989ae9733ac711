"""The F on slippery ground is pulled ever harder by its upper end, and leans against the pull (T2012 Figure 6)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from hydrostat.arrays import Floats, Ints
from hydrostat.characters.letter_f import CHARACTER as LETTER_F
from hydrostat.characters.letter_f import STEM, TOP
from hydrostat.contact.friction import Friction
from hydrostat.control.behaviours.slide import Lean
from hydrostat.control.controllers import GoalController
from hydrostat.io.reader import Recording
from hydrostat.scenes.measure import node_masses
from hydrostat.scenes.scene import Demand, Scene, Settings, Stage
from hydrostat.scenes.staging import controller_of, start_of, world_of
from hydrostat.solvers.qpcc.exploration import Budget
from hydrostat.stepping.forces import Pull, shares_near
from hydrostat.stepping.world import State

# Where it is pulled, m: by the side that goes ahead. From behind the pull would turn it round.
STROKE_END, STEM_TOP, RADIUS = (0.35, 0.92, 0.0), (-0.05, 0.92, 0.0), 0.15
# Weights of activation and of its change, (m/s)².
EFFORT, CHANGE = 3e-4, 4e-3
# A stem that leans more than this, degrees, has tipped.
TIPPED = 45.0


@dataclass(frozen=True)
class Drag:
    """A pull along x on the F.

    first N, growing by rate N/s, from start s on; both negative to the left. friction: of the floor. endured: N, at
    which the F without control has tipped in the same scene. lean: how it goes about it. spent: convex programs that a
    step may solve: a foot that slides has many ways to do so.
    """

    first: float
    rate: float
    endured: float
    friction: float = 0.2
    lean: Lean = Lean()
    spent: int = 60
    start: float = 0.49

    def __call__(self, settings: Settings) -> Stage:
        """The F, standing, and the pull."""
        body = LETTER_F.body
        place = STROKE_END if self.rate > 0.0 else STEM_TOP
        shares = shares_near(body.rest_positions, body.masses, place, RADIUS)
        pull = Pull(shares, (self.rate, 0.0, 0.0), self.start, (self.first, 0.0, 0.0))
        world = world_of(LETTER_F, settings, Friction(self.friction), forces=(pull,))
        behaviour = self.lean.behaviour(world)
        controller = controller_of(GoalController(behaviour, EFFORT, CHANGE, budget=Budget(self.spent)), settings)

        def markers(state: State) -> Mapping[str, Floats]:
            return {"pull": shares @ state.positions}

        return Stage(
            world,
            start_of(world, settings),
            controller,
            LETTER_F.height,
            markers,
            details={"drag": vars(self) | {"lean": vars(self.lean)}},
        )


def measure(recording: Recording) -> dict[str, Any]:
    """How hard the F was pulled, how it stood, and how its top stroke followed.

    force: N, in the end; endured: of that which tips the F without control. leaning: greatest lean of the stem against
    the pull, degrees; tilt: greatest lean either way. height: of the centre of mass in the end, over that at rest.
    slid: m. turning: see there. hops: number of frames, after the pull began, in which at most one patch bore load;
    unloaded: least load on the ground then, over the weight.
    swing: how far the top stroke bends up and down against the stem's upper end, degrees; lag: s from that end's
    fastest turning to the greatest bend.
    """
    drag, frames = recording.metadata["details"]["drag"], range(len(recording))
    pulled = [index for index in frames if recording.times[index] > drag["start"]]
    sense, force = np.sign(drag["rate"]), float(np.linalg.norm(recording.outside(-1)[0, 1]))
    parts = Parts.of(recording)
    stem = np.array([parts.stem(recording.positions(index)) for index in frames])
    upper, stroke = (
        np.array([turned(recording, part, index) for index in pulled]) for part in (parts.shoulder, parts.stroke)
    )
    bend, settled = stroke - upper, (stroke - upper)[-1]
    centres = np.array([recording.markers(index)["centre of mass"] for index in frames])
    masses, gravity = node_masses(recording), float(np.linalg.norm(recording.metadata["gravity"]))
    loads = [recording.contacts(index).impulses[:, 1] for index in pulled]
    rest = masses @ recording.rest_positions[:, 1] / masses.sum()
    return {
        "force": force,
        "endured": force / drag["endured"],
        "leaning": float((-sense * stem).max()),
        "tilt": float(np.abs(stem).max()),
        "height": float(centres[-1, 1] / rest),
        "slid": float(sense * (centres[-1, 0] - centres[0, 0])),
        "turning": turning(recording, masses),
        "hops": int(np.count_nonzero([np.count_nonzero(load > 0.0) <= 1 for load in loads])),
        "unloaded": float(min(load.sum() for load in loads) / (recording.dt * masses.sum() * gravity)),
        "swing": float(np.ptp(bend)),
        "lag": recording.dt * float(np.argmax(np.abs(bend - settled)) - np.argmax(np.abs(np.diff(upper)))),
    }


@dataclass(frozen=True)
class Parts:
    """Nodes of the F by name: where its stem begins and ends, and the outer half of the top stroke."""

    foot: Ints
    shoulder: Ints
    stroke: Ints

    @classmethod
    def of(cls, recording: Recording) -> Parts:
        """The parts, by their places at rest."""
        x, y = recording.rest_positions[:, 0], recording.rest_positions[:, 1]
        own, top = np.abs(x) < STEM / 2 + 1e-3, y > TOP[1] - 1e-3
        return cls(*(np.flatnonzero(part) for part in (own & (y < 0.4), own & top, (x > TOP[0] / 2) & top)))

    def stem(self, positions: Floats) -> float:
        """The lean of the stem, degrees, positive to the right."""
        axis = positions[self.shoulder].mean(axis=0) - positions[self.foot].mean(axis=0)
        return float(np.degrees(np.arctan2(axis[0], axis[1])))


def turned(recording: Recording, part: Ints, index: int) -> float:
    """How far some nodes have turned in the plane of the letter, degrees, positive to the right."""
    before, now = (points[part, :2] for points in (recording.rest_positions, recording.positions(index)))
    before, now = before - before.mean(axis=0), now - now.mean(axis=0)
    crossed = now[:, 0] @ before[:, 1] - now[:, 1] @ before[:, 0]
    return float(np.degrees(np.arctan2(crossed, np.sum(now * before))))


def turning(recording: Recording, masses: Floats) -> float:
    """Root mean square of the angular momentum about the centre of mass in the second half of the time.

    Over mass · height · √(g · height).
    """
    momenta = []
    for index in range(len(recording) // 2, len(recording)):
        arms = recording.positions(index) - masses @ recording.positions(index) / masses.sum()
        momenta.append(np.cross(arms, masses[:, None] * recording.velocities(index)).sum(axis=0))
    height, gravity = recording.metadata["height"], float(np.linalg.norm(recording.metadata["gravity"]))
    size = masses.sum() * height * np.sqrt(gravity * height)
    return float(np.sqrt(np.mean(np.sum(np.array(momenta) ** 2, axis=1))) / size)


STAYS_UP = (
    Demand("endured", least=1.3),
    Demand("tilt", most=30.0),
    Demand("height", least=0.8),
    Demand("turning", most=0.02),
    Demand("leaning", least=5.0),
    Demand("slid", least=0.05),
)
SWINGS, FOLLOWS = Demand("swing", least=3.0), Demand("lag", least=1.0 / 60.0)
HOPS = Demand("hops", least=1), Demand("unloaded", most=0.65)
RIGHT = Drag(first=60.0, rate=42.0, endured=135.0, friction=0.15)
LEFT = Drag(first=-180.0, rate=-50.0, endured=248.0)
# Late and in haste: only so strong feedback takes the load off the feet.
HASTY = Lean(stiffness=45.0, damping=16.0, reaction=0.3)
LATE = Drag(first=-300.0, rate=-45.0, endured=333.0, lean=HASTY, spent=220)
TO_THE_RIGHT = "the F leans to the left while it is dragged to the right"
TO_THE_LEFT = "the F leans to the right while it is dragged to the left"
TOO_LATE = "the F notices 0.3 s late that it is dragged, and saves itself by small jumps"
TELLING = 0.6  # s: the pull has begun
SCENE_LIST = (
    Scene("slide-f-right", TO_THE_RIGHT, 4.8, RIGHT, measure, STAYS_UP, TELLING),
    Scene("slide-f-left", TO_THE_LEFT, 4.8, LEFT, measure, (*STAYS_UP, SWINGS, FOLLOWS), TELLING),
    Scene("slide-f-late", TOO_LATE, 3.8, LATE, measure, (*STAYS_UP, SWINGS, *HOPS), TELLING),
)
