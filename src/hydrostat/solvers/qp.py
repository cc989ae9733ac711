"""Convex quadratic programs with a box and rows: one front for two solvers, with checked answers."""

from __future__ import annotations

from ctypes import c_int
from dataclasses import dataclass
from functools import cached_property

import daqp
import numpy as np
import piqp

from hydrostat.arrays import Bools, Floats, frozen
from hydrostat.errors import InputError
from hydrostat.solvers.outcome import Outcome
from hydrostat.solvers.problems import check_box

# Scaled residuals below this count as optimal; solvers are asked for far less.
_ACCEPTED = 1e-6
_ASKED = 1e-10
# What both solvers take for infinity.
_INFINITE = 1e30
# On infeasible programs the interior-point method would go on for milliseconds.
_PIQP_ITERATIONS = 40


class QpStatus(Outcome):
    """How a quadratic program ended."""

    OPTIMAL = "optimal: the optimality conditions hold within 1e-6 of the scaled program"
    INFEASIBLE = "infeasible: no point fulfils box and rows"
    UNBOUNDED = "unbounded: the objective falls for ever"
    FAILED = "failed: no solver found a point that fulfils the optimality conditions"


@dataclass(frozen=True)
class QuadraticProgram:
    """Minimise ½ xᵀ H x + gᵀ x with lower ≤ x ≤ upper and row_lower ≤ rows x ≤ row_upper.

    hessian: H (n, n) symmetric positive semidefinite. gradient: g (n,). lower, upper: (n,), ±inf allowed.
    rows: (r, n). row_lower, row_upper: (r,), ±inf allowed; equal ones make an equation.
    """

    hessian: Floats
    gradient: Floats
    lower: Floats
    upper: Floats
    rows: Floats
    row_lower: Floats
    row_upper: Floats

    def __post_init__(self) -> None:
        """Check and freeze the fields."""
        size, count = np.size(self.gradient), np.size(self.row_lower)
        shapes = ((size, size), (size,), (size,), (size,), (count, size), (count,), (count,))
        for name, shape in zip(self.__dataclass_fields__, shapes, strict=True):
            array = frozen(getattr(self, name))
            if array.shape != shape:
                raise InputError(f"{name} has shape {array.shape}", f"shape {shape}", "check the other arrays too")
            bound = name in ("lower", "upper", "row_lower", "row_upper")
            if np.isnan(array).any() or not (bound or np.isfinite(array).all()):
                raise InputError(f"{name} holds a number that is not finite", "numbers", "look where it came from")
            object.__setattr__(self, name, array)
        check_box(self.lower, self.upper)
        check_box(self.row_lower, self.row_upper, "row_lower")

    @cached_property
    def scaled(self) -> _Scaled:
        """The program with its variables, rows and objective brought near 1."""
        return _scale(self)


@dataclass(frozen=True)
class QpResiduals:
    """Violations of the optimality conditions, without unit (measured on the scaled program); 0 at an
    optimum.

    stationarity: of H x + g + rowsᵀ y + z. feasibility: of box and rows. complementarity: a multiplier
    whose bound is not reached, or that has the wrong sign.
    """

    stationarity: float
    feasibility: float
    complementarity: float

    @property
    def worst(self) -> float:
        """The largest of the three."""
        return max(self.stationarity, self.feasibility, self.complementarity)


@dataclass(frozen=True)
class QpSolution:
    """The minimiser x (n,) with its multipliers, where the status is OPTIMAL; else a point of the box.

    box_multipliers: z (n,), row_multipliers: y (r,): positive at upper bounds, negative at lower ones, so
    that H x + g + rowsᵀ y + z = 0.
    """

    x: Floats
    box_multipliers: Floats
    row_multipliers: Floats
    status: QpStatus
    iterations: int
    residuals: QpResiduals


@dataclass(frozen=True)
class _Scaled:
    """x = size · widths · x̂ and row = size · heights · roŵ: unit diagonal of Ĥ, rows of norm 1."""

    hessian: Floats
    gradient: Floats
    rows: Floats
    lower: Floats
    upper: Floats
    widths: Floats
    heights: Floats
    size: float

    @property
    def fixed(self) -> Bools:
        return np.equal(self.lower, self.upper)


@dataclass(frozen=True)
class _Answer:
    """Scaled x (n,) and multipliers (n + r,) of one solver."""

    x: Floats
    multipliers: Floats
    status: QpStatus
    iterations: int


def solve_qp(program: QuadraticProgram) -> QpSolution:
    """Solve by an active-set method, and where that does not end well by an interior-point method."""
    first = _by_daqp(program.scaled)
    solution = _checked(program, first)
    if solution.status is QpStatus.OPTIMAL:
        return solution
    second = _checked(program, _by_piqp(program.scaled))
    # Two solvers that disagree on why there is no optimum: the active-set method's certificate is the exact
    # one.
    return second if second.status is QpStatus.OPTIMAL or solution.status is QpStatus.FAILED else solution


def qp_residuals(program: QuadraticProgram, solution: QpSolution) -> QpResiduals:
    """Residuals of the optimality conditions at ``solution``."""
    scaled = program.scaled
    multipliers = np.concatenate([solution.box_multipliers * scaled.widths, solution.row_multipliers * scaled.heights])
    return _residuals(scaled, solution.x / (scaled.widths * scaled.size), multipliers / scaled.size)


