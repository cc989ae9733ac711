"""T2012's section 6 as printed: a graph of leaves, expanded by pivoting what each minimiser touches."""

from __future__ import annotations

import heapq
from itertools import count

import numpy as np

from hydrostat.arrays import Floats, Ints
from hydrostat.solvers.contact import solve_contact
from hydrostat.solvers.pieces import FREE, STICK
from hydrostat.solvers.qpcc.active_set import OPTIMAL
from hydrostat.solvers.qpcc.exploration import ON_PIECE, Exploration
from hydrostat.solvers.qpcc.programs import Answer


def papers_method(explored: Exploration) -> None:
    """Start with all contacts static, and as they were in the step before; else as contact alone would have it.

    The paper says "or"; both are in the queue here where both are feasible.
    """
    static = np.full(explored.programs.contacts, STICK)
    known = [] if explored.start.pieces is None else [explored.start.pieces]
    if all(explored.leaf(guess).code != OPTIMAL for guess in (static, *known)):
        actuation = explored.start.actuation
        known = contact_guess(explored, np.zeros(explored.problem.size) if actuation is None else actuation)
    expand_graph(explored, [static, *known])


def expand_graph(explored: Exploration, guesses: list[Ints]) -> None:
    """Visit leaves in the order of their objective; a second visit pivots every candidate and visits the children.

    A leaf that is infeasible has no minimiser and so no candidates. The budget is the paper's threshold on nodes.
    """
    queue: list[tuple[float, int, Ints]] = []
    order, seen = count(), set()

    def visit(pieces: Ints, near: Answer | None = None) -> None:
        key = tuple(pieces.tolist())
        if key not in seen and not explored.spent:
            seen.add(key)
            answer = explored.leaf(pieces, near)
            if answer.code == OPTIMAL:
                heapq.heappush(queue, (answer.value, next(order), pieces))

    for guess in guesses:
        visit(guess)
    while queue and not explored.spent:
        _, _, pieces = heapq.heappop(queue)
        for child in _pivoted(explored, pieces):
            visit(child, explored.leaf(pieces))


def contact_guess(explored: Exploration, actuation: Floats) -> list[Ints]:
    """The pieces that contacts are on when muscles are at ``actuation`` (m,), brought into its box; none if unknown."""
    problem = explored.problem
    found = solve_contact(problem.at(np.clip(actuation, problem.lower, problem.upper)), explored.start.pieces)
    return [found.pieces] if found.solved else []


def _pivoted(explored: Exploration, pieces: Ints) -> list[Ints]:
    """The leaves that share the minimiser of ``pieces``, one contact pivoted.

    A contact without impulse breaks, one at the edge of its friction cone slides the way its friction points, one that
    slides at no speed sticks: all are pieces on which the minimiser lies. Where an impulse vanishes the direction of
    friction says nothing, so that a static contact only breaks and a free one only sticks.
    """
    state = explored.leaf(pieces).state
    touching = explored.distances(state) <= ON_PIECE
    impulses, _ = explored.programs.touching(state)
    children = []
    for i, piece in np.argwhere(touching):
        vanished = impulses[3 * i] <= ON_PIECE
        if piece == pieces[i] or (vanished and {piece, pieces[i]} != {FREE, STICK} and piece != FREE):
            continue
        child = pieces.copy()
        child[i] = piece
        children.append(child)
    return children
