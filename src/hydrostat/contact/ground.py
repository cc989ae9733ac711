"""What bodies stand on: planes, slopes and heightfields."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from hydrostat.arrays import Floats
from hydrostat.errors import InputError


class Ground(Protocol):
    """A surface that bodies may not enter."""

    def gaps(self, points: Floats) -> Floats:
        """Signed distance of ``points`` (k, 3) m, (k,) m: negative below."""
        ...

    def normals(self, points: Floats) -> Floats:
        """Unit normal of the ground next to ``points`` (k, 3), (k, 3)."""
        ...

    def describe(self) -> dict[str, Any]:
        """The ground as plain numbers, for recordings and pictures."""
        ...


@dataclass(frozen=True)
class Plane:
    """All points with normal · x ≥ offset; the default is the horizontal ground y = 0."""

    normal: tuple[float, float, float] = (0.0, 1.0, 0.0)
    offset: float = 0.0

    def __post_init__(self) -> None:
        """Refuse a normal that is no unit vector."""
        if not abs(np.linalg.norm(self.normal) - 1.0) < 1e-9:
            raise InputError(f"the ground's normal is {self.normal}", "a unit vector", "divide it by its length")

    def gaps(self, points: Floats) -> Floats:
        """Signed distance of ``points`` (k, 3) m, (k,) m."""
        return points @ np.array(self.normal) - self.offset

    def normals(self, points: Floats) -> Floats:
        """(k, 3)."""
        return np.broadcast_to(np.array(self.normal), points.shape)

    def describe(self) -> dict[str, Any]:
        """The plane as plain numbers."""
        return {"kind": "plane", "normal": list(self.normal), "offset": self.offset}


def slope(angle: float) -> Plane:
    """A plane through the origin that falls towards +x by ``angle`` (radians)."""
    if not abs(angle) < np.pi / 2:
        raise InputError(f"the slope is {angle} rad", "an angle between −π/2 and π/2", "give radians, not degrees")
    return Plane((float(np.sin(angle)), float(np.cos(angle)), 0.0))


@dataclass(frozen=True)
class Heightfield:
    """Ground heights on a regular grid, bilinear between the samples and level beyond the border.

    heights: (rows, columns) m, sample [i, j] stands at x = origin[0] + j · spacing, z = origin[1] + i · spacing.
    """

    heights: Floats
    spacing: float
    origin: tuple[float, float] = (0.0, 0.0)

    def __post_init__(self) -> None:
        """Refuse grids that span no area."""
        if self.heights.ndim != 2 or min(self.heights.shape) < 2 or not np.isfinite(self.heights).all():
            raise InputError(
                f"heights of shape {self.heights.shape}",
                "a finite grid of at least 2 × 2 samples",
                "fill the grid",
            )
        if not 0.0 < self.spacing < np.inf:
            raise InputError(f"spacing is {self.spacing}", "a positive number of metres", "give the sample distance")

    def gaps(self, points: Floats) -> Floats:
        """Signed distance of ``points`` (k, 3) m to the tangent plane below each, (k,) m."""
        height, slope_x, slope_z = self._sample(points)
        return (points[:, 1] - height) / np.sqrt(1.0 + slope_x**2 + slope_z**2)

    def normals(self, points: Floats) -> Floats:
        """(k, 3)."""
        _, slope_x, slope_z = self._sample(points)
        upward = np.stack([-slope_x, np.ones_like(slope_x), -slope_z], axis=1)
        return upward / np.linalg.norm(upward, axis=1, keepdims=True)

    def describe(self) -> dict[str, Any]:
        """The grid as plain numbers."""
        return {
            "kind": "heightfield",
            "heights": self.heights.tolist(),
            "spacing": self.spacing,
            "origin": list(self.origin),
        }

    def _sample(self, points: Floats) -> tuple[Floats, Floats, Floats]:
        """Height and its slopes along x and z under ``points``."""
        rows, columns = self.heights.shape
        u = (points[:, 0] - self.origin[0]) / self.spacing
        w = (points[:, 2] - self.origin[1]) / self.spacing
        inside_u = (u >= 0.0) & (u <= columns - 1)
        inside_w = (w >= 0.0) & (w <= rows - 1)
        u, w = np.clip(u, 0.0, columns - 1), np.clip(w, 0.0, rows - 1)
        j, i = np.minimum(u.astype(int), columns - 2), np.minimum(w.astype(int), rows - 2)
        s, t = u - j, w - i
        h00, h01 = self.heights[i, j], self.heights[i, j + 1]
        h10, h11 = self.heights[i + 1, j], self.heights[i + 1, j + 1]
        height = (1 - t) * ((1 - s) * h00 + s * h01) + t * ((1 - s) * h10 + s * h11)
        slope_x = np.where(inside_u, ((1 - t) * (h01 - h00) + t * (h11 - h10)) / self.spacing, 0.0)
        slope_z = np.where(inside_w, ((1 - s) * (h10 - h00) + s * (h11 - h01)) / self.spacing, 0.0)
        return height, slope_x, slope_z


def described(description: dict[str, Any]) -> Ground:
    """The ground that ``Ground.describe`` told of.

    >>> described(slope(0.1).describe()) == slope(0.1)
    True
    """
    if description["kind"] == "plane":
        return Plane(tuple(description["normal"]), description["offset"])
    return Heightfield(np.array(description["heights"]), description["spacing"], tuple(description["origin"]))
