"""Jumps of letters: the I forward (T2012 Figure 7) and in place, the T with a twist (Figure 8)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from hydrostat.arrays import Floats
from hydrostat.characters.character import Character
from hydrostat.characters.letter_i_jump import CHARACTER as LETTER_I
from hydrostat.characters.letter_t import CHARACTER as LETTER_T
from hydrostat.control.behaviours.jump import Jump
from hydrostat.control.controllers import BUDGET, GoalController
from hydrostat.io.reader import Recording
from hydrostat.scenes.measure import node_masses
from hydrostat.scenes.scene import Demand, Scene, Settings, Stage
from hydrostat.scenes.staging import controller_of, start_of, world_of
from hydrostat.solvers.qpcc.exploration import Budget

# Weights of activation and of its change, (m/s)².
EFFORT, CHANGE = 3e-3, 3e-3


@dataclass(frozen=True)
class Jumping:
    """A character that jumps on flat ground. budget: what its controller may spend on a step."""

    character: Character
    jump: Jump
    budget: Budget = BUDGET

    def __call__(self, settings: Settings) -> Stage:
        """The stage."""
        world = world_of(self.character, settings)
        controller = GoalController(self.jump.behaviour(world), EFFORT, CHANGE, budget=self.budget)
        return Stage(
            world,
            start_of(world, settings),
            controller_of(controller, settings),
            self.character.height,
            details={"jump": vars(self.jump)},
        )


# Frames without contact force are a flight if they last this long, s.
SHORTEST = 0.1
# s: squash is looked for this long before take-off and after landing, stretch this long around take-off; and so long
# the body may take to come to rest.
SQUASHING, STRETCHING, SETTLING = 0.6, 0.1, 2.0


def measure(recording: Recording) -> dict[str, Any]:
    """The weakest of the jumps in every respect, and how the body stands after the last.

    flight: s without contact force. clearance: of the lowest node at the top of the flight, m. squash, stretch: length
    of the body's axis over that at rest, before and at take-off; landing_squash: after landing. way: how far the soles
    came forward in flight, m. twist: how far the body turned about the vertical in it, degrees. stood: s from landing
    to the end. lean: of the body's axis, degrees, and speed: of the centre of mass, m/s; both at their worst from two
    seconds after landing on.
    """
    jumps = flights(recording)
    axes, soles, lowest = _axes(recording)
    lengths = np.linalg.norm(axes, axis=1) / np.ptp(recording.rest_positions[:, 1])
    long, short = round(SQUASHING / recording.dt), round(STRETCHING / recording.dt)
    landed = jumps[-1][1] if jumps else 0
    still = range(min(landed + round(SETTLING / recording.dt), len(recording) - 1), len(recording))
    masses = node_masses(recording) / recording.metadata["mass"]
    return {
        "jumps": len(jumps),
        "flight": min(((end - start) * recording.dt for start, end in jumps), default=0.0),
        "clearance": min((float(lowest[start:end].max()) for start, end in jumps), default=0.0),
        "squash": max((float(lengths[max(0, start - long) : start].min()) for start, _ in jumps), default=1.0),
        "stretch": min((float(lengths[start - short : start + short].max()) for start, _ in jumps), default=1.0),
        "landing_squash": max((float(lengths[end : end + long].min()) for _, end in jumps), default=1.0),
        "way": min((float(soles[end, 0] - soles[start, 0]) for start, end in jumps), default=0.0),
        "twist": min((abs(turn(recording, start, end)) for start, end in jumps), default=0.0),
        "stood": (len(recording) - 1 - landed) * recording.dt,
        "lean": max(float(np.degrees(np.arccos(axes[i, 1] / np.linalg.norm(axes[i])))) for i in still),
        "speed": max(float(np.linalg.norm(masses @ recording.velocities(i))) for i in still),
    }


def flights(recording: Recording) -> list[tuple[int, int]]:
    """First frame and frame of landing of every flight, in order."""
    free = [not recording.contacts(index).impulses.any() for index in range(len(recording))]
    edges = np.flatnonzero(np.diff([False, *free, False]))
    spans = [(int(start), int(end)) for start, end in edges.reshape(-1, 2)]
    return [(a, b) for a, b in spans if (b - a) * recording.dt >= SHORTEST and b < len(recording)]


def turn(recording: Recording, start: int, end: int) -> float:
    """How far the body turned about the vertical, degrees: the sum of the best rotations from frame to frame."""
    masses, total = node_masses(recording), 0.0
    before = _from_centre(recording, masses, start)
    for index in range(start + 1, end + 1):
        now = _from_centre(recording, masses, index)
        along = masses @ (before * now).sum(axis=1)
        across = masses @ (before[:, 1] * now[:, 0] - before[:, 0] * now[:, 1])
        total += float(np.arctan2(across, along))
        before = now
    return float(np.degrees(total))


def _from_centre(recording: Recording, masses: Floats, index: int) -> Floats:
    """Positions seen from above, about the centre of mass, z and x, (n, 2) m."""
    flat = recording.positions(index)[:, [0, 2]]
    return np.asarray(flat - masses @ flat / masses.sum())


def _axes(recording: Recording) -> tuple[Floats, Floats, Floats]:
    """For every frame: from the middle of the soles to that of the head (f, 3) m; the soles' (f, 3) m; the lowest
    node's height (f,) m."""
    heights = recording.rest_positions[:, 1]
    sole, head = heights < heights.min() + 1e-3, heights > heights.max() - 1e-3
    axes, soles, lowest = [], [], []
    for index in range(len(recording)):
        positions = recording.positions(index)
        soles.append(positions[sole].mean(axis=0))
        axes.append(positions[head].mean(axis=0) - soles[-1])
        lowest.append(positions[:, 1].min())
    return np.array(axes), np.array(soles), np.array(lowest)


# A jump forward is hardly braked on landing: what stops its feet stops it. spin about z brings its feet forward. Which
# contacts push off decides how far it goes: so the search may take its time.
FORWARD = Jumping(LETTER_I, Jump(rise=2.4, forward=1.15, lean=0.15, spin=(0.0, 0.0, 0.7), reach=0.3), Budget(200))
IN_PLACE = Jumping(LETTER_I, Jump(times=5, standing=0.8, brake=9.0))
TWIST = Jumping(LETTER_T, Jump(rise=2.7, spin=(0.0, 8.0, 0.0), crouch=0.7, brake=9.0))
DEMANDS = (
    Demand("flight", least=0.15),
    Demand("clearance", least=0.1),
    Demand("squash", most=0.85),
    Demand("landing_squash", most=0.95),
    Demand("stood", least=2.0),
    Demand("lean", most=10.0),
    Demand("speed", most=0.05),
)
STRETCHED = Demand("stretch", least=1.05)
SCENE_LIST = (
    Scene(
        "jump-i-forward",
        "the I jumps forward",
        4.0,
        FORWARD,
        measure,
        (Demand("jumps", least=1, most=1), Demand("way", least=0.3), STRETCHED, *DEMANDS),
    ),
    Scene(
        "jump-i-place",
        "the I jumps in place, five times in a row",
        12.5,
        IN_PLACE,
        measure,
        (Demand("jumps", least=5, most=5), STRETCHED, *DEMANDS),
    ),
    Scene(
        "jump-t-twist",
        "the T turns about the vertical in a jump",
        4.2,
        TWIST,
        measure,
        (Demand("jumps", least=1, most=1), Demand("twist", least=45.0), *DEMANDS),
    ),
)
