"""Branch and bound over cells: the best leaf, with a proof."""

from __future__ import annotations

import heapq
from itertools import count

import numpy as np

from hydrostat.solvers.pieces import PIECES
from hydrostat.solvers.qpcc.active_set import OPTIMAL
from hydrostat.solvers.qpcc.cells import ANY
from hydrostat.solvers.qpcc.exploration import Exploration
from hydrostat.solvers.qpcc.programs import Answer

# A leaf counts as best when no other can be better by this fraction of its value, or of the depth of the objective.
RELATIVE, OF_DEPTH = 1e-8, 1e-11


def branch_and_bound(explored: Exploration) -> None:
    """Explore until the best leaf is proven or the budget is spent; leaves the proven bound in ``explored``.

    A node gives every contact a cell. Its program relaxes all leaves below it; the contact that is farthest from any
    piece is split. A branch is closed only by what its multipliers prove.
    """
    programs = explored.programs
    root, order = programs.root, count()
    cells = np.full(programs.contacts, ANY)
    bound = programs.bound(cells, root)
    nodes = [(bound, next(order), cells, root)]
    unproven = np.inf  # the lowest bound of leaves that could neither be solved nor excluded
    while nodes and nodes[0][0] < explored.value - accuracy(explored) and not explored.spent:
        bound, _, cells, answer = heapq.heappop(nodes)
        contact = _widest(explored, cells, answer)
        if contact < 0:  # every contact is on a piece, and yet the value is above the bound: rounding, or no answer
            unproven = min(unproven, bound)
            continue
        for child in programs.table.children[contact, cells[contact]]:
            if child < 0:
                break
            below = cells.copy()
            below[contact] = child
            found = programs.solve(below, answer.state, explored.value - accuracy(explored))
            proven = max(bound, programs.bound(below, found))
            if proven >= explored.value - accuracy(explored):
                continue
            if (below < PIECES).all():
                explored.offer(below, found)
                proven = max(bound, programs.bound(below, found))
                if proven < explored.value - accuracy(explored):
                    found = programs.solve(below)
                    explored.offer(below, found)
                    proven = max(proven, programs.bound(below, found))
            heapq.heappush(nodes, (proven, next(order), below, found))
    explored.bound = min(nodes[0][0] if nodes else np.inf, unproven, explored.value)


def accuracy(explored: Exploration) -> float:
    """How much better a leaf must be to count."""
    value = explored.value if np.isfinite(explored.value) else 0.0
    return RELATIVE * value + OF_DEPTH * explored.programs.depth


def _widest(explored: Exploration, cells: np.ndarray, answer: Answer) -> int:
    """The contact to split: the one whose state is farthest from all pieces; -1 where every cell is a piece.

    On the way the nearest leaf is tried, which often is the best one below.
    """
    if answer.code == OPTIMAL:
        away = explored.distances(answer.state)
        explored.leaf(away.argmin(axis=1))
        width = away.min(axis=1)
    else:
        width = np.zeros(len(cells))
    width[cells < PIECES] = -1.0
    return int(width.argmax()) if (cells >= PIECES).any() else -1
