"""Control with every contact on a known piece: a quadratic program in the actuation alone.

A piece is three equations a contact, so one small solve gives the impulses as p = f0 + F u. What remains
are the actuation's box and the inequalities of the pieces.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hydrostat.arrays import Bools, Floats, Ints, frozen
from hydrostat.errors import InputError
from hydrostat.solvers.contact import ContactStatus, solve_contact
from hydrostat.solvers.dense import eliminate
from hydrostat.solvers.pieces import FREE, STICK, equations, exist, inequalities, modes_of
from hydrostat.solvers.problems import ControlProblem
from hydrostat.solvers.qp import QpResiduals, QpStatus, QuadraticProgram, solve_qp
from hydrostat.solvers.residuals import ContactResiduals, contact_residuals


@dataclass(frozen=True)
class ControlSolution:
    """The best actuation of a control problem for one piece of every contact, where the status is OPTIMAL.

    After `fallback` the status is a ContactStatus and the actuation the one it was given. Elsewhere
    actuation is some point of the box and impulses are what the equations of the pieces give there.

    actuation: u (m,). impulses: p (3c,) N·s. velocities: w (3c,) m/s. objective: ½ zᵀ H z + gᵀ z, inf
    unless solved. pieces: (c,) numbers of `pieces`. residuals: of the contact conditions at u. optimality:
    of the quadratic program, where there was one.
    """

    actuation: Floats
    impulses: Floats
    velocities: Floats
    objective: float
    status: QpStatus | ContactStatus
    pieces: Ints
    iterations: int
    residuals: ContactResiduals
    optimality: QpResiduals | None

    @property
    def solved(self) -> bool:
        """Whether the status is OPTIMAL or, after `fallback`, SOLVED."""
        return self.status in (QpStatus.OPTIMAL, ContactStatus.SOLVED)

    @property
    def modes(self) -> Ints:
        """(c,) 0 free, 1 stick, 2 slide."""
        return modes_of(self.pieces)


def solve_static(problem: ControlProblem) -> ControlSolution:
    """Hold every contact at rest: w_n = -clearance, w_t = 0 (T2012, equations 19 to 22). Often infeasible."""
    return solve_pieces(problem, np.full(problem.contacts.count, STICK))


def solve_free(problem: ControlProblem) -> ControlSolution:
    """Let every contact go: no impulses, and no approach either. With no contacts at all, plain actuation."""
    return solve_pieces(problem, np.full(problem.contacts.count, FREE))


def fallback(problem: ControlProblem, actuation: Floats, warm_pieces: Ints | None = None) -> ControlSolution:
    """The contacts alone at a known actuation (m,): T2012's section 6 where no pieces are feasible."""
    actuation = frozen(actuation)
    found = solve_contact(problem.at(actuation), warm_pieces)
    return ControlSolution(
        actuation=actuation,
        impulses=found.impulses,
        velocities=found.velocities,
        objective=problem.objective(actuation, found.impulses) if found.solved else np.inf,
        status=found.status,
        pieces=found.pieces,
        iterations=found.iterations,
        residuals=found.residuals,
        optimality=None,
    )


def solve_pieces(problem: ControlProblem, pieces: Ints) -> ControlSolution:
    """The best actuation with contact i on piece ``pieces[i]``."""
    pieces = np.asarray(pieces, dtype=np.int64)
    contacts = problem.contacts
    if pieces.shape != (contacts.count,) or not exist(pieces, contacts.polygons):
        raise InputError(f"pieces is {pieces}", f"{contacts.count} pieces that exist", "see solvers.pieces")
    scaled = contacts.scaled
    constants = np.column_stack([scaled.velocities, problem.response / scaled.velocity[:, None]])
    matrix, impulses = equations(pieces, scaled.ridged, constants, scaled.clearance, contacts.polygons)
    if not eliminate(matrix, impulses) or not np.isfinite(impulses).all():
        return _jammed(problem, pieces)
    velocities = constants + scaled.ridged @ impulses
    rows, fixed = inequalities(pieces, impulses, velocities, scaled.clearance, contacts.polygons)
    impulses *= scaled.impulse[:, None]
    return _solved(problem, pieces, impulses, rows, fixed)


def _solved(problem: ControlProblem, pieces: Ints, impulses: Floats, rows: Floats, fixed: Bools) -> ControlSolution:
    """Solve for u with p = impulses[:, 0] + impulses[:, 1:] u and rows[:, 0] + rows[:, 1:] u ≥ 0."""
    hessian, gradient = _reduced(problem, impulses[:, 0], impulses[:, 1:])
    row_upper = np.where(fixed, -rows[:, 0], np.inf)
    program = QuadraticProgram(hessian, gradient, problem.lower, problem.upper, rows[:, 1:], -rows[:, 0], row_upper)
    answer = solve_qp(program)
    p = impulses[:, 0] + impulses[:, 1:] @ answer.x
    at_answer = problem.at(answer.x)
    return ControlSolution(
        actuation=answer.x,
        impulses=p,
        velocities=at_answer.velocities + at_answer.delassus @ p,
        objective=problem.objective(answer.x, p) if answer.status is QpStatus.OPTIMAL else np.inf,
        status=answer.status,
        pieces=pieces,
        iterations=answer.iterations,
        residuals=contact_residuals(at_answer, p),
        optimality=answer.residuals,
    )


def _reduced(problem: ControlProblem, offset: Floats, slope: Floats) -> tuple[Floats, Floats]:
    """Hessian (m, m) and gradient (m,) of the objective in u after p = offset + slope u."""
    m = problem.size
    mixed = problem.hessian[:m, m:]
    own = problem.hessian[m:, m:] + np.diag(problem.impulse_penalty)
    crossed = (mixed + 0.5 * slope.T @ own) @ slope
    gradient = problem.gradient[:m] + slope.T @ (problem.gradient[m:] + own @ offset) + mixed @ offset
    return problem.hessian[:m, :m] + crossed + crossed.T, gradient


def _jammed(problem: ControlProblem, pieces: Ints) -> ControlSolution:
    """The equations of the pieces contradict each other or leave the impulses open."""
    actuation = np.clip(np.zeros(problem.size), problem.lower, problem.upper)
    nothing = np.zeros(3 * pieces.size)
    at_rest = problem.at(actuation)
    return ControlSolution(
        actuation=actuation,
        impulses=nothing,
        velocities=at_rest.velocities,
        objective=np.inf,
        status=QpStatus.FAILED,
        pieces=pieces,
        iterations=0,
        residuals=contact_residuals(at_rest, nothing),
        optimality=None,
    )
