"""All convex programs of one control problem, factorised once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numba import njit
from scipy.linalg.lapack import dpotrf, dtrtri

from hydrostat.arrays import Floats, Ints
from hydrostat.solvers.pieces import PIECES
from hydrostat.solvers.problems import ControlProblem
from hydrostat.solvers.qpcc.active_set import (
    INFEASIBLE,
    OPTIMAL,
    Rows,
    State,
    add_scaled,
    copied,
    dot,
    empty_state,
    minimise,
    release,
    value_of,
)
from hydrostat.solvers.qpcc.cells import ANY, NEGATIVE, NONE, POSITIVE, ROWS, CellTable, cell_table

# Rows x may be violated by this fraction of the size of the problem.
_TOLERANCE = 1e-11
# Where the scaled objective is not strictly convex, this fraction of its curvature is added in every direction.
_FLOOR = 1e-9
_FLAT = 1e-11
_MOST_STEPS = 2000
# A leaf is better than another one only by more than this fraction of the other's objective and, because of rounding,
# of the depth of the unconstrained minimum.
RELATIVE, OF_DEPTH = 1e-8, 1e-11
# Where points must be farther out than this, in sizes of the problem, there are none.
_NOWHERE = 1e6


class Box(NamedTuple):
    """lower ≤ rows x ≤ upper for the actuation: rows (m, n) of unit length, lower, upper (m,)."""

    rows: Floats
    lower: Floats
    upper: Floats


class Touch(NamedTuple):
    """Every row that a cell may have: rows (c, ROWS, n) x + shifts (c, ROWS), rows of unit length or zero.

    factors: (c, ROWS, 6) the rows as combinations of the base rows (p, w) of their contact, which stand behind those
    of the box at sources (c, 6).
    """

    rows: Floats
    factors: Floats
    shifts: Floats
    sources: Ints


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
        self.table: CellTable = cell_table(problem.contacts.polygons)
        self._depths = _depths(self.table.parents)
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
        self._constants[m + 3 * self.contacts :] += scaled.velocities
        shifts = self._constants[m:].copy()
        shifts[3 * self.contacts :: 3] += scaled.clearance
        self._lengths = np.sqrt((base[:m] * base[:m]).sum(axis=1))
        base[:m] /= self._lengths[:, None]
        self._box = Box(
            base[:m],
            (problem.lower / self.units[:m] - self._constants[:m]) / self._lengths,
            (problem.upper / self.units[:m] - self._constants[:m]) / self._lengths,
        )
        self._touch = Touch(*_touch(self.table.rows, base[m:], shifts))
        self._start_state = empty_state(base)
        self._size = max(float(np.sqrt(start @ start)), float(np.abs(self._touch.shifts).max(initial=0.0))) or 1.0
        self._given = (self.table, self._box, self._touch)
        self._limits = (_TOLERANCE * self._size, 0.5 * (_NOWHERE * self._size) ** 2)

    @cached_property
    def root(self) -> Answer:
        """Every contact in any state: the loosest relaxation, and the start of all others."""
        return self.solve(np.full(self.contacts, ANY))

    def solve(self, cells: Ints, near: Answer | None = None, cutoff: float = np.inf) -> Answer:
        """The best point with contact i in ``cells[i]``; quicker from an answer for cells that differ ``near`` by."""
        if near is None or near.code != OPTIMAL:
            known, state = cells, self._start_state
        else:
            known, state = near.cells, near.state
        self.solved += 1
        return Answer(cells, *_solved(cells, known, state, *self._given, *self._limits, cutoff))

    def split(self, answer: Answer, contact: int, cutoff: float) -> list[Answer]:
        """Answers in the cells that the cell of ``contact`` splits into: all that may hold a leaf below ``cutoff``."""
        near = answer.state if answer.code == OPTIMAL else self._start_state
        children = self.table.children[contact, answer.cells[contact]]
        self.solved += int((children >= 0).sum())
        found = _split(answer.cells, contact, near, *self._given, *self._limits, cutoff, self.depth, self.lowest)
        return [Answer(*child) for child in found]

    def depth_of(self, cells: Ints) -> int:
        """How often contacts were split on the way to ``cells``."""
        return int(self._depths[np.arange(len(cells)), cells].sum())

    def bound(self, cells: Ints, code: int, state: State) -> float:
        """What the multipliers of a ``state`` prove: no point in the ``cells`` has a lower value.

        Weak duality, computed anew from the rows of the cells: y ≥ 0 proves Σ y b - ½ |Σ y a|² of rows a·x ≥ b. An
        answer that is wrong, also a wrong "infeasible", proves little and so can close no branch by mistake.
        """
        return float(_bound(cells, code, *self._given, state, self._limits[1]))

    def better(self, value: float) -> float:
        """What the value of a leaf must be below to count as better than ``value``."""
        return float(_better(value, self.depth, self.lowest)) if np.isfinite(value) else np.inf

    def point(self, state: State) -> Floats:
        """z of a state, in units."""
        m = self.problem.size
        own = state.place + self._constants
        own[:m] = state.place[:m] * self._lengths + self._constants[:m]
        z: Floats = self.units * own[: self.units.size]
        return z

    def touching(self, state: State) -> tuple[Floats, Floats]:
        """Scaled impulses and velocities of a state, (3c,) each."""
        both = state.place[self.problem.size :] + self._constants[self.problem.size :]
        return both[: both.size // 2], both[both.size // 2 :]


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
    """Rows (m + 6c, n) by which x gives u, p and the part of w that varies, all scaled."""
    m, scaled = problem.size, problem.contacts.scaled
    velocities = np.concatenate([problem.response * units[:m] / scaled.velocity[:, None], scaled.delassus], axis=1)
    return np.concatenate([inverse.T, velocities @ inverse.T])


@njit(cache=True)
def _touch(coefficients, base, constants):  # type: ignore[no-untyped-def]
    """The fields of `Touch` from coefficients (c, ROWS, 6) of base rows (6c, n)."""
    count, n = coefficients.shape[0], base.shape[1]
    rows, factors = np.zeros((count, ROWS, n)), coefficients.copy()
    shifts = np.zeros((count, ROWS))
    sources = np.empty((count, 6), dtype=np.int64)
    for i in range(count):
        for component in range(6):
            sources[i, component] = 3 * i + component if component < 3 else 3 * count + 3 * i + component - 3
        for row in range(ROWS):
            for component in range(6):
                factor = coefficients[i, row, component]
                if factor != 0.0:
                    shifts[i, row] += factor * constants[sources[i, component]]
                    add_scaled(rows[i, row], base[sources[i, component]], factor)
            length = np.sqrt(dot(rows[i, row], rows[i, row]))
            if length > 0.0:
                shifts[i, row] /= length
                factors[i, row] /= length
                rows[i, row] /= length
    return rows, factors, shifts, sources


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


@njit(cache=True)
def _solved(cells, known, near, table, box, touch, tolerance, nowhere, cutoff):  # type: ignore[no-untyped-def]
    """Code, value, bound and state with contact i in ``cells[i]``, from a state ``near`` for the cells ``known``."""
    state = copied(near)
    _leave(known, cells, table.parents, box.lower.size, state)
    code = _solve(cells, table, box, touch, state, tolerance, cutoff)
    return code, value_of(state), _bound(cells, code, table, box, touch, state, nowhere), state


@njit(cache=True)
def _split(cells, contact, near, table, box, touch, tolerance, nowhere, cutoff, depth, lowest):  # type: ignore[no-untyped-def]
    """Fields of the answers in all cells that the cell of ``contact`` splits into, where ``cutoff`` excludes none."""
    answers = []
    for child in table.children[contact, cells[contact]]:
        if child < 0:
            break
        own = cells.copy()
        own[contact] = child
        code, value, bound, state = _solved(own, cells, near, table, box, touch, tolerance, nowhere, cutoff)
        if bound < cutoff:
            answers.append((own, code, value, bound, state))
            if code == OPTIMAL and (own < PIECES).all():
                cutoff = min(cutoff, _better(value, depth, lowest))
    return answers


@njit(cache=True)
def _better(value, depth, lowest):  # type: ignore[no-untyped-def]
    """See `Programs.better`."""
    return value - RELATIVE * abs(value + lowest) - OF_DEPTH * depth


@njit(cache=True)
def _bound(cells, code, table, box, touch, state, nowhere):  # type: ignore[no-untyped-def]
    """See `Programs.bound`."""
    proven = _proven(cells, table, box, touch, state, state.multipliers, False)
    if code == INFEASIBLE:
        proven = max(proven, _proven(cells, table, box, touch, state, state.ray, True))
    return proven if proven < nowhere else np.inf


@njit(cache=True)
def _proven(cells, table, box, touch, state, multipliers, ray):  # type: ignore[no-untyped-def]
    """The dual objective at ``multipliers``, or its greatest value along them where they are a ``ray``."""
    m = box.lower.size
    force = np.zeros(multipliers.size)
    gain = 0.0
    for j in range(state.number[0] + (1 if ray else 0)):
        if j < state.number[0]:
            name, sign, factor = state.names[j], state.signs[j], multipliers[j]
        else:
            name, sign, factor = state.entering[0], float(state.entering[1]), 1.0
        if name < m:
            row, lower, upper = box.rows[name], box.lower[name], box.upper[name]
        else:
            i, place = (name - m) // ROWS, (name - m) % ROWS
            kind = _kind(table, i, cells[i], place)
            row = touch.rows[i, place]
            lower = -np.inf if kind in (NEGATIVE, NONE) else -touch.shifts[i, place]
            upper = np.inf if kind in (POSITIVE, NONE) else -touch.shifts[i, place]
        if factor < 0.0:  # only an equation may pull either way
            sign, factor = -sign, -factor
        bound = lower if sign > 0.0 else -upper
        if bound == -np.inf:
            continue
        gain += factor * bound
        add_scaled(force, row, factor * sign)
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
def _leave(old, new, parents, m, state):  # type: ignore[no-untyped-def]
    """Release the contacts of ``state`` whose new cell is no part of the old one."""
    for i in range(new.size):
        cell = new[i]
        while cell >= 0 and cell != old[i]:
            cell = parents[i, cell]
        if cell < 0:
            release(state, m + ROWS * i, m + ROWS * (i + 1))


@njit(cache=True)
def _solve(cells, table, box, touch, state, tolerance, cutoff):  # type: ignore[no-untyped-def]
    """Minimise over the box with contact i in ``cells[i]``."""
    m, parts = box.lower.size, 6 * cells.size
    most = m + parts + table.members.shape[2] * cells.size
    lower, upper, names = np.full(most, -np.inf), np.full(most, np.inf), np.arange(most)
    lower[:m], upper[:m] = box.lower, box.upper
    names[m : m + parts] += ROWS * cells.size
    sources = np.empty((most - m - parts, 6), dtype=np.int64)
    factors = np.empty((most - m - parts, 6))
    count = 0
    for i in range(cells.size):
        for position in range(table.members.shape[2]):
            kind, row = table.kinds[i, cells[i], position], table.members[i, cells[i], position]
            if kind == NONE:
                break
            sources[count] = m + touch.sources[i]
            factors[count] = touch.factors[i, row]
            if kind != NEGATIVE:
                lower[m + parts + count] = -touch.shifts[i, row]
            if kind != POSITIVE:
                upper[m + parts + count] = -touch.shifts[i, row]
            names[m + parts + count] = m + ROWS * i + row
            count += 1
    end = m + parts + count
    program = Rows(lower[:end], upper[:end], names[:end], sources[:count], factors[:count])
    return minimise(program, state, tolerance, cutoff, _MOST_STEPS)
