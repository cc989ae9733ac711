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

    All rows of all programs are combinations of b base rows, so that what is known of x and of the basis are their
    products with those: the vectors themselves are never needed.

    place: (b,) base x. spans: (n, b + 1) every vector of the basis times the base rows, and times x. The first
    ``number[0]`` vectors span the active normals: normals[j] = Σ_l triangle[j, l] (vector l), with triangle (n, n)
    lower triangular. names: (n,) which constraint it is. signs: (n,) +1 at a lower bound, -1 at an upper one. fixed:
    (n,) whether it is an equation, which may have any multiplier. Entries from ``number[0]`` on mean nothing. ray: (n,)
    after INFEASIBLE the multipliers of the active constraints that cancel the one that could not enter, entering: (2,)
    its name and sign.
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


def empty_state(base: Floats) -> State:
    """x = 0 with no active constraint, for base rows (b, n)."""
    count, size = base.shape
    return State(
        np.zeros(count),
        np.concatenate([base.T, np.zeros((size, 1))], axis=1),
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


@njit(cache=True)
def copied(state):  # type: ignore[no-untyped-def]
    """A state that can move on its own."""
    triangle = np.empty_like(state.triangle)
    for j in range(state.number[0]):
        for i in range(j + 1):
            triangle[j, i] = state.triangle[j, i]
    return State(
        state.place.copy(),
        state.spans.copy(),
        triangle,
        state.names.copy(),
        state.signs.copy(),
        state.bounds.copy(),
        state.fixed.copy(),
        state.multipliers.copy(),
        state.number.copy(),
        state.ray.copy(),
        state.entering.copy(),
    )


@njit(cache=True)
def value_of(state):  # type: ignore[no-untyped-def]
    """½ x·x."""
    total, last = 0.0, state.spans.shape[1] - 1
    for j in range(state.spans.shape[0]):
        total += state.spans[j, last] * state.spans[j, last]
    return 0.5 * total


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

    The active constraints of ``state`` must hold in the program too. tolerance: of a row's value. Returns why it ended;
    CUT_OFF: ½ x·x exceeds ``cutoff``; STUCK: more than ``limit`` constraints entered.
    """
    lower, upper, names = program.lower, program.upper, program.names
    multipliers, fixed, count = state.multipliers, state.fixed, state.number
    spans = state.spans
    n, base = multipliers.size, state.place.size
    open_squares = np.zeros(base)
    for j in range(count[0], n):
        _add_squares(open_squares, spans[j], 1.0)
    active = _active(names, state)
    components, shares = np.empty(n), np.empty(n)
    for _ in range(limit):
        if value_of(state) > cutoff:
            return CUT_OFF
        row, sign, bound = _most_gainful(program, state, active, open_squares, tolerance)
        if row < 0:
            return OPTIMAL
        violation = _components(program, row, sign, state, components) - bound
        own = 0.0
        while True:
            _back_substitute(state.triangle, components, shares, count[0])
            open_square = dot(components[count[0] :], components[count[0] :])
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
                state.entering[0], state.entering[1] = names[row], int(sign)
                return INFEASIBLE
            for j in range(count[0]):
                multipliers[j] -= step * shares[j]
            own += step
            if full < np.inf:
                _move(state, components, step)
                violation += step * open_square
            if leaving < 0:
                break
            if state.names[leaving] < active.size:
                active[state.names[leaving]] = False
            drop(state, leaving, components)
            _add_squares(open_squares, spans[count[0]], 1.0)
        _append(state, components)
        last = count[0] - 1
        _add_squares(open_squares, spans[last], -1.0)
        state.names[last], state.signs[last], state.bounds[last] = names[row], sign, bound
        fixed[last] = lower[row] == upper[row]
        multipliers[last] = own
        active[names[row]] = True
    return STUCK


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
        drop(state, position, components)
        while True:
            _back_substitute(state.triangle, components, shares, count[0])
            step, leaving = own, -1
            for j in range(count[0]):
                if not fixed[j] and shares[j] < 0.0 and multipliers[j] < -step * shares[j]:
                    step, leaving = -multipliers[j] / shares[j], j
            for j in range(count[0]):
                multipliers[j] += step * shares[j]
            own -= step
            _move(state, components, -step)
            if leaving < 0:
                break
            drop(state, leaving, components)


@njit(cache=True, fastmath=_FAST)
def _components(program, row, sign, state, components):  # type: ignore[no-untyped-def]
    """Write ``sign`` times a row of the program in the basis to ``components`` (n,); returns its product with x."""
    base = state.place.size
    if row < base:
        for j in range(components.size):
            components[j] = sign * state.spans[j, row]
        return sign * state.place[row]
    sources, factors = program.sources[row - base], program.factors[row - base]
    for j in range(components.size):
        components[j] = 0.0
        for part in range(6):
            components[j] += sign * factors[part] * state.spans[j, sources[part]]
    value = 0.0
    for part in range(6):
        value += sign * factors[part] * state.place[sources[part]]
    return value


@njit(cache=True, fastmath=_FAST)
def _move(state, components, step):  # type: ignore[no-untyped-def]
    """x += step · the part of a vector with these ``components`` that the active normals leave open."""
    base = state.place.size
    for j in range(state.number[0], components.size):
        if components[j] != 0.0:
            own = state.spans[j]
            add_scaled(state.place, own, step * components[j])
            own[base] += step * components[j]


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
    """target += factor · direction, in place, as far as the target reaches."""
    for i in range(target.size):
        target[i] += factor * direction[i]


@njit(cache=True, fastmath=_FAST)
def _add_squares(target, values, factor):  # type: ignore[no-untyped-def]
    for i in range(target.size):
        target[i] += factor * values[i] * values[i]


@njit(cache=True)
def _most_gainful(program, state, active, open_squares, tolerance):  # type: ignore[no-untyped-def]
    """The violated row whose entry alone would raise ½ x·x most: violation² / what the active rows leave of it.

    Returns the row, +1 where it is below its bounds and -1 where it is above, and that bound times this sign.
    """
    names, base = program.names, state.place.size
    most, best, sign, bound = 0.0, -1, 1.0, 0.0
    for row in range(names.size):
        if row < base:
            value = state.place[row]
        else:
            value = 0.0
            for part in range(6):
                value += program.factors[row - base, part] * state.place[program.sources[row - base, part]]
        below, above = program.lower[row] - value, value - program.upper[row]
        violation = max(below, above)
        if violation <= tolerance or active[names[row]]:
            continue
        open_square = open_squares[row] if row < base else _open_square(program, row - base, state)
        gain = violation * violation / max(open_square, _NO_ROOM)
        if gain > most:
            most, best = gain, row
            sign, bound = (1.0, program.lower[row]) if below >= above else (-1.0, -program.upper[row])
    return best, sign, bound


@njit(cache=True, fastmath=_FAST)
def _open_square(program, combination, state):  # type: ignore[no-untyped-def]
    """Square of what the active normals leave of a combination."""
    sources, factors = program.sources[combination], program.factors[combination]
    total = 0.0
    for j in range(state.number[0], state.spans.shape[0]):
        own = 0.0
        for part in range(6):
            own += factors[part] * state.spans[j, sources[part]]
        total += own * own
    return total


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
def _append(state, components):  # type: ignore[no-untyped-def]
    """Make the normal with these ``components`` in the basis active, by one reflection of the open directions."""
    count, spans = state.number[0], state.spans
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
def drop(state, leaving, components):  # type: ignore[no-untyped-def]
    """Take active constraint number ``leaving`` out; x and the other multipliers stay.

    components (n,) of some vector in the basis turn with it.
    """
    triangle, spans = state.triangle, state.spans
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
