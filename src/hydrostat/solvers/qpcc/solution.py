"""The answer of every QPCC method: what was found, what is proven, and how far off its conditions are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hydrostat.arrays import Floats, Ints
from hydrostat.solvers.outcome import Outcome
from hydrostat.solvers.pieces import modes_of
from hydrostat.solvers.residuals import ControlResiduals


class QpccStatus(Outcome):
    """How a control problem with open contacts ended."""

    OPTIMAL = "optimal: proven, no choice of contacts and actuation has a lower objective"
    FOUND = "found: the best choice of contacts met within the budget; a better one may exist"
    INFEASIBLE = "infeasible: no actuation in its box and no impulses fulfil the contact conditions"
    UNBOUNDED = "unbounded: the objective falls for ever along some actuation without bounds"
    FAILED = "failed: no choice of contacts that the method tried can be fulfilled, or none accurately"


@dataclass(frozen=True)
class QpccSolution:
    """The best actuation and contact state found, where ``solved``.

    actuation: u (m,). impulses: p (3c,) N·s. velocities: w (3c,) m/s. objective: ½ zᵀ H z + gᵀ z + constant, inf
    unless solved. bound: what objective and penalty on impulses together cannot go below with any choice of contacts.
    pieces: (c,) numbers of `pieces`. nodes: convex programs solved. seconds: time spent. residuals: recomputed from the
    problem.
    """

    actuation: Floats
    impulses: Floats
    velocities: Floats
    objective: float
    bound: float
    status: QpccStatus
    pieces: Ints
    nodes: int
    seconds: float
    residuals: ControlResiduals

    @property
    def solved(self) -> bool:
        """Whether there is an answer that fulfils all conditions."""
        return self.status in (QpccStatus.OPTIMAL, QpccStatus.FOUND)

    @property
    def gap(self) -> float:
        """objective - bound, ≥ 0: what a better answer could gain at most; inf where nothing is proven."""
        return max(self.objective - self.bound, 0.0) if np.isfinite(self.bound) else np.inf

    @property
    def modes(self) -> Ints:
        """(c,) 0 free, 1 stick, 2 slide."""
        return modes_of(self.pieces)
