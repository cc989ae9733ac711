"""References: every piece of every contact, and no choice at all."""

from __future__ import annotations

import numpy as np

from hydrostat.solvers.pieces import STICK
from hydrostat.solvers.qpcc.exploration import Exploration
from hydrostat.solvers.qpcc.programs import Answer


def hold_all(explored: Exploration) -> None:
    """Keep every contact static; no muscle may be able to."""
    explored.leaf(np.full(explored.programs.contacts, STICK))


def enumerate_leaves(explored: Exploration) -> None:
    """Solve every leaf, so that the best one is the best of all."""
    explored.offer(explored.programs.root)  # a leaf where there are no contacts
    explored.bound = explored.value if _deepen(explored, explored.programs.root, 0) else 0.0


def _deepen(explored: Exploration, near: Answer, contact: int) -> bool:
    """All pieces of contacts from ``contact`` on, the others as in ``near``; whether the budget sufficed."""
    if contact == len(near.cells):
        return True
    for piece in np.flatnonzero(explored.programs.given.exists[contact]):
        if explored.spent:
            return False
        cells = near.cells.copy()
        cells[contact] = piece
        answer = explored.programs.solve(cells, near)
        explored.offer(answer)
        if not _deepen(explored, answer, contact + 1):
            return False
    return True
