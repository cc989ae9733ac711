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


class State(NamedTuple):
    """A point x with its active constraints normals[j]·x ≥ bounds[j], j < count[0], in a basis of n unit vectors.

    basis: (n, n) orthonormal rows; the first ``count`` span the active normals: normals[j] = Σ_l triangle[l, j]
    basis[l], with triangle (n, n) upper triangular. names: (n,) which constraint it is. signs: (n,) +1 at a lower
    bound, -1 at an upper one. fixed: (n,) whether it is an equation, which may have any multiplier. Entries from
    ``count`` on mean nothing. ray: (n,) after INFEASIBLE the multipliers of the active constraints that cancel the
    one that could not enter, entering: (2,) its name and sign.
    """

    x: Floats
    basis: Floats
    triangle: Floats
    names: Ints
    signs: Floats
    bounds: Floats
    fixed: Bools
    multipliers: Floats
    count: Ints
    ray: Floats
    entering: Ints


def empty_state(size: int) -> State:
    """x = 0 with no active constraint."""
    return State(
        np.zeros(size),
        np.eye(size),
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
    return State(*(array.copy() for array in state))


@njit(cache=True, fastmath=_FAST)
def dot(a, b):  # type: ignore[no-untyped-def]
    """a·b."""
    total = 0.0
    for i in range(a.size):
        total += a[i] * b[i]
    return total


@njit(cache=True)
def minimise(rows, lower, upper, names, state, tolerance, cutoff, limit):  # type: ignore[no-untyped-def]
    """Move ``state`` to the minimiser of ½ x·x with lower ≤ rows x ≤ upper, rows (r, n) of unit length.

    The active constraints of ``state`` must hold in the program too. names: (r,) the constraints. tolerance: of
    rows x. Returns why it ended (CUT_OFF: ½ x·x exceeds ``cutoff``) and the constraints that entered.
    """
    x, multipliers, fixed = state.x, state.multipliers, state.fixed
    n = x.size
    active = np.zeros(names.max() + 1 if names.size else 1, dtype=np.bool_)
    for j in range(state.count[0]):
        if state.names[j] < active.size:
            active[state.names[j]] = True
    normal, components, shares = np.empty(n), np.empty(n), np.empty(n)
    for entered in range(limit):
        if 0.5 * dot(x, x) > cutoff:
            return CUT_OFF, entered
        row, sign, bound = _most_violated(rows, lower, upper, names, active, x, tolerance)
        if row < 0:
            return OPTIMAL, entered
        for i in range(n):
            normal[i] = sign * rows[row, i]
        own = 0.0
        while True:
            count = state.count[0]
            for i in range(n):
                components[i] = dot(state.basis[i], normal)
            _back_substitute(state.triangle, components, shares, count)
            open_square = dot(components[count:], components[count:])
            full = np.inf
            if open_square > _DEPENDENT * _DEPENDENT:
                full = max(bound - dot(normal, x), 0.0) / open_square
            step, leaving = full, -1
            for j in range(count):
                if not fixed[j] and shares[j] > 0.0 and multipliers[j] < step * shares[j]:
                    step, leaving = multipliers[j] / shares[j], j
            if step == np.inf:
                for j in range(count):
                    state.ray[j] = -shares[j]
                state.entering[0], state.entering[1] = names[row], int(sign)
                return INFEASIBLE, entered
            for j in range(count):
                multipliers[j] -= step * shares[j]
            own += step
            if full < np.inf:
                for j in range(count, n):
                    for i in range(n):
                        x[i] += step * components[j] * state.basis[j, i]
            if leaving < 0:
                break
            if state.names[leaving] < active.size:
                active[state.names[leaving]] = False
            drop(state, leaving)
        count = state.count[0]
        _append(state, components)
        state.names[count], state.signs[count], state.bounds[count] = names[row], sign, bound
        fixed[count] = lower[row] == upper[row]
        multipliers[count] = own
        active[names[row]] = True
    return STUCK, limit


@njit(cache=True)
def _most_violated(rows, lower, upper, names, active, x, tolerance):  # type: ignore[no-untyped-def]
    worst, best, sign, bound = tolerance, -1, 1.0, 0.0
    for row in range(names.size):
        if active[names[row]]:
            continue
        value = dot(rows[row], x)
        if lower[row] - value > worst:
            worst, best, sign, bound = lower[row] - value, row, 1.0, lower[row]
        if value - upper[row] > worst:
            worst, best, sign, bound = value - upper[row], row, -1.0, -upper[row]
    return best, sign, bound


@njit(cache=True)
def _back_substitute(triangle, right, result, count):  # type: ignore[no-untyped-def]
    for j in range(count):
        result[j] = right[j]
    for j in range(count - 1, -1, -1):
        result[j] /= triangle[j, j]
        for i in range(j):
            result[i] -= triangle[i, j] * result[j]


@njit(cache=True, fastmath=_FAST)
def _append(state, components):  # type: ignore[no-untyped-def]
    """Make the normal with these ``components`` in the basis active, by one reflection of the open directions."""
    count, n = state.count[0], components.size
    length = np.sqrt(dot(components[count:], components[count:]))
    alpha = -length if components[count] > 0.0 else length
    mirror = components[count:].copy()
    mirror[0] -= alpha
    square = dot(mirror, mirror)
    if square > 0.0:
        sums = np.zeros(n)
        for j in range(mirror.size):
            factor = mirror[j]
            for i in range(n):
                sums[i] += factor * state.basis[count + j, i]
        for j in range(mirror.size):
            factor = 2.0 * mirror[j] / square
            for i in range(n):
                state.basis[count + j, i] -= factor * sums[i]
    for j in range(count):
        state.triangle[j, count] = components[j]
    state.triangle[count, count] = alpha
    state.count[0] = count + 1


@njit(cache=True, fastmath=_FAST)
def drop(state, leaving):  # type: ignore[no-untyped-def]
    """Take active constraint number ``leaving`` out; x and the other multipliers stay."""
    triangle, basis = state.triangle, state.basis
    last = state.count[0] - 1
    for j in range(leaving, last):
        for i in range(j + 2):
            triangle[i, j] = triangle[i, j + 1]
        state.names[j], state.signs[j] = state.names[j + 1], state.signs[j + 1]
        state.bounds[j], state.fixed[j] = state.bounds[j + 1], state.fixed[j + 1]
        state.multipliers[j] = state.multipliers[j + 1]
    for j in range(leaving, last):
        length = np.hypot(triangle[j, j], triangle[j + 1, j])
        c, s = triangle[j, j] / length, triangle[j + 1, j] / length
        triangle[j, j] = length
        for k in range(j + 1, last):
            upper, below = triangle[j, k], triangle[j + 1, k]
            triangle[j, k], triangle[j + 1, k] = c * upper + s * below, c * below - s * upper
        for i in range(basis.shape[1]):
            upper, below = basis[j, i], basis[j + 1, i]
            basis[j, i], basis[j + 1, i] = c * upper + s * below, c * below - s * upper
    state.count[0] = last
