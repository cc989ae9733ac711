"""A pinhole camera that looks from a position to a target."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from hydrostat.arrays import Floats, frozen
from hydrostat.errors import InputError


@dataclass(frozen=True)
class Camera:
    """Where a picture is taken from.

    position, target: (3,) m. up: (3,), not along the line of sight. field_of_view: vertical, degrees.
    """

    position: Floats
    target: Floats
    up: Floats = field(default_factory=lambda: np.array([0.0, 1.0, 0.0]))
    field_of_view: float = 30.0

    def __post_init__(self) -> None:
        """Freeze the vectors and refuse a camera that cannot see."""
        for name in ("position", "target", "up"):
            vector = frozen(getattr(self, name))
            if vector.shape != (3,) or not np.isfinite(vector).all():
                raise InputError(f"camera {name} is {vector}", "three finite numbers", "correct the camera")
            object.__setattr__(self, name, vector)
        if not 0.0 < self.field_of_view < 180.0:
            raise InputError(f"field_of_view is {self.field_of_view}", "degrees between 0 and 180", "30 looks natural")
        forward = self.target - self.position
        if np.linalg.norm(np.cross(forward, self.up)) <= 1e-9 * np.linalg.norm(forward) * np.linalg.norm(self.up):
            raise InputError(
                f"camera looks along {forward} with up {self.up}",
                "a line of sight that is not zero and not along up",
                "move the camera, or choose another up",
            )

    @cached_property
    def axes(self) -> Floats:
        """Right, up and forward as unit rows, (3, 3)."""
        forward = self.target - self.position
        forward = forward / np.linalg.norm(forward)
        right = np.cross(forward, self.up)
        right = right / np.linalg.norm(right)
        return np.stack([right, np.cross(right, forward), forward])

    @property
    def distance(self) -> float:
        """From the position to the target, m."""
        return float(np.linalg.norm(self.target - self.position))

    def to_camera(self, points: ArrayLike) -> Floats:
        """Coordinates (n, 3) m of ``points`` (n, 3) m along right, up and forward, from the camera."""
        return (np.asarray(points) - self.position) @ self.axes.T

    def focal_length(self, height: int) -> float:
        """Pixels on a picture ``height`` pixels high that a unit of slope away from the centre takes."""
        return 0.5 * height / float(np.tan(0.5 * np.radians(self.field_of_view)))

    def project(self, points: ArrayLike, size: tuple[int, int]) -> Floats:
        """Where ``points`` (n, 3) m stand on a picture of ``size`` (width, height): (n, 3) x, y in pixels,
        depth m.

        x runs right and y down from the upper left corner; points at or behind the camera have depth ≤ 0 and
        no meaningful x and y.
        """
        right, up, depth = self.to_camera(points).T
        with np.errstate(divide="ignore", invalid="ignore"):
            scale = self.focal_length(size[1]) / depth
            return np.stack([0.5 * size[0] + right * scale, 0.5 * size[1] - up * scale, depth], axis=1)

    @classmethod
    def framing(
        cls,
        bounds: ArrayLike,
        direction: ArrayLike,
        *,
        aspect: float = 16 / 9,
        field_of_view: float = 30.0,
        margin: float = 1.15,
    ) -> Camera:
        """The nearest camera along ``direction`` that sees the whole box ``bounds``.

        bounds: (2, 3) m, lowest and highest corner. direction: (3,), from the box to the camera. aspect:
        width by height of the picture. margin: how much larger than the box the picture is.
        """
        low, high = np.asarray(bounds, dtype=np.float64)
        way = np.asarray(direction, dtype=np.float64)
        way = way / np.linalg.norm(way)
        up = np.array([0.0, 1.0, 0.0]) if abs(way[1]) < 0.999 else np.array([0.0, 0.0, -1.0])
        centre = 0.5 * (low + high)
        axes = cls(centre + way, centre, up).axes
        corners = np.stack(np.meshgrid(*np.stack([low, high], axis=1)), axis=-1).reshape(-1, 3)
        right, upward, forward = axes @ (corners - centre).T
        slope = np.tan(0.5 * np.radians(field_of_view)) / margin
        distance = np.max(np.maximum(np.abs(right) / (slope * aspect), np.abs(upward) / slope) - forward)
        return cls(centre + max(distance, 1e-6) * way, centre, up, field_of_view)
