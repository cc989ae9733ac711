"""What a user wishes of a motion, and the trial of gaits that follows from it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hydrostat.actuation.modes import largest_amplitudes
from hydrostat.bodies.reduced import ReducedBody, Surroundings
from hydrostat.errors import InputError
from hydrostat.search.gaits import GaitSpace
from hydrostat.search.objectives import Objective
from hydrostat.search.starts import disturbed, settled
from hydrostat.search.trials import Trial

# Of the starts beside the first, in sizes of the body: part of what is asked, so the same for every search. It is twice
# that of the replays by which a gait is judged; with three times, some bodies find none that holds from all starts.
NOISE, NOISE_SEED = 0.02, 2024


@dataclass(frozen=True)
class Wishes:
    """How a body shall move.

    direction: (3,), horizontal, of length 1. objective: "travel" or "jump". straightness: how much the heading counts,
    see ``Objective``. alpha: α of B2024-(18), body lengths of gain for the energy that lifts the body by its length.
    seconds: of motion. only_modes: numbers of the modes that drive it, None for all. choose_modes: how many of these
    the search chooses, None for all. sinusoids: k, how many each mode adds up. periods: shortest and longest, s.
    common_period: whether all modes share one, see ``GaitSpace``. amplitude: p of B2024-(77), the greatest squared norm
    of the strain that one mode alone may ask of an element. starts: from how many poses a gait must work; all but the
    first have noise of 2 % of the body's size.
    """

    direction: tuple[float, float, float] = (1.0, 0.0, 0.0)
    objective: str = "travel"
    straightness: float = 3.0
    alpha: float = 0.0
    seconds: float = 5.0
    only_modes: tuple[int, ...] | None = None
    choose_modes: int | None = None
    sinusoids: int = 1
    periods: tuple[float, float] = (0.25, 0.75)
    common_period: bool = True
    amplitude: float = 0.2
    starts: int = 4

    def __post_init__(self) -> None:
        """Refuse wishes that mean nothing."""
        if not 0.0 < self.seconds < np.inf:
            raise InputError(f"{self.seconds} seconds", "a positive number", "try 5")
        if not 0.0 < self.amplitude < np.inf:
            raise InputError(f"amplitude is {self.amplitude}", "a positive number", "try 0.2")
        if self.starts < 1:
            raise InputError(f"{self.starts} starts", "at least 1", "try 4")
        if not 0.0 <= self.alpha < np.inf:
            raise InputError(f"alpha is {self.alpha}", "a number ≥ 0", "try 0")
        # These refuse for themselves; asked now, before a mesh is made.
        Objective(self.objective, self.straightness)
        GaitSpace(np.ones(1), self.sinusoids, self.periods)


def trial_of(body: ReducedBody, wishes: Wishes, surroundings: Surroundings) -> Trial:
    """The trial of all gaits that fulfil ``wishes``."""
    driven = body if wishes.only_modes is None else body.with_modes(wishes.only_modes)
    weight = body.mass * float(np.linalg.norm(surroundings.gravity))
    first, generator = settled(driven, surroundings), np.random.default_rng(NOISE_SEED)
    others = (disturbed(driven, first, surroundings, NOISE, generator) for _ in range(wishes.starts - 1))
    return Trial(
        driven,
        GaitSpace(
            amplitudes=largest_amplitudes(driven.mesh, driven.modes, wishes.amplitude),
            sinusoids=wishes.sinusoids,
            periods=wishes.periods,
            chosen=wishes.choose_modes,
            common_period=wishes.common_period,
        ),
        Objective(wishes.objective, wishes.straightness, wishes.alpha / weight if wishes.alpha else 0.0),
        surroundings,
        wishes.direction,
        round(wishes.seconds / surroundings.dt),
        (first, *others),
    )
