"""The F on slippery ground is pulled ever harder by its upper end, and leans against the pull (T2012 Figure 6)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from hydrostat.arrays import Floats
from hydrostat.characters.letter_f import CHARACTER as LETTER_F
from hydrostat.characters.letter_f import STEM, TOP
from hydrostat.contact.friction import Friction
from hydrostat.control.behaviours.slide import Lean
from hydrostat.control.controllers import GoalController
from hydrostat.io.reader import Recording
from hydrostat.scenes.measure import node_masses
from hydrostat.scenes.scene import Demand, Scene, Settings, Stage
from hydrostat.scenes.staging import controller_of, start_of, world_of
from hydrostat.stepping.forces import Pull, shares_near
from hydrostat.stepping.world import State

SLIPPERY = Friction(0.2)
# Where it is pulled, m: by the side that goes ahead. From behind the pull would turn it round.
STROKE_END, STEM_TOP, RADIUS = (0.35, 0.92, 0.0), (-0.05, 0.92, 0.0), 0.15
# Weights of activation and of its change, (m/s)².
EFFORT, CHANGE = 3e-4, 2e-3
# A stem that leans more than this, degrees, has tipped.
TIPPED = 45.0


@dataclass(frozen=True)
class Drag:
    """A pull along x on the F.

    first N, growing by rate N/s, from start s on; both negative to the left. reaction: s, for which the F does not
    notice. endured: N, at which the F without control has tipped in the same scene.
    """

    first: float
    rate: float
    endured: float
    reaction: float = 0.0
    start: float = 0.49

    def __call__(self, settings: Settings) -> Stage:
        """The F, standing, and the pull."""
        body = LETTER_F.body
        place = STROKE_END if self.rate > 0.0 else STEM_TOP
        shares = shares_near(body.rest_positions, body.masses, place, RADIUS)
        pull = Pull(shares, (self.rate, 0.0, 0.0), self.start, (self.first, 0.0, 0.0))
        world = world_of(LETTER_F, settings, SLIPPERY, forces=(pull,))
        lean = Lean(reaction=self.reaction)
        controller = controller_of(GoalController(lean.behaviour(world), EFFORT, CHANGE), settings)

        def markers(state: State) -> Mapping[str, Floats]:
            return {"pull": shares @ state.positions}

        return Stage(
            world, start_of(world, settings), controller, LETTER_F.height, markers, details={"drag": vars(self)}
        )


def measure(recording: Recording) -> dict[str, Any]:
    """How hard the F was pulled, how it stood, and how its top stroke followed.

    force: N, in the end; endured: of that which tips the F without control. leaning: greatest lean of the stem against
    the pull, degrees; tilt: greatest lean either way. height: of the centre of mass in the end, over that at rest.
    slid: m. turning: root mean square of the angular momentum about the centre of mass in the second half of the time,
    over mass · height · √(g · height). lag: s by which the top stroke turns later than the stem. swing: how far it
    turns against the stem in all, degrees. hops: number of frames, after the pull began, in which at most one patch
    bore load.
    """
    drag, frames = recording.metadata["details"]["drag"], range(len(recording))
    pulled = [index for index in frames if recording.times[index] > drag["start"]]
    sense, force = np.sign(drag["rate"]), float(np.linalg.norm(recording.outside(-1)[0, 1]))
    angles = np.array([strokes(recording, index) for index in frames])
    stem, top = angles[pulled, 0], angles[pulled, 1]
    centres = np.array([recording.markers(index)["centre of mass"] for index in frames])
    masses = node_masses(recording)
    rest = masses @ recording.rest_positions[:, 1] / masses.sum()
    return {
        "force": force,
        "endured": force / drag["endured"],
        "leaning": float((-sense * stem).max()),
        "tilt": float(np.abs(stem).max()),
        "height": float(centres[-1, 1] / rest),
        "slid": float(sense * (centres[-1, 0] - centres[0, 0])),
        "turning": turning(recording, masses),
        "lag": lag(stem, top, recording.dt),
        "swing": float(np.ptp(top - stem)),
        "hops": sum(bearing(recording, index) <= 1 for index in pulled),
    }


def strokes(recording: Recording, index: int) -> tuple[float, float]:
    """How far the stem and the top stroke have turned from rest, degrees, positive to the right."""
    x, y = recording.rest_positions[:, 0], recording.rest_positions[:, 1]
    own = np.abs(x) < STEM / 2 + 1e-3
    parts = own & (y < 0.4), own & (y > TOP[1] - 1e-3), (x > TOP[0] - 0.05) & (y > TOP[1] - 1e-3)
    turned = []
    for positions in (recording.rest_positions, recording.positions(index)):
        foot, shoulder, tip = (positions[part, :2].mean(axis=0) for part in parts)
        stem, stroke = shoulder - foot, tip - shoulder
        turned.append((np.arctan2(stem[0], stem[1]), np.arctan2(-stroke[1], stroke[0])))
    (stem_rest, top_rest), (stem_now, top_now) = turned
    return float(np.degrees(stem_now - stem_rest)), float(np.degrees(top_now - top_rest))


def lag(leader: Floats, follower: Floats, dt: float, longest: int = 12) -> float:
    """The delay, s, at which the speed of ``follower`` is most like that of ``leader``."""
    first, second = np.diff(leader), np.diff(follower)
    count = len(first) - longest
    likeness = [first[:count] @ second[delay : delay + count] for delay in range(longest + 1)]
    return dt * int(np.argmax(likeness))


def turning(recording: Recording, masses: Floats) -> float:
    """Angular momentum about the centre of mass, see ``measure``."""
    momenta = []
    for index in range(len(recording) // 2, len(recording)):
        arms = recording.positions(index) - masses @ recording.positions(index) / masses.sum()
        momenta.append(np.cross(arms, masses[:, None] * recording.velocities(index)).sum(axis=0))
    height, gravity = recording.metadata["height"], float(np.linalg.norm(recording.metadata["gravity"]))
    size = masses.sum() * height * np.sqrt(gravity * height)
    return float(np.sqrt(np.mean(np.sum(np.array(momenta) ** 2, axis=1))) / size)


def bearing(recording: Recording, index: int) -> int:
    """Number of patches that bear load in a frame."""
    return int(np.count_nonzero(recording.contacts(index).impulses[:, 1] > 0.0))


STAYS_UP = (
    Demand("endured", least=1.3),
    Demand("tilt", most=30.0),
    Demand("height", least=0.8),
    Demand("turning", most=0.02),
)
LEANS = (Demand("leaning", least=5.0), Demand("slid", least=0.05))
FOLLOWS = (Demand("lag", least=1.0 / 60.0), Demand("swing", least=3.0))
RIGHT = Drag(first=90.0, rate=45.0, endured=147.0)
LEFT = Drag(first=-180.0, rate=-75.0, endured=279.0)
LATE = Drag(first=-270.0, rate=-25.0, endured=280.0, reaction=0.3)
SCENE_LIST = (
    Scene(
        "slide-f-right",
        "the F leans left while it is dragged to the right",
        4.5,
        RIGHT,
        measure,
        (*STAYS_UP, *LEANS, *FOLLOWS),
    ),
    Scene(
        "slide-f-left",
        "the F leans right while it is dragged to the left",
        4.5,
        LEFT,
        measure,
        (*STAYS_UP, *LEANS, *FOLLOWS),
    ),
    Scene(
        "slide-f-late",
        "the F is dragged to the left, notices 0.3 s late, and saves itself by small jumps",
        5.0,
        LATE,
        measure,
        (*STAYS_UP, *LEANS, Demand("hops", least=3)),
    ),
)
