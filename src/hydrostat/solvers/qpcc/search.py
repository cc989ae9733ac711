"""What a controller uses: a descent from the best of several starts, then branch and bound while the budget lasts."""

from __future__ import annotations

import numpy as np

from hydrostat.arrays import Ints
from hydrostat.solvers.pieces import STICK
from hydrostat.solvers.qpcc.active_set import OPTIMAL
from hydrostat.solvers.qpcc.certified import branch_and_bound
from hydrostat.solvers.qpcc.exploration import ON_PIECE, Exploration
from hydrostat.solvers.qpcc.paper import contact_guess


def descend_and_bound(explored: Exploration) -> None:
    """Look at several leaves, go from the best one to others that meet its minimiser, then look everywhere else."""
    for pieces in starts(explored):
        explored.attempt(pieces, explored.programs.root)
    while descend(explored):
        pass
    branch_and_bound(explored)


def descend(explored: Exploration) -> bool:
    """Move one contact to another piece that meets the minimiser, if that helps; whether it did."""
    best = explored.best
    if best is None:
        return False
    for i, piece in np.argwhere(explored.distances(best.state) <= ON_PIECE):
        if explored.spent:
            return False
        if piece != best.cells[i]:
            pieces = best.cells.copy()
            pieces[i] = piece
            explored.attempt(pieces, best)
            if explored.best is not best:
                return True
    return False


def starts(explored: Exploration) -> list[Ints]:
    """Guesses at the best leaf: as in the step before, the leaf nearest to the loosest relaxation, what contact does
    under the actuation of that relaxation or of the step before, and all static."""
    guesses: list[Ints] = []
    if explored.start.pieces is not None:
        guesses.append(explored.start.pieces)
    root = explored.programs.root
    if root.code == OPTIMAL:
        guesses.append(explored.nearest(root)[0])
        guesses += contact_guess(explored, explored.programs.point(root.state)[: explored.problem.size])
    if explored.start.actuation is not None:
        guesses += contact_guess(explored, explored.start.actuation)
    return [*guesses, np.full(explored.programs.contacts, STICK)]
