"""What every method shares: the programs of a problem, the best leaf so far, and a budget."""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter

import numpy as np

from hydrostat.arrays import Bools, Floats, Ints
from hydrostat.solvers.problems import ControlProblem
from hydrostat.solvers.qpcc.active_set import OPTIMAL, State
from hydrostat.solvers.qpcc.places import distances
from hydrostat.solvers.qpcc.programs import Answer, Programs

# Scaled states this close to a piece lie on it.
ON_PIECE = 1e-7


@dataclass(frozen=True)
class Budget:
    """What a method may spend. nodes: convex programs solved. seconds: wall-clock time."""

    nodes: int
    seconds: float = np.inf


class Exploration:
    """The leaves of one problem that a method has seen; a leaf is a piece for every contact.

    best, value: the pieces of the best leaf so far and its objective above the unconstrained minimum. bound: what is
    proven of all leaves, in the same measure.
    """

    def __init__(self, problem: ControlProblem, budget: Budget) -> None:
        self.problem = problem
        self.programs = Programs(problem)
        self.budget = budget
        self.started = perf_counter()
        self.best: Ints | None = None
        self.best_state: State | None = None
        self.value = np.inf
        self.bound = 0.0
        self.leaves: dict[tuple[int, ...], Answer] = {}
        self.exists = _existing(problem.contacts.polygons.successors)

    @property
    def spent(self) -> bool:
        """Whether the budget is used up."""
        return self.programs.solved >= self.budget.nodes or perf_counter() - self.started > self.budget.seconds

    def leaf(self, pieces: Ints) -> Answer:
        """The minimiser on ``pieces``, remembered."""
        key = tuple(pieces.tolist())
        answer = self.leaves.get(key)
        if answer is None:
            answer = self.programs.solve(pieces, self.programs.root.state)
            self.leaves[key] = answer
            self.offer(pieces, answer)
        return answer

    def offer(self, pieces: Ints, answer: Answer) -> None:
        """Keep a leaf if it is the best so far."""
        if answer.code == OPTIMAL and answer.value < self.value:
            self.best, self.value, self.best_state = pieces, answer.value, answer.state

    def refine(self, pieces: Ints) -> None:
        """From leaf to leaf, one contact at a time, while a piece that meets the minimiser promises a better one."""
        while not self.spent:
            answer = self.leaf(pieces)
            if answer.code != OPTIMAL:
                return
            better = pieces
            lowest = answer.value
            for i, piece in np.argwhere(self.distances(answer.state) <= ON_PIECE):
                if piece == pieces[i]:
                    continue
                neighbour = pieces.copy()
                neighbour[i] = piece
                value = self.leaf(neighbour).value if self.leaf(neighbour).code == OPTIMAL else np.inf
                if value < lowest:
                    better, lowest = neighbour, value
            if better is pieces:
                return
            pieces = better

    def place(self, state: State) -> tuple[Floats, Floats, Floats]:
        """u (m,), and the scaled impulses and velocities (3c,) of a state."""
        problem, scaled = self.problem, self.problem.contacts.scaled
        z = self.programs.point(state)
        actuation, impulses = z[: problem.size], z[problem.size :]
        velocities = problem.contacts.velocities + problem.response @ actuation + problem.contacts.delassus @ impulses
        return actuation, impulses / scaled.impulse, velocities / scaled.velocity

    def distances(self, state: State) -> Floats:
        """How far the contacts of a state are from every piece, (c, 18)."""
        _, impulses, velocities = self.place(state)
        scaled = self.problem.contacts.scaled
        result: Floats = distances(self.programs.table, self.exists, scaled.clearance, impulses, velocities)
        return result


def _existing(successors: Ints) -> Bools:
    """Which of the 18 pieces every contact has, (c, 18)."""
    along = successors >= 0
    return np.hstack([np.ones((len(successors), 2), dtype=bool), along, along & (successors != np.arange(8))])
