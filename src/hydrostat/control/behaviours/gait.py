"""Gaits: which feet swing when, where they go, and where that leaves the weight. Geometry and clockwork only."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from hydrostat.arrays import Floats

# Clocks that differ by less are the same, s.
ROUNDING = 1e-9
# Time by which the first pause is longer, s: the weight has farther to go.
SETTLING = 0.4
# Shares of its way through the air: when a foot has left its start, and when it is above its end.
RISEN, ABOVE = 0.05, 0.9
# Share of a swing after which a foot should be down; the rest is for feet that come late.
LANDING = 0.9


@dataclass(frozen=True)
class Gait:
    """Steps in an order that repeats; every step is a pause with all feet down, and then a swing.

    order: the feet of every step, by index; each foot once. pauses s: before every step. swing s. stride m: how far a
    foot goes in a cycle. clearance m: how high it is lifted. margin m: how far inside the ground between the standing
    feet the weight stays. growing: number of steps in which strides grow to their length. limbs: share of
    the mass that goes with the feet; where two feet carry, falling and not this says how the weight goes.
    """

    order: tuple[tuple[int, ...], ...]
    pauses: tuple[float, ...]
    swing: float
    stride: float
    clearance: float
    margin: float
    growing: int = 0
    limbs: float = 0.0

    @property
    def period(self) -> float:
        """Time of a cycle, s."""
        return sum(self.pauses) + len(self.order) * self.swing

    def lift(self, step: int) -> float:
        """Clock at which the swing of ``step`` begins, s."""
        cycles, last = divmod(step, len(self.order))
        return SETTLING + cycles * self.period + sum(self.pauses[: last + 1]) + last * self.swing

    def begin(self, step: int) -> float:
        """Clock at which the pause before ``step`` begins, s."""
        return self.lift(step - 1) + self.swing if step else 0.0

    def step_at(self, clock: float) -> int:
        """The step that is on at ``clock`` s, or the first one."""
        step = max(0, int((clock - SETTLING) // self.period)) * len(self.order)
        while self.begin(step + 1) <= clock + ROUNDING:
            step += 1
        return step

    def feet(self, step: int) -> tuple[int, ...]:
        """The feet that swing in ``step``."""
        return self.order[step % len(self.order)]

    def share(self, clock: float) -> float:
        """How much of the swing of the step at ``clock`` s is over, 0 to 1; negative in the pause before."""
        return (clock - self.lift(self.step_at(clock))) / self.swing

    def swinging(self, clock: float) -> tuple[int, ...]:
        """The feet that are in the air at ``clock`` s."""
        return self.feet(self.step_at(clock)) if self.share(clock) > ROUNDING else ()

    def ahead(self, foot: int, steps: int) -> float:
        """How far forward ``foot`` stands after ``steps`` steps, m; every step ends ahead of the one before it."""
        count = len(self.order)
        own = next(k for k, feet in enumerate(self.order) if foot in feet)
        last = steps - (steps - 1 - own) % count
        if last >= self.growing:
            return self.stride / count * (last - 0.5 * self.growing)
        return self.stride / count * 0.5 * last**2 / self.growing if last > 0 else 0.0

    def footholds(self, homes: Floats, steps: int) -> Floats:
        """Where the feet stand after ``steps`` steps if they began at ``homes`` (f, 2) m, forward and aside, (f, 2)."""
        return homes + np.array([(self.ahead(foot, steps), 0.0) for foot in range(len(homes))])

    def weight(self, homes: Floats, clock: float) -> Floats:
        """Where the centre of mass should be at ``clock`` s, (3,) m: forward, above its height at rest, and aside.

        The body keeps up with the mean of all feet, evenly; the limbs go with the feet. It goes aside only as far as
        the standing feet demand, and while all feet are down.
        """
        step = self.step_at(clock)
        near = range(max(0, step - 1), step + 3)
        middles = [0.5 * (self.begin(k) + self.lift(k)) for k in near]
        body = np.array([np.interp(clock, middles, [self._middle(homes, k) for k in near]), 0.0])
        limbs = np.mean([self.on_the_way(homes, foot, clock)[:2] for foot in range(len(homes))], axis=0)
        forward, above = (1.0 - self.limbs) * body + self.limbs * limbs
        before = self._aside(homes, step - 1) if step else 0.0
        share = ease((clock - self.begin(step)) / (self.lift(step) - self.begin(step)))
        return np.array([forward, above, before + share * (self._aside(homes, step) - before)])

    def on_the_way(self, homes: Floats, foot: int, clock: float) -> Floats:
        """Where ``foot`` is at ``clock`` s, (3,) m."""
        step = self.step_at(clock)
        start, end = (np.insert(self.footholds(homes, k)[foot], 1, 0.0) for k in (step, step + 1))
        return arc(start, end, self.clearance, self.share(clock) / LANDING) if foot in self.feet(step) else start

    def _middle(self, homes: Floats, steps: int) -> float:
        return float(self.footholds(homes, steps)[:, 0].mean())

    def _aside(self, homes: Floats, step: int) -> float:
        """How far the weight goes aside in ``step``: as little as keeps it ``margin`` inside the standing feet, m."""
        forward = 0.5 * (self._middle(homes, step) + self._middle(homes, step + 1))
        standing = np.delete(self.footholds(homes, step), self.feet(step), axis=0)
        left, right = crossed(standing, forward)
        if right - left < 2.0 * self.margin:
            return 0.5 * (left + right)
        return float(np.clip(0.0, left + self.margin, right - self.margin))


def crossed(points: Floats, forward: float) -> tuple[float, float]:
    """Between which z the line x = ``forward`` crosses the hull of ``points`` (k, 2) m: x and z of each."""
    crossings = [
        a[1] + (forward - a[0]) / (b[0] - a[0]) * (b[1] - a[1])
        for a, b in combinations(points, 2)
        if (a[0] - forward) * (b[0] - forward) <= 0.0 and a[0] != b[0]
    ]
    return min(crossings), max(crossings)


def ease(share: float) -> float:
    """From 0 to 1 as ``share`` does, without a jump of velocity or acceleration."""
    s = float(np.clip(share, 0.0, 1.0))
    return s**3 * (10.0 - 15.0 * s + 6.0 * s**2)


def arc(start: Floats, end: Floats, clearance: float, share: float) -> Floats:
    """A point of the way (3,) m from ``start`` to ``end``, lifted by ``clearance`` in its middle.

    The foot rises before it goes, and is above its end before it comes down: so it does not slide on the ground when it
    leaves a little late or lands a little early.
    """
    s = float(np.clip(share, 0.0, 1.0))
    lifted = np.array([0.0, clearance * np.sin(np.pi * s) ** 2, 0.0])
    return start + ease((s - RISEN) / (ABOVE - RISEN)) * (end - start) + lifted
