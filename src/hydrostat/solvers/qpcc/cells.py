"""Cells: sets that the state of a contact may be in, from a single piece to every piece at once.

The state of a contact is its impulse p and its velocity w, in scaled units; every piece of `solvers.pieces` is a
polyhedral cone in it once w_n + clearance takes the place of w_n. The convex hull of a union of such cones is their
sum, and here the sums have few facets:

    ANY        p in the friction cone, w_n + clearance ≥ 0
    TOUCHING   p in the friction cone, w_n + clearance = 0
    GROUP + g  touching and sliding at corners 2g and 2g + 1 of the polygon (counted along it) or on the edges after
               them: p in the cone of these corners and the next one, -w_t between the normals of the edges around

Numbers below 18 are the pieces themselves. A cell is a list of rows that are zero or have a sign.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from hydrostat.arrays import Floats, Ints
from hydrostat.solvers.friction import FrictionPolygons
from hydrostat.solvers.pieces import FREE, SLIDE_ALONG, SLIDE_BETWEEN, STICK

ANY, TOUCHING, GROUP, CELLS = 18, 19, 20, 24
# Rows of a contact, as linear functions of (p, w): components, then what belongs to corner or edge k.
P, W, ALONG_EDGE, INTO_EDGE, LINE, AT_CORNER, FROM_START, FROM_END, CHORD, ROWS = 0, 3, 6, 14, 22, 30, 46, 54, 62, 66
ZERO, POSITIVE, NEGATIVE, NONE = 0, 1, -1, 2
_LONGEST = 12
_FEWEST_GROUPED = 4


class CellTable(NamedTuple):
    """The cells of c contacts.

    rows: (c, ROWS, 6) coefficients of p and w. members: (c, CELLS, 12) row numbers and kinds: (c, CELLS, 12) ZERO,
    POSITIVE or NEGATIVE, or NONE past the last. children: (c, CELLS, 17) the cells that a cell splits into, -1 past
    the last; none for pieces. parents: (c, CELLS) the cell that a cell is part of, -1 for ANY.
    """

    rows: Floats
    members: Ints
    kinds: Ints
    children: Ints
    parents: Ints
    bounded: Ints


def cell_table(polygons: FrictionPolygons) -> CellTable:
    """The cells of contacts with these friction ``polygons``."""
    count = len(polygons.corners)
    table = CellTable(
        np.zeros((count, ROWS, 6)),
        np.zeros((count, CELLS, _LONGEST), dtype=np.int64),
        np.full((count, CELLS, _LONGEST), NONE),
        np.full((count, CELLS, 17), -1),
        np.full((count, CELLS), -1),
        np.full((count, CELLS, ROWS), NONE),
    )
    _fill(polygons, table)
    return table


@njit(cache=True)
def _fill(polygons, table):  # type: ignore[no-untyped-def]
    for i in range(polygons.corners.shape[0]):
        corners, successors = polygons.corners[i], polygons.successors[i]
        edges, offsets = polygons.edges[i], polygons.offsets[i]
        members, kinds, children = table.members[i], table.kinds[i], table.children[i]
        around = _around(successors)
        _rows(table.rows[i], corners, successors, edges, offsets, around)
        for component in range(3):
            _add(members[FREE], kinds[FREE], P + component, ZERO)
        for cell, kind in ((FREE, POSITIVE), (ANY, POSITIVE), (STICK, ZERO), (TOUCHING, ZERO)):
            _add(members[cell], kinds[cell], W, kind)
        _add(members[STICK], kinds[STICK], W + 1, ZERO)
        _add(members[STICK], kinds[STICK], W + 2, ZERO)
        for cell in (ANY, STICK, TOUCHING):
            _cone(members[cell], kinds[cell], around)
        for position in range(around.size):
            k, before = around[position], around[position - 1]
            _slides(members, kinds, k, before, around.size)
        _split(members, kinds, children, edges, around)
        for cell in range(CELLS):
            for child in children[cell]:
                if child >= 0:
                    table.parents[i, child] = cell
        for step in range(CELLS):
            _bound(members, kinds, table.parents[i], table.bounded[i], (ANY + step) % CELLS)


@njit(cache=True)
def _bound(members, kinds, parents, bounded, cell):  # type: ignore[no-untyped-def]
    """How the rows are bounded in a cell, once that is known of the cell that it is part of."""
    if parents[cell] >= 0:
        bounded[cell] = bounded[parents[cell]]
    for position in range(_LONGEST):
        if kinds[cell, position] == NONE:
            break
        bounded[cell, members[cell, position]] = kinds[cell, position]


@njit(cache=True)
def _around(successors):  # type: ignore[no-untyped-def]
    """The corners in order along the polygon."""
    start = 0
    while successors[start] < 0:
        start += 1
    around = np.full(8, -1)
    count, k = 0, start
    while True:
        around[count] = k
        count += 1
        k = successors[k]
        if k == start:
            return around[:count]


@njit(cache=True)
def _rows(rows, corners, successors, edges, offsets, around):  # type: ignore[no-untyped-def]
    for component in range(6):
        rows[component, component] = 1.0
    for k in around:
        x, y = edges[k]
        start, end = corners[k], corners[successors[k]]
        rows[ALONG_EDGE + k, 4], rows[ALONG_EDGE + k, 5] = x, y
        rows[INTO_EDGE + k, 4], rows[INTO_EDGE + k, 5] = -y, x
        rows[LINE + k, 0], rows[LINE + k, 1], rows[LINE + k, 2] = offsets[k], -y, x
        for axis in range(2):
            rows[AT_CORNER + 2 * k + axis, 0] = -start[axis]
            rows[AT_CORNER + 2 * k + axis, 1 + axis] = 1.0
        row = FROM_START + k
        rows[row, 0], rows[row, 1], rows[row, 2] = -(x * start[0] + y * start[1]), x, y
        row = FROM_END + k
        rows[row, 0], rows[row, 1], rows[row, 2] = x * end[0] + y * end[1], -x, -y
    if around.size >= _FEWEST_GROUPED:
        for group in range((around.size + 1) // 2):
            start = corners[around[2 * group]]
            end = corners[around[(2 * group + 2) % around.size]]
            x, y = end[0] - start[0], end[1] - start[1]
            length = np.hypot(x, y)
            if length > 0.0:  # outside of the chord
                x, y = x / length, y / length
                row = CHORD + group
                rows[row, 0], rows[row, 1], rows[row, 2] = -(y * start[0] - x * start[1]), y, -x


@njit(cache=True)
def _add(members, kinds, row, kind):  # type: ignore[no-untyped-def]
    position = 0
    while kinds[position] != NONE:
        position += 1
    members[position], kinds[position] = row, kind


@njit(cache=True)
def _cone(members, kinds, around):  # type: ignore[no-untyped-def]
    """p in the friction cone."""
    if around.size == 1:
        _add(members, kinds, P + 1, ZERO)
        _add(members, kinds, P + 2, ZERO)
    elif around.size == 2:
        _add(members, kinds, LINE + around[0], ZERO)
        _add(members, kinds, FROM_START + around[0], POSITIVE)
        _add(members, kinds, FROM_END + around[0], POSITIVE)
    else:
        for k in around:
            _add(members, kinds, LINE + k, POSITIVE)
    _add(members, kinds, P, POSITIVE)


@njit(cache=True)
def _slides(members, kinds, k, before, count):  # type: ignore[no-untyped-def]
    """The two pieces of corner ``k``: along its direction, and between it and the next one."""
    cell = SLIDE_ALONG + k
    _add(members[cell], kinds[cell], W, ZERO)
    _add(members[cell], kinds[cell], AT_CORNER + 2 * k, ZERO)
    _add(members[cell], kinds[cell], AT_CORNER + 2 * k + 1, ZERO)
    _add(members[cell], kinds[cell], P, POSITIVE)
    if count == 1:
        return
    _add(members[cell], kinds[cell], ALONG_EDGE + k, POSITIVE)
    _add(members[cell], kinds[cell], ALONG_EDGE + before, NEGATIVE)
    cell = SLIDE_BETWEEN + k
    _add(members[cell], kinds[cell], W, ZERO)
    _add(members[cell], kinds[cell], ALONG_EDGE + k, ZERO)
    _add(members[cell], kinds[cell], LINE + k, ZERO)
    _add(members[cell], kinds[cell], INTO_EDGE + k, POSITIVE)
    _add(members[cell], kinds[cell], FROM_START + k, POSITIVE)
    _add(members[cell], kinds[cell], FROM_END + k, POSITIVE)


@njit(cache=True)
def _split(members, kinds, children, edges, around):  # type: ignore[no-untyped-def]
    """Children of every cell that has some, and the groups themselves."""
    children[ANY, 0], children[ANY, 1] = FREE, TOUCHING
    children[TOUCHING, 0] = STICK
    grouped = around.size >= _FEWEST_GROUPED
    for position in range(around.size):
        group = position // 2
        cell = GROUP + group if grouped else TOUCHING
        slot = 0
        while children[cell, slot] >= 0:
            slot += 1
        children[cell, slot] = SLIDE_ALONG + around[position]
        if around.size > 1:
            children[cell, slot + 1] = SLIDE_BETWEEN + around[position]
    if not grouped:
        return
    for group in range((around.size + 1) // 2):
        cell = GROUP + group
        children[TOUCHING, 1 + group] = cell
        first = 2 * group
        last = min(first + 1, around.size - 1)
        before = around[first - 1]
        _add(members[cell], kinds[cell], W, ZERO)
        for position in range(first, last + 1):
            _add(members[cell], kinds[cell], LINE + around[position], POSITIVE if last > first else ZERO)
        if last > first:
            _add(members[cell], kinds[cell], CHORD + group, POSITIVE)
        else:
            _add(members[cell], kinds[cell], FROM_START + around[first], POSITIVE)
            _add(members[cell], kinds[cell], FROM_END + around[first], POSITIVE)
        ahead, behind = edges[around[last]], edges[before]
        if behind[0] * ahead[1] - behind[1] * ahead[0] > 0.0:  # else the normals span half a turn and more
            _add(members[cell], kinds[cell], ALONG_EDGE + around[last], POSITIVE)
            _add(members[cell], kinds[cell], ALONG_EDGE + before, NEGATIVE)
