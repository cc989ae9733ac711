"""What a controller uses: pivots and descents from several starts, then branch and bound while the budget lasts."""

from __future__ import annotations

import numpy as np

from hydrostat.arrays import Ints
from hydrostat.solvers.pieces import STICK
from hydrostat.solvers.qpcc.active_set import OPTIMAL
from hydrostat.solvers.qpcc.cells import ANY
from hydrostat.solvers.qpcc.certified import best_below, branch_and_bound
from hydrostat.solvers.qpcc.exploration import ON_PIECE, Exploration
from hydrostat.solvers.qpcc.paper import contact_guess, expand_graph

# Programs spent on the paper's pivots, before anything else is tried.
PIVOTING = 24


def descend_and_bound(explored: Exploration) -> None:
    """Pivot from several starts, improve the best by ever larger changes, then look everywhere else."""
    expand_graph(explored, starts(explored), PIVOTING)
    while descend(explored):
        pass
    while improve(explored):
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


def improve(explored: Exploration) -> bool:
    """Let one contact after the other go to its best piece, the others staying where they are; whether it helped."""
    before = explored.value
    for contact in range(explored.programs.contacts):
        if explored.best is None or explored.spent:
            return False
        cells = explored.best.cells.copy()
        cells[contact] = ANY
        best_below(explored, explored.programs.solve(cells, explored.best, explored.value))
    return explored.value < before


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
