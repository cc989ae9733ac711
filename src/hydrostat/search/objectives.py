"""Objectives: what makes one motion better than another. Scores are small where motions are good."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from hydrostat.errors import InputError
from hydrostat.search.outcomes import Outcome

# The score of a motion that blew up: worse than all others, and finite, as CMA-ES ranks.
BLOWN_UP = 1e9
# Leaning up to the first angle costs nothing, beyond the second the body has toppled; rad.
LEAN, TOPPLED = np.deg2rad(45.0), np.deg2rad(60.0)

GAINS: dict[str, Callable[[Outcome], float]] = {
    "travel": lambda outcome: outcome.distance,
    "jump": lambda outcome: outcome.rise,
}


@dataclass(frozen=True)
class Objective:
    """The score of a motion, B2024-(17) and (18).

    gain: "travel", the distance along the wished direction, or "jump", the mean rise of the centre of mass; m.
    straightness: exponent of the alignment; it is 1 in the paper, more keeps the heading better at the cost of gain.
    price: m of gain that one joule of actuation costs; α is this price in units of the body.
    """

    gain: str = "travel"
    straightness: float = 1.0
    price: float = 0.0

    def __post_init__(self) -> None:
        """Refuse objectives that mean nothing."""
        if self.gain not in GAINS:
            raise InputError(f"objective {self.gain!r}", f"one of {', '.join(GAINS)}", "choose one")
        if not 0.0 <= self.straightness < np.inf:
            raise InputError(f"straightness is {self.straightness}", "a number ≥ 0", "try 1")
        if not 0.0 <= self.price < np.inf:
            raise InputError(f"work costs {self.price} m/J", "a number ≥ 0", "try 0")

    def score(self, outcome: Outcome) -> float:
        """J = - gain · alignment ^ straightness · posture + price · work, m.

        A body that turned away by a right angle, or toppled, scores as one that stood still: a product of two
        negative factors, a body that turned around and went backward, is no success.
        """
        if outcome.blown_up:
            return BLOWN_UP
        gain = GAINS[self.gain](outcome)
        heading = max(outcome.alignment, 0.0) ** self.straightness
        return -gain * heading * posture(outcome.uprightness) + self.price * outcome.work


def posture(uprightness: float) -> float:
    """1 for a body that leaned little, 0 for one that toppled.

    >>> posture(1.0), posture(0.5), posture(-1.0)
    (1.0, 0.0, 0.0)
    """
    return float(np.clip((uprightness - np.cos(TOPPLED)) / (np.cos(LEAN) - np.cos(TOPPLED)), 0.0, 1.0))
