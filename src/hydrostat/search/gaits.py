"""What a search may change: sums of sines within limits, as a point of the unit cube."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hydrostat.actuation.sines import Sines
from hydrostat.arrays import Bools, Floats
from hydrostat.errors import InputError


@dataclass(frozen=True)
class GaitSpace:
    """All gaits within limits, B2024-(73) to (75).

    amplitudes: (m,) the greatest amplitude of every mode, ``a_max``. sinusoids: k, how many each mode adds up.
    periods: shortest and longest, s. phases: smallest and largest, in turns. chosen: how many modes a gait uses; None
    for all. A gait that chooses is co-optimised: it has one more number a mode, and the modes with the highest move.
    common_period: whether the gait repeats, all modes with one period, the second sinusoid with half of it and so on;
    otherwise every sinusoid of every mode has its own, as in the paper. Gaits that repeat are found sooner and keep
    their heading longer.
    """

    amplitudes: Floats
    sinusoids: int = 1
    periods: tuple[float, float] = (0.2, 0.6)
    phases: tuple[float, float] = (0.0, np.pi / 2)
    chosen: int | None = None
    common_period: bool = True

    def __post_init__(self) -> None:
        """Refuse limits that hold no gait."""
        modes = len(self.amplitudes)
        if not modes or self.sinusoids < 1 or not (np.isfinite(self.amplitudes) & (self.amplitudes >= 0.0)).all():
            raise InputError(
                f"{self.sinusoids} sinusoids for modes of amplitudes {self.amplitudes.tolist()}",
                "at least one sinusoid and one mode, amplitudes that are finite and ≥ 0",
                "ask for more modes, or check the mesh for elements without volume",
            )
        if not 0.0 < self.periods[0] <= self.periods[1] < np.inf:
            raise InputError(f"periods are {self.periods} s", "shortest ≤ longest, both positive", "try 0.2 0.6")
        if not -np.inf < self.phases[0] <= self.phases[1] < np.inf:
            raise InputError(f"phases are {self.phases} turns", "smallest ≤ largest", "try 0 1")
        if self.chosen is not None and not 1 <= self.chosen <= modes:
            raise InputError(
                f"{self.chosen} modes to choose of {modes}", f"a number from 1 to {modes}", "offer more modes"
            )

    @property
    def dimension(self) -> int:
        """How many numbers make a gait."""
        modes, sines = len(self.amplitudes), len(self.amplitudes) * self.sinusoids
        return 2 * sines + (1 if self.common_period else sines) + (0 if self.chosen is None else modes)

    def gait(self, point: Floats) -> Sines:
        """The gait at a point (dimension,) of the unit cube."""
        shape = (len(self.amplitudes), self.sinusoids)
        count = shape[0] * shape[1]
        shares, phases, rest = point[:count], point[count : 2 * count], point[2 * count :]
        largest = np.where(self.moving(point), self.amplitudes, 0.0)[:, None]
        periods = _between(self.periods, rest[:1] if self.common_period else rest[:count].reshape(shape))
        return Sines(
            amplitudes=(2.0 * shares.reshape(shape) - 1.0) * largest,
            periods=np.broadcast_to(periods / np.arange(1, shape[1] + 1), shape) if self.common_period else periods,
            phases=_between(self.phases, phases.reshape(shape)),
        )

    def moving(self, point: Floats) -> Bools:
        """Which modes move in the gait at ``point``, (m,): the chosen ones with the highest share, or all."""
        modes = len(self.amplitudes)
        moving = np.ones(modes, bool)
        if self.chosen is not None:
            moving[np.argsort(-point[-modes:], kind="stable")[self.chosen :]] = False
        return moving


def _between(limits: tuple[float, float], share: Floats) -> Floats:
    return limits[0] + (limits[1] - limits[0]) * share
