"""The convex programs of one control problem in compiled code: minimisers, and what they prove."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from hydrostat.arrays import Bools, Floats, Ints
from hydrostat.solvers.qpcc.active_set import INFEASIBLE, Rows, minimise, release
from hydrostat.solvers.qpcc.basis import State, add_scaled, copied, dot, value_of
from hydrostat.solvers.qpcc.cells import NEGATIVE, NONE, POSITIVE, ROWS, CellTable
from hydrostat.solvers.qpcc.places import nearest

_MOST_STEPS = 2000
# A leaf is better than another one only by more than this fraction of the other's objective and, because of rounding,
# of the depth of the unconstrained minimum.
RELATIVE, OF_DEPTH = 1e-8, 1e-11


class Box(NamedTuple):
    """lower ≤ rows x ≤ upper for the actuation: rows (m, n) of unit length, lower, upper (m,)."""

    rows: Floats
    lower: Floats
    upper: Floats


class Touch(NamedTuple):
    """Every row that a cell may have: rows (c, ROWS, n) x + shifts (c, ROWS), rows of unit length or zero.

    factors: (c, ROWS, 6) the rows as combinations of the base rows (p, w) of their contact.
    """

    rows: Floats
    factors: Floats
    shifts: Floats


class Given(NamedTuple):
    """All that the programs of a problem share, for compiled code.

    exists: (c, 18) which pieces every contact has. depths: (c, CELLS) how many cells a cell is part of. nothing: the
    state at x = 0. constants: (c, 6) what (p, w) are there, scaled, clearance: (c,). tolerance: of a row's value.
    nowhere: a value that says that there are no points. depth, lowest: see `Programs`.
    """

    table: CellTable
    box: Box
    touch: Touch
    exists: Bools
    depths: Ints
    nothing: State
    constants: Floats
    clearance: Floats
    tolerance: float
    nowhere: float
    depth: float
    lowest: float


@njit(cache=True)
def solved(given, cells, known, near, cutoff):  # type: ignore[no-untyped-def]
    """The fields of an answer with contact i in ``cells[i]``, from a state ``near`` for the cells ``known``."""
    box, touch, table = given.box, given.touch, given.table
    state = copied(near)
    _leave(known, cells, table.parents, box.lower.size, state)
    program = Rows(box.lower, box.upper, cells, table.members, table.kinds, touch.factors, touch.shifts)
    code = minimise(program, state, given.tolerance, cutoff, _MOST_STEPS)
    return cells, code, value_of(state), bound_of(given, cells, code, state), state


@njit(cache=True)
def better(given, value):  # type: ignore[no-untyped-def]
    """See `Programs.better`."""
    return value - RELATIVE * abs(value + given.lowest) - OF_DEPTH * given.depth if value < np.inf else np.inf


@njit(cache=True)
def touching_of(given, state):  # type: ignore[no-untyped-def]
    """See `Programs.touching`."""
    count, box = given.clearance.size, given.box.lower.size
    impulses, velocities = np.empty(3 * count), np.empty(3 * count)
    for i in range(count):
        for axis in range(3):
            impulses[3 * i + axis] = state.place[box + 6 * i + axis] + given.constants[i, axis]
            velocities[3 * i + axis] = state.place[box + 6 * i + 3 + axis] + given.constants[i, 3 + axis]
    return impulses, velocities


@njit(cache=True)
def nearest_of(given, cells, state):  # type: ignore[no-untyped-def]
    """Of the leaves in ``cells`` the one nearest to a state, (c,), and how far its pieces are, (c,)."""
    impulses, velocities = touching_of(given, state)
    return nearest(given.table, given.exists, cells, given.clearance, impulses, velocities)


@njit(cache=True)
def bound_of(given, cells, code, state):  # type: ignore[no-untyped-def]
    """What the multipliers of a ``state`` prove: no point in the ``cells`` has a lower value.

    Weak duality, computed anew from the rows of the cells: y ≥ 0 proves Σ y b - ½ |Σ y a|² of rows a·x ≥ b. An
    answer that is wrong, also a wrong "infeasible", proves little and so can close no branch by mistake.
    """
    proven = _proven(cells, given.table, given.box, given.touch, state, state.multipliers, False)
    if code == INFEASIBLE:
        proven = max(proven, _proven(cells, given.table, given.box, given.touch, state, state.ray, True))
    return proven if proven < given.nowhere else np.inf


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
            kind = table.bounded[i, cells[i], place]
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
def _leave(old, new, parents, m, state):  # type: ignore[no-untyped-def]
    """Release the contacts of ``state`` whose new cell is no part of the old one."""
    for i in range(new.size):
        cell = new[i]
        while cell >= 0 and cell != old[i]:
            cell = parents[i, cell]
        if cell < 0:
            release(state, m + ROWS * i, m + ROWS * (i + 1))
