"""All convex programs of one control problem, factorised once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numba import njit
from scipy.linalg.lapack import dpotrf, dtrtri

from hydrostat.arrays import Floats, Ints
from hydrostat.solvers.problems import ControlProblem
from hydrostat.solvers.qpcc.active_set import INFEASIBLE, State, copied, dot, empty_state, minimise
from hydrostat.solvers.qpcc.cells import ANY, LONGEST, NEGATIVE, NONE, POSITIVE, ROWS, CellTable, cell_table

# Rows x may be violated by this fraction of the size of the problem.
_TOLERANCE = 1e-11
# Where the scaled objective is not strictly convex, this fraction of its curvature is added in every direction.
_FLOOR = 1e-9
_FLAT = 1e-11
_MOST_STEPS = 2000


class _Rows(NamedTuple):
    """Rows of a program: lower ≤ rows x ≤ upper, and their names."""

    rows: Floats
    lower: Floats
    upper: Floats
    names: Ints


@dataclass(frozen=True)
class Answer:
    """The minimiser for one choice of cells, where code is OPTIMAL.

    value: objective above its unconstrained minimum, ½ x·x. See `Programs.bound` for what an answer proves.
    """

    code: int
    value: float
    state: State


class Programs:
    """Minimise the objective over the box with contact i in a cell of its own.

    With ẑ = z / units and L Lᵀ = H of ẑ, x = Lᵀ ẑ + L⁻¹ g makes the objective ½ x·x - depth.
    """

    def __init__(self, problem: ControlProblem) -> None:
        self.problem = problem
        self.contacts = problem.contacts.count
        self.table: CellTable = cell_table(problem.contacts.polygons)
        self.solved = 0  # programs solved so far
        m, scaled = problem.size, problem.contacts.scaled
        hessian = problem.hessian.copy()
        own = np.arange(m, len(hessian))
        hessian[own, own] += problem.impulse_penalty
        self.units = _units(problem, hessian)
        hessian *= self.units * self.units[:, None]
        self._inverse = _inverse_root(hessian)
        start = self._inverse @ (problem.gradient * self.units)
        self._start = start
        self.depth = 0.5 * float(start @ start)
        self._base = _base(problem, self._inverse, self.units)
        constants = -(self._base @ start)
        constants[m + 3 * self.contacts :] += scaled.velocities
        constants[m + 3 * self.contacts :: 3] += scaled.clearance
        self._workspace = _workspace(problem, self._base, constants, self.units)
        self._rows, self._shifts = _contact_rows(self.table.rows, self._base[m:], constants[m:])
        size = float(np.sqrt(start @ start))
        self._tolerance = _TOLERANCE * max(size, float(np.abs(self._shifts).max(initial=0.0))) or _TOLERANCE

    @cached_property
    def root(self) -> Answer:
        """Every contact in any state: the loosest relaxation, and the start of all others."""
        return self.solve(np.full(self.contacts, ANY))

    def solve(self, cells: Ints, start: State | None = None, cutoff: float = np.inf) -> Answer:
        """The best point with contact i in ``cells[i]``, from the state of any program that contains this one."""
        state = empty_state(self._start.size) if start is None else copied(start)
        code = _solve(
            cells,
            self.table.members,
            self.table.kinds,
            self._rows,
            self._shifts,
            self._workspace,
            state,
            self._tolerance,
            cutoff,
        )
        self.solved += 1
        return Answer(code, 0.5 * float(state.x @ state.x), state)

    def bound(self, cells: Ints, answer: Answer) -> float:
        """What the multipliers of an ``answer`` prove: no point with contact i in ``cells[i]`` has a lower value.

        Weak duality, computed anew from the rows of the cells: y ≥ 0 proves Σ y b - ½ |Σ y a|² of rows a·x ≥ b. An
        answer that is wrong, also a wrong "infeasible", proves little and so can close no branch by mistake.
        """
        state = answer.state
        rows, box = (self._rows, self._shifts), (self._workspace.rows, self._workspace.lower, self._workspace.upper)
        proven: float = _proven(cells, self.table, *rows, *box, state, state.multipliers, False)
        if answer.code == INFEASIBLE:
            proven = max(proven, _proven(cells, self.table, *rows, *box, state, state.ray, True))
        return proven

    def point(self, state: State) -> Floats:
        """z of a state, in units."""
        z: Floats = self.units * ((state.x - self._start) @ self._inverse)
        return z


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


def _inverse_root(hessian: Floats) -> Floats:
    """L⁻¹ of L Lᵀ = hessian."""
    diagonal = np.diagonal(hessian).copy()
    typical = float(diagonal.max(initial=0.0)) or 1.0
    root, failed = dpotrf(hessian, lower=1)
    if failed or np.any(np.diagonal(root) ** 2 <= _FLAT * diagonal):
        floor = _FLOOR * np.where(diagonal > 0, diagonal, typical)
        root, failed = dpotrf(hessian + np.diag(floor), lower=1)
    inverse, _ = dtrtri(root, lower=1)
    return np.tril(inverse)


def _base(problem: ControlProblem, inverse: Floats, units: Floats) -> Floats:
    """Rows (m + 6c, n) by which x gives u, p and the part of w that varies, all scaled."""
    m, scaled = problem.size, problem.contacts.scaled
    velocities = np.concatenate([problem.response * units[:m] / scaled.velocity[:, None], scaled.delassus], axis=1)
    return np.concatenate([inverse.T, velocities @ inverse.T])


def _workspace(problem: ControlProblem, base: Floats, constants: Floats, units: Floats) -> _Rows:
    """Room for the rows of a program, the box filled in."""
    m, longest = problem.size, problem.size + LONGEST * problem.contacts.count
    lengths = np.sqrt((base[:m] * base[:m]).sum(axis=1))
    rows, lower, upper = np.empty((longest, len(units))), np.empty(longest), np.empty(longest)
    rows[:m] = base[:m] / lengths[:, None]
    lower[:m] = (problem.lower / units[:m] - constants[:m]) / lengths
    upper[:m] = (problem.upper / units[:m] - constants[:m]) / lengths
    return _Rows(rows, lower, upper, np.arange(longest))


@njit(cache=True)
def _contact_rows(coefficients, base, constants):  # type: ignore[no-untyped-def]
    """The rows of every contact in x, of unit length, and their constants: (c, ROWS, n), (c, ROWS)."""
    count, n = coefficients.shape[0], base.shape[1]
    rows = np.zeros((count, ROWS, n))
    shifts = np.zeros((count, ROWS))
    for i in range(count):
        for row in range(ROWS):
            for component in range(6):
                factor = coefficients[i, row, component]
                if factor != 0.0:
                    source = 3 * i + component if component < 3 else 3 * count + 3 * i + component - 3
                    shifts[i, row] += factor * constants[source]
                    for k in range(n):
                        rows[i, row, k] += factor * base[source, k]
            length = np.sqrt(dot(rows[i, row], rows[i, row]))
            if length > 0.0:
                shifts[i, row] /= length
                for k in range(n):
                    rows[i, row, k] /= length
    return rows, shifts


@njit(cache=True)
def _proven(cells, table, contact_rows, shifts, box_rows, box_lower, box_upper, state, multipliers, ray):  # type: ignore[no-untyped-def]
    """The dual objective at ``multipliers``, or its greatest value along them where they are a ``ray``."""
    m = box_lower.size - table.members.shape[2] * cells.size
    force = np.zeros(state.x.size)
    gain = 0.0
    for j in range(state.count[0] + (1 if ray else 0)):
        if j < state.count[0]:
            name, sign, factor = state.names[j], state.signs[j], multipliers[j]
        else:
            name, sign, factor = state.entering[0], float(state.entering[1]), 1.0
        if name < m:
            row, lower, upper = box_rows[name], box_lower[name], box_upper[name]
        else:
            i, place = (name - m) // ROWS, (name - m) % ROWS
            kind = _kind(table, i, cells[i], place)
            row = contact_rows[i, place]
            lower = -np.inf if kind == NEGATIVE or kind == NONE else -shifts[i, place]
            upper = np.inf if kind == POSITIVE or kind == NONE else -shifts[i, place]
        if factor < 0.0:  # only an equation may pull either way
            sign, factor = -sign, -factor
        bound = lower if sign > 0.0 else -upper
        if bound == -np.inf:
            continue
        gain += factor * bound
        for k in range(force.size):
            force[k] += factor * sign * row[k]
    square = dot(force, force)
    if not ray:
        return max(gain - 0.5 * square, 0.0)
    if gain <= 0.0:
        return 0.0
    return 0.5 * gain * gain / square if square > 0.0 else np.inf


@njit(cache=True)
def _kind(table, i, cell, row):  # type: ignore[no-untyped-def]
    """How ``row`` is bounded in a cell or in the cells that it is part of; NONE if it is not."""
    while cell >= 0:
        for position in range(table.members.shape[2]):
            kind = table.kinds[i, cell, position]
            if kind == NONE:
                break
            if table.members[i, cell, position] == row:
                return kind
        cell = table.parents[i, cell]
    return NONE


@njit(cache=True)
def _solve(cells, members, kinds, contact_rows, shifts, room, state, tolerance, cutoff):  # type: ignore[no-untyped-def]
    """Write the rows of ``cells`` behind those of the box, and minimise."""
    m = room.names.size - members.shape[2] * cells.size
    count = m
    for i in range(cells.size):
        for position in range(members.shape[2]):
            kind = kinds[i, cells[i], position]
            if kind == NONE:
                break
            row = members[i, cells[i], position]
            for k in range(room.rows.shape[1]):
                room.rows[count, k] = contact_rows[i, row, k]
            room.lower[count] = -np.inf if kind == NEGATIVE else -shifts[i, row]
            room.upper[count] = np.inf if kind == POSITIVE else -shifts[i, row]
            room.names[count] = m + ROWS * i + row
            count += 1
    rows, lower, upper, names = room.rows[:count], room.lower[:count], room.upper[:count], room.names[:count]
    return minimise(rows, lower, upper, names, state, tolerance, cutoff, _MOST_STEPS)[0]
