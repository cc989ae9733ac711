"""A dual active-set method that starts where another program ended: the work horse of every QPCC method.

All programs of one problem share their objective, which a change of variables turns into ½ x·x, and the vectors of
their constraints; they differ only in which constraints hold. So the minimiser of one program, with the
factorisation of its active constraints, is the start of the next one.

Goldfarb and Idnani's method: x is always the point nearest to 0 on the active constraints, with multipliers of the
right sign. The most violated constraint enters, others leave where their multipliers reach 0, and ½ x·x, a lower
bound of the minimum, only grows.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from hydrostat.arrays import Floats, Ints
from hydrostat.solvers.qpcc.basis import FAST, append, back_substitute, dot, drop, move, rest_of, value_of, widen
from hydrostat.solvers.qpcc.cells import NONE, ROWS, ZERO

OPTIMAL, CUT_OFF, INFEASIBLE, STUCK = 0, 1, 2, 3
# Sine of the angle below which a constraint depends on the active ones.
_DEPENDENT = 1e-10
# What rounding makes of the square of that sine.
_NO_ROOM = 1e-14


class Rows(NamedTuple):
    """The constraints of a program: lower ≤ row·x ≤ upper for the m rows of the box, and the cells of the contacts.

    lower, upper: (m,). cells: (c,). members, kinds: of all cells, see `cells.CellTable`. factors: (c, ROWS, 6) the rows
    of contacts as combinations of their base rows, of unit length; row·x + shift, shifts (c, ROWS), is what has a sign.
    Row r of contact i is constraint number m + ROWS i + r.
    """

    lower: Floats
    upper: Floats
    cells: Ints
    members: Ints
    kinds: Ints
    factors: Floats
    shifts: Floats


@njit(cache=True, fastmath=FAST)
def minimise(program, state, tolerance, cutoff, limit):  # type: ignore[no-untyped-def]
    """Move ``state`` to the minimiser of ½ x·x under the rows of ``program``.

    The active constraints of ``state`` must hold in the program too. tolerance: of a row's value. Returns why it ended;
    CUT_OFF: ½ x·x exceeds ``cutoff``; STUCK: more than ``limit`` constraints entered.
    """
    multipliers, fixed, count = state.multipliers, state.fixed, state.number
    n = multipliers.size
    active = np.zeros(program.lower.size + ROWS * program.cells.size, dtype=np.bool_)
    for j in range(count[0]):
        active[state.names[j]] = True
    components, shares, rest = np.empty(n), np.empty(n), np.empty(state.spans.shape[1])
    if value_of(state) > cutoff:
        return CUT_OFF
    for _ in range(limit):
        name, sign, bound, equation = _most_gainful(program, state, active, tolerance)
        if name < 0:
            return OPTIMAL
        violation = _components(program, name, sign, state, components) - bound
        rest_of(state, components, rest)
        open_square = dot(components[count[0] :], components[count[0] :])
        own = 0.0
        while True:
            back_substitute(state.triangle, components, shares, count[0])
            full = np.inf
            if open_square > _DEPENDENT * _DEPENDENT:
                full = max(-violation, 0.0) / open_square
            step, leaving = full, -1
            for j in range(count[0]):
                if not fixed[j] and shares[j] > 0.0 and multipliers[j] < step * shares[j]:
                    step, leaving = multipliers[j] / shares[j], j
            if step == np.inf:
                for j in range(count[0]):
                    state.ray[j] = -shares[j]
                state.entering[0], state.entering[1] = name, int(sign)
                return INFEASIBLE
            for j in range(count[0]):
                multipliers[j] -= step * shares[j]
            own += step
            if full < np.inf:
                move(state, components, rest, step, open_square)
                violation += step * open_square
            if leaving < 0:
                break
            active[state.names[leaving]] = False
            drop(state, leaving, components)
            open_square += widen(state, components, rest)
        last = count[0]
        state.names[last], state.signs[last], state.bounds[last] = name, sign, bound
        fixed[last] = equation
        multipliers[last] = own
        active[name] = True
        if value_of(state) > cutoff:  # nobody goes on from here: the basis need not follow
            count[0] += 1
            return CUT_OFF
        append(state, components, rest, open_square)
    return STUCK


@njit(cache=True, fastmath=FAST)
def release(state, first, last):  # type: ignore[no-untyped-def]
    """Take every active constraint named from ``first`` to before ``last`` out, and move to the minimiser without them.

    The inverse of an entry: the multiplier falls to 0, and other constraints leave where theirs do.
    """
    multipliers, fixed, count = state.multipliers, state.fixed, state.number
    n = multipliers.size
    components, shares, rest = np.empty(n), np.empty(n), np.empty(state.spans.shape[1])
    while True:
        position = count[0] - 1
        while position >= 0 and not first <= state.names[position] < last:
            position -= 1
        if position < 0:
            return
        own = multipliers[position]
        side = 1.0 if own >= 0.0 else -1.0
        own *= side
        for i in range(n):
            components[i] = side * state.triangle[position, i] if i <= position else 0.0
        drop(state, position, components)
        rest[:] = 0.0
        open_square = widen(state, components, rest)
        while True:
            back_substitute(state.triangle, components, shares, count[0])
            step, leaving = own, -1
            for j in range(count[0]):
                if not fixed[j] and shares[j] < 0.0 and multipliers[j] < -step * shares[j]:
                    step, leaving = -multipliers[j] / shares[j], j
            for j in range(count[0]):
                multipliers[j] += step * shares[j]
            own -= step
            move(state, components, rest, -step, open_square)
            if leaving < 0:
                break
            drop(state, leaving, components)
            open_square += widen(state, components, rest)


@njit(cache=True, fastmath=FAST)
def _components(program, name, sign, state, components):  # type: ignore[no-untyped-def]
    """Write ``sign`` times a row of the program in the basis to ``components`` (n,); returns its product with x."""
    box, spans = state.open_box.size, state.spans
    if name < box:
        for j in range(components.size):
            components[j] = sign * spans[j, name]
        return sign * state.place[name]
    contact, row = (name - box) // ROWS, (name - box) % ROWS
    factors, start = program.factors[contact, row], box + 6 * contact
    for j in range(components.size):
        total = 0.0
        for part in range(6):
            total += factors[part] * spans[j, start + part]
        components[j] = sign * total
    return sign * _value(program, contact, row, state)


@njit(cache=True, fastmath=FAST)
def _value(program, contact, row, state):  # type: ignore[no-untyped-def]
    """A row of a contact times x."""
    start = state.open_box.size + 6 * contact
    total = 0.0
    for part in range(6):
        total += program.factors[contact, row, part] * state.place[start + part]
    return total


@njit(cache=True)
def _most_gainful(program, state, active, tolerance):  # type: ignore[no-untyped-def]
    """The violated row whose entry alone would raise ½ x·x most: violation² / what the active rows leave of it.

    Returns its name, +1 where it is below its bounds and -1 where it is above, that bound times this sign, and whether
    it is an equation.
    """
    box = state.open_box.size
    most, best, sign, bound, equation = 0.0, -1, 1.0, 0.0, False
    for row in range(box):
        below, above = program.lower[row] - state.place[row], state.place[row] - program.upper[row]
        violation = max(below, above)
        if violation > tolerance and not active[row]:
            gain = violation * violation / max(state.open_box[row], _NO_ROOM)
            if gain > most:
                most, best, equation = gain, row, program.lower[row] == program.upper[row]
                sign, bound = (1.0, program.lower[row]) if below >= above else (-1.0, -program.upper[row])
    for i in range(program.cells.size):
        cell = program.cells[i]
        for position in range(program.kinds.shape[2]):
            kind, row = program.kinds[i, cell, position], program.members[i, cell, position]
            if kind == NONE:
                break
            value = _value(program, i, row, state) + program.shifts[i, row]
            violation = abs(value) if kind == ZERO else -kind * value
            if violation > tolerance and not active[box + ROWS * i + row]:
                gain = violation * violation / max(_open_square(program, i, row, state), _NO_ROOM)
                if gain > most:
                    most, best, equation = gain, box + ROWS * i + row, kind == ZERO
                    sign = -1.0 if value > 0.0 else 1.0
                    bound = -sign * program.shifts[i, row]
    return best, sign, bound, equation


@njit(cache=True, fastmath=FAST)
def _open_square(program, contact, row, state):  # type: ignore[no-untyped-def]
    """Square of what the active normals leave of a row of a contact."""
    total = 0.0
    for a in range(6):
        own = 0.0
        for b in range(6):
            own += state.open_contacts[contact, a, b] * program.factors[contact, row, b]
        total += program.factors[contact, row, a] * own
    return total
