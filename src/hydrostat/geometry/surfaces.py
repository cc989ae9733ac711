"""Triangle surfaces: the container, and what can be asked of it."""

from __future__ import annotations

from dataclasses import dataclass

from hydrostat.arrays import Floats, Ints


@dataclass(frozen=True)
class Surface:
    """A triangle surface; faces are counter-clockwise seen from outside.

    vertices: (n, 3) metres. faces: (f, 3) indices into vertices.
    """

    vertices: Floats
    faces: Ints