def _scale(program: QuadraticProgram) -> _Scaled:
    diagonal = np.diagonal(program.hessian)
    curved = diagonal > 0
    typical = float(diagonal[curved].mean()) if curved.any() else 1.0
    widths = 1.0 / np.sqrt(np.where(curved, diagonal, typical))
    rows = program.rows * widths
    norms = np.sqrt((rows * rows).sum(axis=1))
    heights = np.where(norms > 0, norms, 1.0)
    lower = np.concatenate([program.lower / widths, program.row_lower / heights])
    upper = np.concatenate([program.upper / widths, program.row_upper / heights])
    gradient = program.gradient * widths
    # The size of x̂: how far the gradient pulls, or how far 0 is outside of box and rows.
    size = max(np.abs(gradient).max(initial=0.0), lower.max(initial=0.0), -upper.min(initial=0.0)) or 1.0
    return _Scaled(
        hessian=program.hessian * widths * widths[:, None],
        gradient=gradient / size,
        rows=rows / heights[:, None],
        lower=np.maximum(lower / size, -_INFINITE),
        upper=np.minimum(upper / size, _INFINITE),
        widths=widths,
        heights=heights,
        size=float(size),
    )


def _residuals(scaled: _Scaled, x: Floats, multipliers: Floats) -> QpResiduals:
    values = np.concatenate([x, scaled.rows @ x])
    slope = scaled.hessian @ x + scaled.gradient + multipliers[: x.size] + multipliers[x.size :] @ scaled.rows
    room_above, room_below = scaled.upper - values, values - scaled.lower
    outside = np.maximum(-np.minimum(room_above, room_below), 0.0)
    untight = np.minimum(np.abs(multipliers), np.where(multipliers > 0, room_above, room_below))
    return QpResiduals(
        stationarity=float(np.abs(slope).max(initial=0.0)),
        feasibility=float(outside.max(initial=0.0)),
        complementarity=float(np.abs(untight).max(initial=0.0)),
    )


def _checked(program: QuadraticProgram, answer: _Answer) -> QpSolution:
    """Unscale an answer; call it optimal only if its residuals say so."""
    scaled, status = program.scaled, answer.status
    n = program.gradient.size
    x = np.clip(answer.x * scaled.widths * scaled.size, program.lower, program.upper)
    if status is not QpStatus.OPTIMAL or not np.isfinite(answer.x).all():
        x = np.clip(np.zeros(n), program.lower, program.upper)
    multipliers = np.where(np.isfinite(answer.multipliers), answer.multipliers, 0.0)
    residuals = _residuals(scaled, x / (scaled.widths * scaled.size), multipliers)
    if status is QpStatus.OPTIMAL and not residuals.worst <= _ACCEPTED:
        status = QpStatus.FAILED
    return QpSolution(
        x=x,
        box_multipliers=scaled.size * multipliers[:n] / scaled.widths,
        row_multipliers=scaled.size * multipliers[n:] / scaled.heights,
        status=status,
        iterations=answer.iterations,
        residuals=residuals,
    )


# daqp's exit flags: 1 optimal, 2 optimal with soft constraints; -1 infeasible; -3 unbounded; others are
# failures.
_DAQP_STATUS = {1: QpStatus.OPTIMAL, -1: QpStatus.INFEASIBLE, -3: QpStatus.UNBOUNDED}
_DAQP_EQUATION = 5


def _by_daqp(scaled: _Scaled) -> _Answer:
    sense = np.where(scaled.fixed, _DAQP_EQUATION, 0).astype(c_int)
    x, _, flag, info = daqp.solve(
        scaled.hessian, scaled.gradient, scaled.rows, scaled.upper, scaled.lower, sense, primal_tol=_ASKED
    )
    return _Answer(x, info["lam"], _DAQP_STATUS.get(flag, QpStatus.FAILED), int(info["iterations"]))


_PIQP_STATUS = {
    piqp.PIQP_SOLVED: QpStatus.OPTIMAL,
    piqp.PIQP_PRIMAL_INFEASIBLE: QpStatus.INFEASIBLE,
    piqp.PIQP_DUAL_INFEASIBLE: QpStatus.UNBOUNDED,
}


def _by_piqp(scaled: _Scaled) -> _Answer:
    n = scaled.gradient.size
    # An interior-point method wants equations apart: between two equal bounds there is no interior.
    lower, upper = scaled.lower[n:], scaled.upper[n:]
    equation = lower == upper
    solver = piqp.DenseSolver()
    solver.settings.max_iter = _PIQP_ITERATIONS
    solver.settings.eps_abs = solver.settings.eps_rel = _ASKED
    solver.setup(
        np.asfortranarray(scaled.hessian),
        scaled.gradient,
        np.asfortranarray(scaled.rows[equation]),
        lower[equation],
        np.asfortranarray(scaled.rows[~equation]),
        lower[~equation],
        upper[~equation],
        scaled.lower[:n],
        scaled.upper[:n],
    )
    status = _PIQP_STATUS.get(solver.solve(), QpStatus.FAILED)
    result = solver.result
    multipliers = np.empty(scaled.lower.size)
    multipliers[:n] = result.z_bu - result.z_bl
    multipliers[n:][equation] = result.y
    multipliers[n:][~equation] = result.z_u - result.z_l
    return _Answer(np.array(result.x), multipliers, status, int(result.info.iter))
