"""Branch and bound over cells: the best leaf, with a proof."""

from __future__ import annotations

from heapq import heappop, heappush
from time import perf_counter

import numpy as np
from numba import njit, objmode

from hydrostat.solvers.pieces import PIECES
from hydrostat.solvers.qpcc.active_set import OPTIMAL
from hydrostat.solvers.qpcc.exploration import Exploration
from hydrostat.solvers.qpcc.programs import Answer
from hydrostat.solvers.qpcc.relaxation import OF_DEPTH, better, nearest_of, solved

# How much more a node promises for every step that it is deeper than another one with the same bound: 1 would prove
# with the fewest nodes, less finds good leaves sooner.
EAGER = 0.6
# Share of its objective by which an answer that counts as proven may be above the best one.
PROVEN = 1e-6


def branch_and_bound(explored: Exploration) -> None:
    """Explore until the best leaf is proven or the budget is spent; leaves the best leaf and a proven bound behind."""
    programs, budget = explored.programs, explored.budget
    root = programs.root
    explored.bound, best, spent = best_below(
        programs.given,
        (root.cells, root.code, root.value, root.bound, root.state),
        explored.value,
        budget.nodes - programs.solved,
        explored.started + budget.seconds,
    )
    programs.solved += spent
    explored.offer(Answer(*best))


@njit(cache=True)
def best_below(given, root, value, most, deadline):  # type: ignore[no-untyped-def]
    """Find a leaf in the cells of ``root`` whose value is below ``value``; at most about ``most`` programs.

    A node gives every contact a cell. Its program relaxes all leaves below it; the contact that is farthest from any
    piece is split. A branch is closed only by what its multipliers prove, and where it cannot be better than the best
    leaf so far. Nodes come in the order of bound · `EAGER` ** depth. Nodes, like ``root``, are fields of an `Answer`.
    Returns a bound of all leaves, the best leaf, or ``root`` where none is better, and how many programs it took.
    """
    best, goal = root, better(given, value)
    nodes, answers = [(0.0, 0, root[3])], [root]
    unproven, spent = np.inf, 0  # the lowest bound of leaves that could neither be solved nor excluded
    while len(nodes) > 0 and spent < most and not _past(deadline):
        _, number, bound = heappop(nodes)
        node = answers[number]
        answers[number] = root  # whatever it held is free now
        if bound >= goal:
            continue
        cells, code, _, _, state = node
        width = np.zeros(cells.size)
        if code == OPTIMAL:
            width = nearest_of(given, cells, state)[1]
        else:
            state = given.nothing
        if _is_leaf(cells):  # every contact is on a piece, and yet the value is above the bound: rounding, or no answer
            unproven = min(unproven, bound)
            continue
        width[cells < PIECES] = -1.0
        contact = width.argmax()
        for child in given.table.children[contact, cells[contact]]:
            if child < 0:
                break
            own = cells.copy()
            own[contact] = child
            spent += 1
            found = solved(given, own, cells, state, goal)
            best, goal = _better_one(given, found, best, goal)
            proven = max(bound, found[3])
            if proven < goal and _is_leaf(own):
                spent += 1
                found = solved(given, own, own, given.nothing, np.inf)  # from scratch, if the warm start spoilt it
                best, goal = _better_one(given, found, best, goal)
                proven = max(proven, found[3])
            if proven < goal:
                heappush(nodes, (proven * EAGER ** _depth(given, own), len(answers), proven))
                answers.append(found)
    left = min(unproven, goal)  # branches above the goal were closed
    for _, _, bound in nodes:
        left = min(left, bound)
    return left, best, spent


def proven(explored: Exploration) -> bool:
    """Whether no leaf can be better than the best one seen by more than `PROVEN` of its objective."""
    programs = explored.programs
    objective = abs(explored.value + programs.lowest)
    rounding = 3.0 * OF_DEPTH * min(programs.depth, max(objective, abs(explored.problem.constant)))
    return explored.best is not None and explored.value - explored.bound <= PROVEN * objective + rounding


@njit(cache=True)
def _better_one(given, answer, best, goal):  # type: ignore[no-untyped-def]
    """The better one of an answer and the ``best`` leaf so far, and what the next leaf must be below."""
    if answer[1] == OPTIMAL and answer[2] < goal and _is_leaf(answer[0]):
        return answer, better(given, answer[2])
    return best, goal


@njit(cache=True)
def _is_leaf(cells):  # type: ignore[no-untyped-def]
    """Whether every contact is on a piece."""
    return (cells < PIECES).all()


@njit(cache=True)
def _depth(given, cells):  # type: ignore[no-untyped-def]
    """How often contacts were split on the way to ``cells``."""
    total = 0
    for i in range(cells.size):
        total += given.depths[i, cells[i]]
    return total


@njit(cache=True)
def _past(deadline):  # type: ignore[no-untyped-def]
    """Whether a time of `perf_counter` has passed."""
    if deadline == np.inf:
        return False
    with objmode(now="float64"):
        now = perf_counter()
    return now > deadline
