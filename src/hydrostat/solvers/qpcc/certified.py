"""Branch and bound over cells: the best leaf, with a proof."""

from __future__ import annotations

import heapq
from itertools import count

import numpy as np

from hydrostat.solvers.pieces import PIECES
from hydrostat.solvers.qpcc.active_set import OPTIMAL
from hydrostat.solvers.qpcc.exploration import Exploration
from hydrostat.solvers.qpcc.programs import OF_DEPTH, Answer

# How much more a node promises for every step that it is deeper than another one with the same bound: 1 would prove
# with the fewest nodes, less finds good leaves sooner.
EAGER = 0.6
# Share of its objective by which an answer that counts as proven may be above the best one.
PROVEN = 1e-6


def branch_and_bound(explored: Exploration) -> None:
    """Explore until the best leaf is proven or the budget is spent; leaves the proven bound in ``explored``."""
    explored.bound = best_below(explored, explored.programs.root)


def best_below(explored: Exploration, root: Answer) -> float:
    """Find the best leaf in the cells of ``root``; returns a bound of all leaves there.

    A node gives every contact a cell. Its program relaxes all leaves below it; the contact that is farthest from any
    piece is split. A branch is closed only by what its multipliers prove, and where it cannot be better than the best
    leaf so far. Nodes come in the order of bound · `EAGER` ** depth.
    """
    programs, order = explored.programs, count()
    nodes = [(0.0, next(order), root.bound, root)]
    unproven = np.inf  # the lowest bound of leaves that could neither be solved nor excluded
    while nodes and not explored.spent:
        _, _, bound, answer = heapq.heappop(nodes)
        if bound >= explored.goal:
            continue
        contact = _widest(explored, answer)
        if contact < 0:  # every contact is on a piece, and yet the value is above the bound: rounding, or no answer
            unproven = min(unproven, bound)
            continue
        for child in programs.split(answer, contact, explored.goal):
            found, proven = child, max(bound, child.bound)
            explored.offer(found)
            if proven < explored.goal and explored.is_leaf(found.cells):
                found = programs.solve(found.cells)  # from scratch, if the warm start spoilt it
                explored.offer(found)
                proven = max(proven, found.bound)
            if proven < explored.goal:
                hope = proven * EAGER ** programs.depth_of(found.cells)
                heapq.heappush(nodes, (hope, next(order), proven, found))
    left = min((bound for _, _, bound, _ in nodes), default=np.inf)
    return min(left, unproven, explored.goal)  # branches above the goal were closed


def proven(explored: Exploration) -> bool:
    """Whether no leaf can be better than the best one seen by more than `PROVEN` of its objective."""
    programs = explored.programs
    objective = abs(explored.value + programs.lowest)
    rounding = 3.0 * OF_DEPTH * min(programs.depth, max(objective, abs(explored.problem.constant)))
    return explored.best is not None and explored.value - explored.bound <= PROVEN * objective + rounding


def _widest(explored: Exploration, answer: Answer) -> int:
    """The contact to split: the one whose state is farthest from all pieces; -1 where every cell is a piece.

    On the way the nearest leaf is tried, which often is the best one below.
    """
    if answer.code == OPTIMAL:
        pieces, width = explored.nearest(answer)
        explored.attempt(pieces, answer)
    else:
        width = np.zeros(len(answer.cells))
    width[answer.cells < PIECES] = -1.0
    return -1 if explored.is_leaf(answer.cells) else int(width.argmax())
