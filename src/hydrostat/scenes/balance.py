"""The I is pushed hard at its head and keeps its balance (T2012 Figure 5)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from hydrostat.arrays import Floats, Ints
from hydrostat.characters.letter_i import CHARACTER as LETTER_I
from hydrostat.control.behaviours.balance import Recovery
from hydrostat.control.controllers import GoalController
from hydrostat.control.plans import Behaviour
from hydrostat.io.reader import Recording
from hydrostat.scenes.scene import Demand, Scene, Settings, Stage
from hydrostat.scenes.staging import controller_of, start_of, world_of
from hydrostat.stepping.forces import Push, shares_near
from hydrostat.stepping.world import World

HEAD, RADIUS = (0.0, 0.95, 0.0), 0.15
# Weights of activation and of its change, (m/s)².
EFFORT, CHANGE = 9e-4, 7e-3
RECOVERS = Recovery().behaviour


@dataclass(frozen=True)
class Shove:
    """A push at the head of the I.

    impulse N·s; direction: degrees from +x towards +z; start and duration s.
    """

    impulse: float = 60.0
    direction: float = 0.0
    start: float = 0.79
    duration: float = 0.1

    @property
    def end(self) -> float:
        """When it is over, s."""
        return self.start + self.duration

    @property
    def force(self) -> tuple[float, float, float]:
        """N."""
        angle, size = np.radians(self.direction), self.impulse / self.duration
        return float(size * np.cos(angle)), 0.0, float(size * np.sin(angle))


def balance_i(shove: Shove = Shove(), behaves: Callable[[World], Behaviour] = RECOVERS) -> Callable[[Settings], Stage]:
    """The I on its base, and a ``shove``."""

    def build(settings: Settings) -> Stage:
        body = LETTER_I.body
        shares = shares_near(body.rest_positions, body.masses, HEAD, RADIUS)
        world = world_of(LETTER_I, settings, forces=(Push(shares, shove.force, shove.start, shove.duration),))
        controller = controller_of(GoalController(behaves(world), EFFORT, CHANGE), settings)
        details = {"push": vars(shove) | {"force": shove.force, "end": shove.end}}
        return Stage(world, start_of(world, settings), controller, LETTER_I.height, details=details)

    return build


def measure(recording: Recording) -> dict[str, Any]:
    """How hard the push was, what it did to the base, and how the I stands in the end.

    impulse: N·s, as recorded. leaned: greatest lean of the line from sole to head, degrees. base_growth: greatest area
    of the sole, seen from above, over that before the push, less 1. sunk: how far the centre of mass came down from
    its height before the push, in body heights. grounded: the least share of the sole within a millimetre of the
    ground. rim: how far out the ground's force was, from the middle of the sole, 0, to its edge, 1. lean: in the end,
    degrees. speed: of the fastest node in the last half second, m/s.
    """
    push = recording.metadata["details"]["push"]
    frames = range(len(recording))
    calm = [index for index in frames if recording.times[index] <= push["start"]]
    after = list(frames[len(calm) :])
    late = [index for index in frames if recording.times[index] > recording.times[-1] - 0.5]
    sole = Sole.of(recording)
    areas = np.array([sole.area(recording.positions(index)) for index in frames])
    heights = np.array([recording.markers(index)["centre of mass"][1] for index in frames])
    leans = np.array([lean(recording, index) for index in frames])
    impulse = recording.dt * sum(recording.outside(index)[0, 1] for index in frames)
    return {
        "impulse": float(np.linalg.norm(impulse)),
        "leaned": float(leans[after].max()),
        "base_growth": float(areas[after].max() / areas[calm[-10:]].mean() - 1.0),
        "sunk": float((heights[calm[-10:]].mean() - heights[after].min()) / recording.metadata["height"]),
        "grounded": min(sole.grounded(recording.positions(index)) for index in after),
        "rim": max(sole.outward(recording, index) for index in after),
        "lean": float(leans[-1]),
        "speed": max(float(np.linalg.norm(recording.velocities(index), axis=1).max()) for index in late),
    }


def lean(recording: Recording, index: int) -> float:
    """The angle between the vertical and the line from the middle of the sole to that of the top, degrees."""
    rest, now = recording.rest_positions[:, 1], recording.positions(index)
    axis = now[rest > rest.max() - 1e-3].mean(axis=0) - now[rest < rest.min() + 1e-3].mean(axis=0)
    return float(np.degrees(np.arccos(axis[1] / np.linalg.norm(axis))))


@dataclass(frozen=True)
class Sole:
    """The part of a skin that lies on the ground at rest. triangles (b, 3); nodes (s,); shares (s,) of its area."""

    triangles: Ints
    nodes: Ints
    shares: Floats

    @classmethod
    def of(cls, recording: Recording) -> Sole:
        """The sole of the body of ``recording``."""
        rest, faces = recording.rest_positions, recording.surface_faces
        triangles = faces[(rest[faces, 1] < rest[:, 1].min() + 1e-3).all(axis=1)]
        nodes, local = np.unique(triangles, return_inverse=True)
        own = np.repeat(_triangle_areas(rest, triangles) / 3.0, 3)
        shares = np.bincount(local.ravel(), own)
        return cls(triangles, nodes, shares / shares.sum())

    def area(self, positions: Floats) -> float:
        """Its area seen from above, m²."""
        return float(_triangle_areas(positions, self.triangles).sum())

    def grounded(self, positions: Floats) -> float:
        """The share of it that is within a millimetre of the ground."""
        return float(self.shares[positions[self.nodes, 1] < 1e-3].sum())

    def outward(self, recording: Recording, index: int) -> float:
        """How far out the ground's force acts in a frame, from the middle, 0, to the edge of the sole, 1."""
        contacts, feet = recording.contacts(index), recording.positions(index)[self.nodes]
        load = contacts.impulses[:, 1]
        if not load.sum() > 0.0:
            return 0.0
        way = (load @ contacts.positions / load.sum() - self.shares @ feet) * [1.0, 0.0, 1.0]
        return float(way @ way / ((feet - self.shares @ feet) @ way).max())


def _triangle_areas(positions: Floats, triangles: Ints) -> Floats:
    """Of every triangle, as it is seen from below, (b,) m²."""
    a, b, c = (positions[triangles[:, i]] for i in range(3))
    areas: Floats = -0.5 * np.cross(b - a, c - a)[:, 1]
    return areas


DEMANDS = (
    Demand("leaned", least=10.0),
    Demand("base_growth", least=0.15),
    Demand("sunk", least=0.01),
    Demand("grounded", most=0.5),
    Demand("rim", least=0.8),
    Demand("lean", most=5.0),
    Demand("speed", most=0.02),
)
TELLING = Shove().end  # s
SCENE_LIST = (
    Scene(
        "balance-i",
        "the I is pushed hard at its head and keeps its balance",
        5.0,
        balance_i(),
        measure,
        DEMANDS,
        TELLING,
    ),
)
