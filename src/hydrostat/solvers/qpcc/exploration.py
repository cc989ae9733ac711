"""What every method shares: the programs of a problem, the best leaf so far, and a budget."""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter

import numpy as np

from hydrostat.arrays import Bools, Floats, Ints
from hydrostat.solvers.pieces import PIECES
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
        self.exists = _existing(problem.contacts.polygons.successors)

    @property
    def spent(self) -> bool:
        """Whether the budget is used up."""
        return self.programs.solved >= self.budget.nodes or perf_counter() - self.started > self.budget.seconds

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

    def offer(self, answer: Answer) -> None:
        """Keep an answer if it is the best leaf so far."""
        if answer.code == OPTIMAL and answer.value < self.value and self.is_leaf(answer.cells):
            self.best, self.value = answer, answer.value

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
