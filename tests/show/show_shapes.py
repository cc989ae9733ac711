"""Small things to draw."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hydrostat.arrays import Floats, Ints
from hydrostat.show.camera import Camera

BOX_FACES = np.array(
    [
        *([0, 1, 3], [0, 3, 2], [4, 7, 5], [4, 6, 7], [0, 5, 1], [0, 4, 5]),
        *([2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 7, 3], [1, 5, 7]),
    ]
)


def box(low: tuple[float, float, float], high: tuple[float, float, float]) -> tuple[Floats, Ints]:
    """A closed box, counter-clockwise from outside."""
    corners = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)])
    return np.where(corners == 1, high, low).astype(float), BOX_FACES


def front_camera(height: float = 0.0) -> Camera:
    """A camera on the z axis that looks at the origin."""
    return Camera(np.array([0.0, height, 6.0]), np.zeros(3))


@dataclass(frozen=True)
class BoxContacts:
    positions: Floats
    normals: Floats
    impulses: Floats
    modes: Ints


@dataclass
class WanderingBox:
    """A recorded motion: a unit box that walks along x at ``speed``, with a muscle and a contact."""

    speed: float = 1.0
    frame_count: int = 5
    title: str = "box"
    dt: float = 0.01
    ground: dict[str, Any] = field(default_factory=lambda: {"kind": "plane", "normal": [0.0, 1.0, 0.0], "offset": 0.0})
    fibres: tuple[Ints, ...] = (np.array([0, 1, 2]),)

    def __post_init__(self) -> None:
        self.rest_positions, self.surface_faces = box((-0.5, 0.0, -0.5), (0.5, 1.0, 0.5))
        self.times = 0.1 * np.arange(self.frame_count)

    def _moved(self, index: int) -> Floats:
        return np.array([self.speed * self.times[index], 0.0, 0.0])

    def positions(self, index: int, /) -> Floats:
        return self.rest_positions + self._moved(index)

    def fibre_points(self, index: int, /) -> Floats:
        return np.array([[0.0, 0.2, 0.0], [0.0, 0.5, 0.0], [0.0, 0.8, 0.0]]) + self._moved(index)

    def activation(self, index: int, /) -> Floats:
        return np.array([0.0, 1.0])

    def contacts(self, index: int, /) -> BoxContacts:
        up = np.array([[0.0, 1.0, 0.0]])
        force = 10.0 if index < self.frame_count - 1 else 1000.0
        return BoxContacts(self._moved(index)[None], up, force * self.dt * up, np.array([index % 3]))

    def outside(self, index: int, /) -> Floats:
        return np.array([[self._moved(index), [5.0, 0.0, 0.0]]])

    def markers(self, index: int, /) -> dict[str, Floats]:
        middle = self._moved(index) + np.array([0.0, 0.5, 0.0])
        return {"com": middle, "com target": middle + np.array([0.0, 0.2, 0.0])}
