"""What every method shares: the programs of a problem, the best leaf so far, and a budget."""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter

import numpy as np

from hydrostat.arrays import Floats, Ints
from hydrostat.solvers.pieces import PIECES
from hydrostat.solvers.problems import ControlProblem
from hydrostat.solvers.qpcc.active_set import OPTIMAL
from hydrostat.solvers.qpcc.basis import State
from hydrostat.solvers.qpcc.places import distances
from hydrostat.solvers.qpcc.programs import Answer, Programs
from hydrostat.solvers.qpcc.relaxation import nearest_of

# Scaled states this close to a piece lie on it.
ON_PIECE = 1e-7


@dataclass(frozen=True)
class Budget:
    """What a method may spend. nodes: convex programs solved. seconds: wall-clock time."""

    nodes: int
    seconds: float = np.inf


@dataclass(frozen=True)
class Start:
    """What is known from the step before. actuation: u (m,). pieces: (c,), where the contacts are the same ones."""

    actuation: Floats | None = None
    pieces: Ints | None = None


class Exploration:
    """The leaves of one problem that a method has seen; a leaf is a piece for every contact.

    best, value: the answer of the best leaf so far and its objective above the unconstrained minimum. bound: what is
    proven of all leaves, in the same measure.
    """

    def __init__(self, problem: ControlProblem, budget: Budget, start: Start) -> None:
        self.problem = problem
        self.start = start
        self.programs = Programs(problem)
        self.budget = budget
        self.started = perf_counter()
        self.best: Answer | None = None
        self.value = np.inf
        self.bound = 0.0
        self.leaves: dict[tuple[int, ...], Answer] = {}
        self.attempted: set[tuple[int, ...]] = set()

    @property
    def spent(self) -> bool:
        """Whether the budget is used up."""
        return self.programs.solved >= self.budget.nodes or perf_counter() - self.started > self.budget.seconds

    @property
    def goal(self) -> float:
        """What a leaf must be below to count as better than the best one so far."""
        return self.programs.better(self.value)

    def is_leaf(self, cells: Ints) -> bool:
        """Whether every contact is on a piece."""
        return bool((cells < PIECES).all())

    def leaf(self, pieces: Ints, near: Answer | None = None) -> Answer:
        """The minimiser on ``pieces``, remembered; quicker ``near`` an answer that shares most of them."""
        key = tuple(pieces.tolist())
        answer = self.leaves.get(key)
        if answer is None:
            answer = self.programs.solve(pieces, near or self.programs.root)
            self.leaves[key] = answer
            self.offer(answer)
        return answer

    def attempt(self, pieces: Ints, near: Answer) -> None:
        """Look whether ``pieces`` are better than the best leaf so far, once, and only as far as it takes to tell."""
        key = tuple(pieces.tolist())
        if key not in self.leaves and key not in self.attempted:
            self.attempted.add(key)
            self.offer(self.programs.solve(pieces, near, self.goal))

    def offer(self, answer: Answer) -> None:
        """Keep an answer if it is the best leaf so far."""
        if answer.code == OPTIMAL and answer.value < self.value and self.is_leaf(answer.cells):
            self.best, self.value = answer, answer.value

    def distances(self, state: State) -> Floats:
        """How far the contacts of a state are from every piece, (c, 18)."""
        given = self.programs.given
        result: Floats = distances(given.table, given.exists, given.clearance, *self.programs.touching(state))
        return result

    def nearest(self, answer: Answer) -> tuple[Ints, Floats]:
        """Of the leaves in the cells of an answer the one nearest to it, (c,), and how far its pieces are, (c,)."""
        pieces, away = nearest_of(self.programs.given, answer.cells, answer.state)
        return pieces, away
