"""What a reduced body moves in: gravity, ground, friction, and the size of the steps."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from hydrostat.bodies.reduced.contact import GroundArrays
from hydrostat.errors import InputError


class Ground(Protocol):
    """Any ground that says what it is in plain numbers, such as those of ``contact.ground``."""

    def describe(self) -> dict[str, Any]:
        """A kind, "plane" or "heightfield", and its numbers."""
        ...


@dataclass(frozen=True)
class Damping:
    """The paper's tangential law: a point that touches keeps this share of its tangential velocity a step. B2024-(49)

    It knows no load and no angle: whatever presses on a slope stays there, and the share is one of a step, not of time.
    """

    retained: float = 0.2

    def __post_init__(self) -> None:
        """Refuse shares that are none."""
        if not 0.0 <= self.retained <= 1.0:
            raise InputError(f"retained is {self.retained}", "a share from 0 to 1", "change it")


@dataclass(frozen=True)
class Coulomb:
    """Coulomb's law: the tangential impulse is at most ``coefficient`` × the normal one. B2024-(49a)"""

    coefficient: float = 0.8

    def __post_init__(self) -> None:
        """Refuse coefficients that are no friction."""
        if not 0.0 <= self.coefficient < np.inf:
            raise InputError(f"coefficient is {self.coefficient}", "a finite number ≥ 0", "change it")


@dataclass(frozen=True)
class Surroundings:
    """The rules of a rollout.

    dt s. gravity (3,) m/s². ground: None for free space. friction: the law of the ground. iterations: local-global
    rounds a step.
    """

    dt: float = 1.0 / 60.0
    gravity: tuple[float, float, float] = (0.0, -9.81, 0.0)
    ground: Ground | None = None
    friction: Damping | Coulomb = field(default_factory=Coulomb)
    iterations: int = 10

    def __post_init__(self) -> None:
        """Refuse steps that are none."""
        if not 0.0 < self.dt < np.inf:
            raise InputError(f"dt is {self.dt} s", "a finite number above 0", "try 1/60")
        if not np.isfinite(self.gravity).all() or len(self.gravity) != 3:
            raise InputError(f"gravity is {self.gravity}", "three finite numbers", "give it as (0, -9.81, 0)")
        if self.iterations < 1:
            raise InputError(f"iterations is {self.iterations}", "1 or more", "try 10")

    @property
    def ground_arrays(self) -> GroundArrays:
        """The ground as compiled code reads it; free space is a plane infinitely far below."""
        up, none, nowhere = np.array([0.0, 1.0, 0.0]), np.empty((0, 0)), np.zeros(2)
        if self.ground is None:
            return GroundArrays(up, -np.inf, none, 1.0, nowhere)
        told = self.ground.describe()
        if told["kind"] == "plane":
            return GroundArrays(np.array(told["normal"], dtype=float), float(told["offset"]), none, 1.0, nowhere)
        heights, origin = np.array(told["heights"], dtype=float), np.array(told["origin"], dtype=float)
        return GroundArrays(up, 0.0, heights, float(told["spacing"]), origin)
