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

from hydrostat.arrays import Bools, Floats, Ints

OPTIMAL, CUT_OFF, INFEASIBLE, STUCK = 0, 1, 2, 3
# Reordering sums lets the compiler use vector instructions; infinities keep their meaning.
_FAST = {"reassoc", "contract", "nsz"}
# Sine of the angle below which a constraint depends on the active ones.
_DEPENDENT = 1e-10
# What rounding makes of the square of that sine.
_NO_ROOM = 1e-14


class State(NamedTuple):
    """A point x with its active constraints normals[j]·x ≥ bounds[j], j < number[0], in a basis of n unit vectors.

    All rows of all programs are combinations of b base rows. What the basis does to x it does to rows: both are
    columns of one array, and x and the rows' values one vector, with room for k combinations.

    place: (n + b + k,) x, then base x, then room. spans: (n, n + b + k) the orthonormal basis, and the rows in it;
    the first ``number[0]`` vectors span the active normals: normals[j] = Σ_l triangle[j, l] spans[l, :n], with
    triangle (n, n) lower triangular. names: (n,) which constraint it is. signs: (n,) +1 at a lower bound, -1 at an
    upper one. fixed: (n,) whether it is an equation, which may have any multiplier. Entries from ``number[0]`` on mean
    nothing. ray: (n,) after INFEASIBLE the multipliers of the active constraints that cancel the one that could not
    enter, entering: (2,) its name and sign.
    """

    place: Floats
    spans: Floats
    triangle: Floats
    names: Ints
    signs: Floats
    bounds: Floats
    fixed: Bools
    multipliers: Floats
    number: Ints
    ray: Floats
    entering: Ints

    @property
    def x(self) -> Floats:
        """The point (n,)."""
        return self.place[: len(self.spans)]


class Rows(NamedTuple):
    """The constraints of a program: lower ≤ row·x ≤ upper for the base rows and then for k combinations of six of them.

    lower, upper: (b + k,). names: (b + k,) which constraint a row is. sources, factors: (k, 6) the base rows of every
    combination and their factors, which give it unit length.
    """

    lower: Floats
    upper: Floats
    names: Ints
    sources: Ints
    factors: Floats


def empty_state(base: Floats, room: int) -> State:
    """x = 0 with no active constraint, for base rows (b, n) and at most ``room`` combinations of them."""
    size = base.shape[1]
    return State(
        np.zeros(size + len(base) + room),
        np.concatenate([np.eye(size), base.T, np.zeros((size, room))], axis=1),
        np.zeros((size, size)),
        np.zeros(size, dtype=np.int64),
        np.zeros(size),
        np.zeros(size),
        np.zeros(size, dtype=np.bool_),
        np.zeros(size),
        np.zeros(1, dtype=np.int64),
        np.zeros(size),
        np.zeros(2, dtype=np.int64),
    )


def copied(state: State) -> State:
    """A state that can move on its own."""
    return State(*(array.copy() for array in state))  # type: ignore[arg-type]  # in order


@njit(cache=True, fastmath=_FAST)
def dot(a, b):  # type: ignore[no-untyped-def]
    """a·b."""
    total = 0.0
    for i in range(a.size):
        total += a[i] * b[i]
    return total


