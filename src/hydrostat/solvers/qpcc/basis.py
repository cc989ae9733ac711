"""The state of an active-set method: a point, and an orthonormal basis whose first vectors span the active normals."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from hydrostat.arrays import Bools, Floats, Ints

# Reordering sums lets the compiler use vector instructions; infinities keep their meaning.
FAST = {"reassoc", "contract", "nsz"}


class State(NamedTuple):
    """A point x with its active constraints normals[j]·x ≥ bounds[j], j < number[0], in a basis of n unit vectors.

    All rows of all programs are combinations of b base rows, m of the box and then six for every contact, so that what
    is known of x and of the basis are their products with those: the vectors themselves are never needed.

    place: (b,) base x. spans: (n, b + 1) every vector of the basis times the base rows, and times x. The first
    ``number[0]`` vectors span the active normals: normals[j] = Σ_l triangle[j, l] (vector l), with triangle (n, n)
    lower triangular. names: (n,) which constraint it is. signs: (n,) +1 at a lower bound, -1 at an upper one. fixed:
    (n,) whether it is an equation, which may have any multiplier. Entries from ``number[0]`` on mean nothing. open_box:
    (m,) squares of what the active normals leave of the box's rows, open_contacts: (c, 6, 6) products of what they
    leave of every contact's rows. ray: (n,) after INFEASIBLE the multipliers of the active constraints that cancel the
    one that could not enter, entering: (2,) its name and sign.
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
    open_box: Floats
    open_contacts: Floats
    ray: Floats
    entering: Ints


def empty_state(base: Floats, contacts: int) -> State:
    """x = 0 with no active constraint, for base rows (b, n), the last 6 · ``contacts`` of them rows of contacts."""
    count, size = base.shape
    box = count - 6 * contacts
    touch = base[box:].reshape(contacts, 6, size)
    return State(
        np.zeros(count),
        np.ascontiguousarray(np.concatenate([base.T, np.zeros((size, 1))], axis=1)),
        np.zeros((size, size)),
        np.zeros(size, dtype=np.int64),
        np.zeros(size),
        np.zeros(size),
        np.zeros(size, dtype=np.bool_),
        np.zeros(size),
        np.zeros(1, dtype=np.int64),
        np.square(base[:box]).sum(axis=1),
        touch @ touch.transpose(0, 2, 1),
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
        state.open_box.copy(),
        state.open_contacts.copy(),
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


@njit(cache=True, fastmath=FAST)
def dot(a, b):  # type: ignore[no-untyped-def]
    """a·b."""
    total = 0.0
    for i in range(a.size):
        total += a[i] * b[i]
    return total


@njit(cache=True, fastmath=FAST)
def add_scaled(target, direction, factor):  # type: ignore[no-untyped-def]
    """target += factor · direction, in place, as far as the target reaches."""
    for i in range(target.size):
        target[i] += factor * direction[i]


@njit(cache=True, fastmath=FAST)
def back_substitute(triangle, right, result, count):  # type: ignore[no-untyped-def]
    """Write the shares of ``count`` active normals in a vector with components ``right`` to ``result``."""
    for j in range(count):
        result[j] = right[j]
    for j in range(count - 1, -1, -1):
        row = triangle[j]
        share = result[j] / row[j]
        result[j] = share
        for i in range(j):
            result[i] -= row[i] * share


@njit(cache=True, fastmath=FAST)
def rest_of(state, components, rest):  # type: ignore[no-untyped-def]
    """Write what the active normals leave of a vector with these ``components``, times base rows and x, to ``rest``."""
    spans = state.spans
    rest[:] = 0.0
    for j in range(state.number[0], components.size):
        factor = components[j]
        for i in range(rest.size):
            rest[i] += factor * spans[j, i]


@njit(cache=True, fastmath=FAST)
def widen(state, components, rest):  # type: ignore[no-untyped-def]
    """Add the direction that was opened last to the ``rest`` of a vector; returns the square of what came in."""
    opened = state.number[0]
    factor = components[opened]
    for i in range(rest.size):
        rest[i] += factor * state.spans[opened, i]
    return factor * factor


@njit(cache=True, fastmath=FAST)
def move(state, components, rest, step, open_square):  # type: ignore[no-untyped-def]
    """x += step · ``rest``, a vector with these open ``components``."""
    base = state.place.size
    for i in range(base):
        state.place[i] += step * rest[i]
    for j in range(state.number[0], components.size):
        state.spans[j, base] += step * components[j]
    rest[base] += step * open_square


@njit(cache=True, fastmath=FAST)
def append(state, components, rest, open_square):  # type: ignore[no-untyped-def]
    """Make the normal with these ``components`` and this ``rest`` active, by one reflection of the open directions."""
    count, spans = state.number[0], state.spans
    length = np.sqrt(open_square)
    alpha = -length if components[count] > 0.0 else length
    mirrored = components[count] - alpha
    half = -alpha * mirrored  # half the square of the mirror, rest - alpha (vector count)
    if half > 0.0:
        for i in range(rest.size):
            rest[i] = (rest[i] - alpha * spans[count, i]) / half
        for j in range(count, components.size):
            factor = mirrored if j == count else components[j]
            for i in range(rest.size):
                spans[j, i] -= factor * rest[i]
    for j in range(count):
        state.triangle[count, j] = components[j]
    state.triangle[count, count] = alpha
    _add_open(state, count, -1.0)
    state.number[0] = count + 1


@njit(cache=True, fastmath=FAST)
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
    _add_open(state, last, 1.0)


@njit(cache=True, fastmath=FAST)
def _add_open(state, position, factor):  # type: ignore[no-untyped-def]
    """Count a vector of the basis into what is open, or out of it."""
    spans, box = state.spans, state.open_box.size
    for i in range(box):
        state.open_box[i] += factor * spans[position, i] * spans[position, i]
    for i in range(state.open_contacts.shape[0]):
        start = box + 6 * i
        for a in range(6):
            own = factor * spans[position, start + a]
            for b in range(6):
                state.open_contacts[i, a, b] += own * spans[position, start + b]
