"""All convex programs of one control problem, factorised once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numba import njit
from scipy.linalg.lapack import dpotrf, dtrtri

from hydrostat.arrays import Bools, Floats, Ints
from hydrostat.solvers.problems import ControlProblem
from hydrostat.solvers.qpcc.active_set import OPTIMAL
from hydrostat.solvers.qpcc.basis import State, add_scaled, dot, empty_state
from hydrostat.solvers.qpcc.cells import ANY, ROWS, CellTable, cell_table
from hydrostat.solvers.qpcc.relaxation import Box, Given, Touch, better, bound_of, solved, touching_of

# Rows x may be violated by this fraction of the size of the problem.
_TOLERANCE = 1e-11
# Where the scaled objective is not strictly convex, this fraction of its curvature is added in every direction.
_FLOOR = 1e-9
_FLAT = 1e-11
# Where points must be farther out than this, in sizes of the problem, there are none.
_NOWHERE = 1e6


@dataclass(frozen=True)
class Answer:
    """The minimiser with contact i in ``cells[i]``, where code is OPTIMAL.

    value: objective above its unconstrained minimum, ½ x·x. bound: what the answer proves, see `Programs.bound`.
    """

    cells: Ints
    code: int
    value: float
    bound: float
    state: State


class Programs:
    """Minimise the objective over the box with contact i in a cell of its own.

    With ẑ = z / units and L Lᵀ = H of ẑ, x = Lᵀ ẑ + L⁻¹ g makes the objective ½ x·x + lowest; depth is what it falls
    from z = 0 to there. flat: whether H is not strictly convex; then a little curvature is added.
    """

    def __init__(self, problem: ControlProblem) -> None:
        self.problem = problem
        self.contacts = problem.contacts.count
        self.solved = 0  # programs solved so far
        m, scaled = problem.size, problem.contacts.scaled
        hessian = problem.hessian.copy()
        own = np.arange(m, len(hessian))
        hessian[own, own] += problem.impulse_penalty
        self.units = _units(problem, hessian)
        hessian *= self.units * self.units[:, None]
        inverse, self.flat = _inverse_root(hessian)
        start = inverse @ (problem.gradient * self.units)
        self.depth = 0.5 * float(start @ start)
        self.lowest = problem.constant - self.depth
        base = _base(problem, inverse, self.units)
        self._constants = -(base @ start)
        touching = self._constants[m:].reshape(self.contacts, 6)
        touching[:, 3:] += scaled.velocities.reshape(-1, 3)
        shifts = touching.copy()
        shifts[:, 3] += scaled.clearance
        self._lengths = np.sqrt((base[:m] * base[:m]).sum(axis=1))
        base[:m] /= self._lengths[:, None]
        box = Box(
            base[:m],
            (problem.lower / self.units[:m] - self._constants[:m]) / self._lengths,
            (problem.upper / self.units[:m] - self._constants[:m]) / self._lengths,
        )
        table: CellTable = cell_table(problem.contacts.polygons)
        touch = Touch(*_touch(table.rows, base[m:].reshape(self.contacts, 6, len(hessian)), shifts))
        size = max(float(np.sqrt(start @ start)), float(np.abs(touch.shifts).max(initial=0.0))) or 1.0
        self.given = Given(
            table,
            box,
            touch,
            _existing(problem.contacts.polygons.successors),
            _depths(table.parents),
            empty_state(base, self.contacts),
            touching,
            scaled.clearance,
            _TOLERANCE * size,
            0.5 * (_NOWHERE * size) ** 2,
            self.depth,
            self.lowest,
        )

    @cached_property
    def root(self) -> Answer:
        """Every contact in any state: the loosest relaxation, and the start of all others."""
        return self.solve(np.full(self.contacts, ANY))

    def solve(self, cells: Ints, near: Answer | None = None, cutoff: float = np.inf) -> Answer:
        """The best point with contact i in ``cells[i]``; quicker from an answer for cells that differ ``near`` by."""
        if near is None or near.code != OPTIMAL:
            known, state = cells, self.given.nothing
        else:
            known, state = near.cells, near.state
        self.solved += 1
        return Answer(*solved(self.given, cells, known, state, cutoff))

    def bound(self, cells: Ints, code: int, state: State) -> float:
        """What the multipliers of a ``state`` prove: no point in the ``cells`` has a lower value."""
        return float(bound_of(self.given, cells, code, state))

    def better(self, value: float) -> float:
        """What the value of a leaf must be below to count as better than ``value``."""
        return float(better(self.given, value))

    def point(self, state: State) -> Floats:
        """z of a state, in units."""
        m = self.problem.size
        own = state.place[:m] * self._lengths + self._constants[:m]
        z: Floats = self.units * np.concatenate([own, self.touching(state)[0]])
        return z

    def touching(self, state: State) -> tuple[Floats, Floats]:
        """Scaled impulses and velocities of a state, (3c,) each."""
        impulses, velocities = touching_of(self.given, state)
        return impulses, velocities


def _existing(successors: Ints) -> Bools:
    """Which of the 18 pieces every contact has, (c, 18)."""
    along = successors >= 0
    return np.hstack([np.ones((len(successors), 2), dtype=bool), along, along & (successors != np.arange(8))])


def _units(problem: ControlProblem, hessian: Floats) -> Floats:
    """What 1 means for every variable of z: its curvature's unit for u, the contact's impulse for p."""
    m = problem.size
    curvature = np.diagonal(hessian)[:m]
    width = 0.5 * (problem.upper - problem.lower)
    flat = np.where(np.isfinite(width) & (width > 0), width, 1.0)
    typical = float(curvature.mean()) if m else 0.0
    units = np.where(curvature > 0, 1.0 / np.sqrt(np.where(curvature > 0, curvature, 1.0)), flat)
    if typical > 0:
        units = np.where(curvature > 0, units, 1.0 / np.sqrt(typical))
    return np.concatenate([units, problem.contacts.scaled.impulse])


def _inverse_root(hessian: Floats) -> tuple[Floats, bool]:
    """L⁻¹ of L Lᵀ = hessian, and whether something had to be added to make it strictly convex."""
    diagonal = np.diagonal(hessian).copy()
    typical = float(diagonal.max(initial=0.0)) or 1.0
    root, failed = dpotrf(hessian, lower=1)
    flat = bool(failed or np.any(np.diagonal(root) ** 2 <= _FLAT * diagonal))
    if flat:
        floor = _FLOOR * np.where(diagonal > 0, diagonal, typical)
        root, failed = dpotrf(hessian + np.diag(floor), lower=1)
    inverse, _ = dtrtri(root, lower=1)
    return np.tril(inverse), flat


def _base(problem: ControlProblem, inverse: Floats, units: Floats) -> Floats:
    """Rows (m + 6c, n) by which x gives u, and then p and the part of w that varies for every contact, all scaled."""
    m, scaled = problem.size, problem.contacts.scaled
    velocities = np.concatenate([problem.response * units[:m] / scaled.velocity[:, None], scaled.delassus], axis=1)
    own = np.stack([inverse.T[m:], velocities @ inverse.T]).reshape(2, -1, 3, len(units))
    return np.concatenate([inverse.T[:m], own.transpose(1, 0, 2, 3).reshape(-1, len(units))])


@njit(cache=True)
def _touch(coefficients, base, constants):  # type: ignore[no-untyped-def]
    """The fields of `Touch` from coefficients (c, ROWS, 6) of base rows (c, 6, n)."""
    count, n = coefficients.shape[0], base.shape[2]
    rows, factors = np.zeros((count, ROWS, n)), coefficients.copy()
    shifts = np.zeros((count, ROWS))
    for i in range(count):
        for row in range(ROWS):
            for component in range(6):
                factor = coefficients[i, row, component]
                if factor != 0.0:
                    shifts[i, row] += factor * constants[i, component]
                    add_scaled(rows[i, row], base[i, component], factor)
            length = np.sqrt(dot(rows[i, row], rows[i, row]))
            if length > 0.0:
                shifts[i, row] /= length
                factors[i, row] /= length
                rows[i, row] /= length
    return rows, factors, shifts


@njit(cache=True)
def _depths(parents):  # type: ignore[no-untyped-def]
    """How many cells every cell is part of, (c, CELLS)."""
    depths = np.zeros_like(parents)
    for i in range(parents.shape[0]):
        for cell in range(parents.shape[1]):
            above = parents[i, cell]
            while above >= 0:
                depths[i, cell] += 1
                above = parents[i, above]
    return depths