@njit(cache=True, fastmath=_FAST)
def minimise(program, state, tolerance, cutoff, limit):  # type: ignore[no-untyped-def]
    """Move ``state`` to the minimiser of ½ x·x under the rows of ``program``.

    The active constraints of ``state`` must hold in the program too. tolerance: of a row's value. Returns why it ended
    (CUT_OFF: ½ x·x exceeds ``cutoff``) and the constraints that entered.
    """
    lower, upper, names = program.lower, program.upper, program.names
    multipliers, fixed, count = state.multipliers, state.fixed, state.number
    n = multipliers.size
    _combine(program, state)
    width = n + names.size
    spans, place = state.spans, state.place
    open_squares = np.zeros(names.size)
    for j in range(count[0], n):
        _add_squares(open_squares, spans[j, n:width], 1.0)
    active = _active(names, state)
    components, shares = np.empty(n), np.empty(n)
    code, entered = STUCK, 0
    while entered < limit:
        if 0.5 * dot(place[:n], place[:n]) > cutoff:
            code = CUT_OFF
            break
        row, sign, bound = _most_gainful(lower, upper, names, active, place[n:width], open_squares, tolerance)
        if row < 0:
            code = OPTIMAL
            break
        for i in range(n):
            components[i] = sign * spans[i, n + row]
        own = 0.0
        while True:
            _back_substitute(state.triangle, components, shares, count[0])
            open_square = dot(components[count[0] :], components[count[0] :])
            full = np.inf
            if open_square > _DEPENDENT * _DEPENDENT:
                full = max(bound - sign * place[n + row], 0.0) / open_square
            step, leaving = full, -1
            for j in range(count[0]):
                if not fixed[j] and shares[j] > 0.0 and multipliers[j] < step * shares[j]:
                    step, leaving = multipliers[j] / shares[j], j
            if step == np.inf:
                break
            for j in range(count[0]):
                multipliers[j] -= step * shares[j]
            own += step
            if full < np.inf:
                for j in range(count[0], n):
                    add_scaled(place, spans[j], step * components[j])
            if leaving < 0:
                break
            if state.names[leaving] < active.size:
                active[state.names[leaving]] = False
            drop(state, leaving, spans, components)
            _add_squares(open_squares, spans[count[0], n:width], 1.0)
        if step == np.inf:
            for j in range(count[0]):
                state.ray[j] = -shares[j]
            state.entering[0], state.entering[1] = names[row], int(sign)
            code = INFEASIBLE
            break
        _append(state, components, spans)
        last = count[0] - 1
        _add_squares(open_squares, spans[last, n:width], -1.0)
        state.names[last], state.signs[last], state.bounds[last] = names[row], sign, bound
        fixed[last] = lower[row] == upper[row]
        multipliers[last] = own
        active[names[row]] = True
        entered += 1
    return code, entered


@njit(cache=True, fastmath=_FAST)
def release(state, first, last):  # type: ignore[no-untyped-def]
    """Take every active constraint named from ``first`` to before ``last`` out, and move to the minimiser without them.

    The inverse of an entry: the multiplier falls to 0, and other constraints leave where theirs do.
    """
    multipliers, fixed, count = state.multipliers, state.fixed, state.number
    n = multipliers.size
    components, shares = np.empty(n), np.empty(n)
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
        drop(state, position, state.spans, components)
        while True:
            _back_substitute(state.triangle, components, shares, count[0])
            step, leaving = own, -1
            for j in range(count[0]):
                if not fixed[j] and shares[j] < 0.0 and multipliers[j] < -step * shares[j]:
                    step, leaving = -multipliers[j] / shares[j], j
            for j in range(count[0]):
                multipliers[j] += step * shares[j]
            own -= step
            for j in range(count[0], n):
                if components[j] != 0.0:
                    add_scaled(state.place, state.spans[j], -step * components[j])
            if leaving < 0:
                break
            drop(state, leaving, state.spans, components)


@njit(cache=True, fastmath=_FAST)
def _combine(program, state):  # type: ignore[no-untyped-def]
    """Write the combinations of ``program`` behind the base rows."""
    n = state.multipliers.size
    sources, factors = n + program.sources, program.factors
    first = n + program.names.size - factors.shape[0]
    for k in range(factors.shape[0]):
        state.place[first + k] = 0.0
        for part in range(6):
            state.place[first + k] += factors[k, part] * state.place[sources[k, part]]
    for j in range(n):
        own = state.spans[j]
        for k in range(factors.shape[0]):
            total = 0.0
            for part in range(6):
                total += factors[k, part] * own[sources[k, part]]
            own[first + k] = total


@njit(cache=True)
def _active(names, state):  # type: ignore[no-untyped-def]
    """By name, which constraints of the program are active."""
    active = np.zeros(names.max() + 1 if names.size else 1, dtype=np.bool_)
    for j in range(state.number[0]):
        if state.names[j] < active.size:
            active[state.names[j]] = True
    return active


