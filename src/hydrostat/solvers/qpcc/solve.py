"""Stick, slide or lift: quadratic programs with contact complementarity (T2012-(11), section 6)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter

import numpy as np

from hydrostat.arrays import Floats, Ints, frozen
from hydrostat.errors import InputError
from hydrostat.solvers.dense import eliminate
from hydrostat.solvers.pieces import equations, exist
from hydrostat.solvers.problems import ControlProblem
from hydrostat.solvers.qpcc.certified import branch_and_bound, proven
from hydrostat.solvers.qpcc.enumeration import enumerate_leaves, hold_all
from hydrostat.solvers.qpcc.exploration import Budget, Exploration, Start
from hydrostat.solvers.qpcc.paper import papers_method
from hydrostat.solvers.qpcc.search import descend_and_bound
from hydrostat.solvers.qpcc.solution import QpccSolution, QpccStatus
from hydrostat.solvers.residuals import control_residuals
from hydrostat.solvers.threads import one_blas_thread

# Residuals, without unit, above which an answer is none.
ACCURATE = 1e-6
# A point farther out than this, in units in which curvature is 1, is on its way to infinity.
_FAR = 1e6


@dataclass(frozen=True)
class Method:
    """A way to explore the leaves of a problem, and what it spends unless told otherwise."""

    explore: Callable[[Exploration], None]
    budget: Budget
    summary: str


METHODS: dict[str, Method] = {
    "static": Method(hold_all, Budget(1), "every contact stays where it is (T2012, equations 19 to 22)"),
    "paper": Method(papers_method, Budget(22), "T2012's section 6: pivots of what the minimiser touches"),
    "search": Method(descend_and_bound, Budget(320), "descent from the best of several starts, branch and bound"),
    "certified": Method(branch_and_bound, Budget(100_000), "branch and bound until the best is proven"),
    "enumerate": Method(enumerate_leaves, Budget(2_000_000), "every piece of every contact"),
}


def solve_qpcc(
    problem: ControlProblem, method: str = "search", budget: Budget | None = None, start: Start = Start()
) -> QpccSolution:
    """Minimise over the actuation in its box and over the pieces of all contacts.

    method: a key of `METHODS`. budget: convex programs and seconds that may be spent; seconds make answers depend on
    the machine. start: what the step before did, where it is known.
    """
    if method not in METHODS:
        raise InputError(f"method is {method!r}", f"one of {', '.join(METHODS)}", "use the default, 'search'")
    _check_start(problem, start)
    with one_blas_thread():
        explored = Exploration(problem, budget or METHODS[method].budget, start)
        METHODS[method].explore(explored)
        return _solution(explored)


def solve_pieces(problem: ControlProblem, pieces: Ints) -> QpccSolution:
    """Minimise with contact i on the known piece ``pieces[i]``: a single convex program."""
    if not _fits(problem, pieces):
        count = problem.contacts.count
        raise InputError(f"pieces is {pieces}", f"{count} pieces that exist", "see solvers.pieces")
    with one_blas_thread():
        explored = Exploration(problem, Budget(1), Start())
        explored.leaf(np.asarray(pieces, dtype=np.int64))
        return _solution(explored)


def _check_start(problem: ControlProblem, start: Start) -> None:
    if start.actuation is not None and np.shape(start.actuation) != (problem.size,):
        raise InputError(
            f"start.actuation has shape {np.shape(start.actuation)}", f"shape {(problem.size,)}", "leave it out"
        )
    if start.pieces is not None and not _fits(problem, start.pieces):
        count = problem.contacts.count
        raise InputError(f"start.pieces is {start.pieces}", f"{count} pieces that exist", "leave out what is new")


def _fits(problem: ControlProblem, pieces: Ints) -> bool:
    return np.shape(pieces) == (problem.contacts.count,) and bool(exist(pieces, problem.contacts.polygons))


def _solution(explored: Exploration) -> QpccSolution:
    problem = explored.problem
    lift = explored.programs.lowest
    if explored.best is None:
        pieces = np.zeros(problem.contacts.count, dtype=np.int64)
        nothing = np.zeros(3 * problem.contacts.count)
        actuation = np.clip(np.zeros(problem.size), problem.lower, problem.upper)
        status = QpccStatus.INFEASIBLE if explored.bound == np.inf else QpccStatus.FAILED
        return _judged(explored, actuation, nothing, pieces, explored.bound + lift, status)
    z = explored.programs.point(explored.best.state)
    actuation, impulses = _polished(problem, z, explored.best.cells)
    status = QpccStatus.OPTIMAL if proven(explored) else QpccStatus.FOUND
    if explored.programs.flat and np.abs(z / explored.programs.units)[: problem.size].max(initial=0.0) > _FAR:
        status = QpccStatus.UNBOUNDED
    return _judged(explored, actuation, impulses, explored.best.cells, explored.bound + lift, status)


def _polished(problem: ControlProblem, z: Floats, pieces: Ints) -> tuple[Floats, Floats]:
    """u inside its box to the last bit, and the impulses that the equations of ``pieces`` give there."""
    m, contacts = problem.size, problem.contacts
    actuation, impulses = np.clip(z[:m], problem.lower, problem.upper), z[m:]
    scaled = problem.at(actuation).scaled
    matrix, right = equations(pieces, scaled.ridged, scaled.velocities[:, None], scaled.clearance, contacts.polygons)
    if eliminate(matrix, right):
        better = right[:, 0] * scaled.impulse
        here, there = (
            control_residuals(problem, actuation, p, _velocities(problem, actuation, p)).worst
            for p in (impulses, better)
        )
        if there <= here:
            return actuation, better
    return actuation, impulses


def _velocities(problem: ControlProblem, actuation: Floats, impulses: Floats) -> Floats:
    contacts = problem.contacts
    velocities: Floats = contacts.velocities + problem.response @ actuation + contacts.delassus @ impulses
    return velocities


def _judged(
    explored: Exploration, actuation: Floats, impulses: Floats, pieces: Ints, bound: float, status: QpccStatus
) -> QpccSolution:
    problem = explored.problem
    velocities = _velocities(problem, actuation, impulses)
    residuals = control_residuals(problem, actuation, impulses, velocities)
    good = status in (QpccStatus.OPTIMAL, QpccStatus.FOUND)
    if good and not residuals.worst <= ACCURATE:
        good, status = False, QpccStatus.FAILED
    return QpccSolution(
        actuation=frozen(actuation),
        impulses=frozen(impulses),
        velocities=frozen(velocities),
        objective=problem.objective(actuation, impulses) if good else np.inf,
        bound=bound,
        status=status,
        pieces=frozen(pieces, np.int64),
        nodes=explored.programs.solved,
        seconds=perf_counter() - explored.started,
        residuals=residuals,
    )
