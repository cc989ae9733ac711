"""Forces from outside, by name: the only ones besides muscle, gravity and contact."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hydrostat.arrays import Floats
from hydrostat.errors import InputError


@dataclass(frozen=True)
class Push:
    """A force (3,) N on the nodes with the given shares (n,), from ``start`` for ``duration`` s, constant in time."""

    shares: Floats
    force: tuple[float, float, float]
    start: float
    duration: float

    def __post_init__(self) -> None:
        """Refuse pushes that are none."""
        if not np.isfinite(self.force).all() or not self.duration > 0.0:
            raise InputError(
                f"a push of {self.force} N for {self.duration} s",
                "a finite force and a positive duration",
                "change them",
            )

    def forces(self, time: float, positions: Floats) -> Floats:
        """(n, 3) N."""
        if self.start <= time < self.start + self.duration:
            return np.outer(self.shares, self.force)
        return np.zeros_like(positions)


@dataclass(frozen=True)
class Pull:
    """A force on the nodes with the given shares (n,), from ``start`` s on: ``first`` (3,) N, growing by ``rate`` (3,)
    N/s.
    """

    shares: Floats
    rate: tuple[float, float, float]
    start: float = 0.0
    first: tuple[float, float, float] = (0.0, 0.0, 0.0)

    def __post_init__(self) -> None:
        """Refuse pulls that are none."""
        if not (np.isfinite(self.rate).all() and np.isfinite(self.first).all() and np.isfinite(self.start)):
            raise InputError(
                f"a pull of {self.first} N that grows by {self.rate} N/s from {self.start} s",
                "finite numbers",
                "change them",
            )

    def at(self, time: float) -> Floats:
        """The whole force at ``time``, (3,) N."""
        if time < self.start:
            return np.zeros(3)
        return np.asarray(self.first) + (time - self.start) * np.asarray(self.rate)

    def forces(self, time: float, positions: Floats) -> Floats:
        """(n, 3) N."""
        return np.outer(self.shares, self.at(time))


def shares_near(positions: Floats, masses: Floats, place: tuple[float, float, float], radius: float) -> Floats:
    """Shares (n,) that add up to one: the masses of the nodes within ``radius`` m of ``place``."""
    near = np.linalg.norm(positions - np.asarray(place), axis=1) <= radius
    if not near.any():
        raise InputError(f"no node within {radius} m of {place}", "a place on the body", "move it or widen the radius")
    shares = np.where(near, masses, 0.0)
    return shares / shares.sum()