@njit(cache=True, fastmath=_FAST)
def add_scaled(target, direction, factor):  # type: ignore[no-untyped-def]
    """target += factor · direction, in place."""
    for i in range(target.size):
        target[i] += factor * direction[i]


@njit(cache=True, fastmath=_FAST)
def _add_squares(target, values, factor):  # type: ignore[no-untyped-def]
    for i in range(target.size):
        target[i] += factor * values[i] * values[i]


@njit(cache=True)
def _most_gainful(lower, upper, names, active, values, open_squares, tolerance):  # type: ignore[no-untyped-def]
    """The violated row whose entry alone would raise ½ x·x most: violation² / what the active rows leave of it."""
    most, best, sign, bound = 0.0, -1, 1.0, 0.0
    for row in range(names.size):
        below, above = lower[row] - values[row], values[row] - upper[row]
        violation = max(below, above)
        if violation <= tolerance or active[names[row]]:
            continue
        gain = violation * violation / max(open_squares[row], _NO_ROOM)
        if gain > most:
            most, best = gain, row
            sign, bound = (1.0, lower[row]) if below >= above else (-1.0, -upper[row])
    return best, sign, bound


@njit(cache=True, fastmath=_FAST)
def _back_substitute(triangle, right, result, count):  # type: ignore[no-untyped-def]
    for j in range(count):
        result[j] = right[j]
    for j in range(count - 1, -1, -1):
        row = triangle[j]
        share = result[j] / row[j]
        result[j] = share
        for i in range(j):
            result[i] -= row[i] * share


@njit(cache=True, fastmath=_FAST)
def _append(state, components, spans):  # type: ignore[no-untyped-def]
    """Make the normal with these ``components`` in the basis active, by one reflection of the open directions."""
    count = state.number[0]
    length = np.sqrt(dot(components[count:], components[count:]))
    alpha = -length if components[count] > 0.0 else length
    mirror = components[count:].copy()
    mirror[0] -= alpha
    square = dot(mirror, mirror)
    if square > 0.0:
        sums = np.zeros(spans.shape[1])
        for j in range(mirror.size):
            add_scaled(sums, spans[count + j], mirror[j])
        for j in range(mirror.size):
            add_scaled(spans[count + j], sums, -2.0 * mirror[j] / square)
    for j in range(count):
        state.triangle[count, j] = components[j]
    state.triangle[count, count] = alpha
    state.number[0] = count + 1


@njit(cache=True, fastmath=_FAST)
def drop(state, leaving, spans, components):  # type: ignore[no-untyped-def]
    """Take active constraint number ``leaving`` out; x and the other multipliers stay.

    spans (n, …), whose rows turn with the basis, and components (n,) of some vector in it are turned too.
    """
    triangle = state.triangle
    last = state.number[0] - 1
    for j in range(leaving, last):
        target, source = triangle[j], triangle[j + 1]
        for i in range(j + 2):
            target[i] = source[i]
        state.names[j], state.signs[j] = state.names[j + 1], state.signs[j + 1]
        state.bounds[j], state.fixed[j] = state.bounds[j + 1], state.fixed[j + 1]
        state.multipliers[j] = state.multipliers[j + 1]
    for j in range(leaving, last):
        length = np.sqrt(triangle[j, j] * triangle[j, j] + triangle[j, j + 1] * triangle[j, j + 1])
        c, s = triangle[j, j] / length, triangle[j, j + 1] / length
        triangle[j, j] = length
        for k in range(j + 1, last):
            first, second = triangle[k, j], triangle[k, j + 1]
            triangle[k, j], triangle[k, j + 1] = c * first + s * second, c * second - s * first
        first, second = components[j], components[j + 1]
        components[j], components[j + 1] = c * first + s * second, c * second - s * first
        here, following = spans[j], spans[j + 1]
        for i in range(here.size):
            first, second = here[i], following[i]
            here[i] = c * first + s * second
            following[i] = c * second - s * first
    state.number[0] = last
