"""Rhythms: every actuator follows a sum of sines."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hydrostat.arrays import Floats
from hydrostat.errors import InputError


@dataclass(frozen=True)
class Sines:
    """A sum of k sines for each of m actuators; all arrays (m, k).

    amplitudes: in the unit of the actuator. periods s. phases: shares of a turn.
    """

    amplitudes: Floats
    periods: Floats
    phases: Floats

    def __post_init__(self) -> None:
        """Refuse arrays that do not fit, and periods that are none."""
        shapes = [np.shape(array) for array in (self.amplitudes, self.periods, self.phases)]
        if len(shapes[0]) != 2 or len(set(shapes)) > 1:
            raise InputError(
                f"amplitudes, periods and phases of shapes {shapes}", "one shape (m, k)", "a row each actuator"
            )
        if not (np.asarray(self.periods) > 0).all():
            raise InputError(f"a period of {np.min(self.periods)} s", "numbers above 0", "change the periods")

    def values(self, times: Floats) -> Floats:
        """Σ_j A_ij sin(2π(t/T_ij + θ_ij)) at ``times`` (T,) s: (T, m). B2024-(6)"""
        turns = np.asarray(times)[:, None, None] / self.periods + self.phases
        values: Floats = (self.amplitudes * np.sin(2.0 * np.pi * turns)).sum(axis=2)
        return values
