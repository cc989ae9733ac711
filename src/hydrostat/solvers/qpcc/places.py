"""Where a point of a program lies: which pieces contain it, and how far it is from any."""

from __future__ import annotations

import numpy as np
from numba import njit

from hydrostat.solvers.pieces import PIECES
from hydrostat.solvers.qpcc.cells import NONE, ZERO, W


@njit(cache=True)
def distances(table, exists, clearance, impulses, velocities):  # type: ignore[no-untyped-def]
    """The largest violation of every piece by scaled impulses and velocities (3c,): (c, 18), inf if there is none."""
    count = clearance.size
    result = np.full((count, PIECES), np.inf)
    for i in range(count):
        for piece in range(PIECES):
            if exists[i, piece]:
                result[i, piece] = _distance(table, i, piece, clearance, impulses, velocities)
    return result


@njit(cache=True)
def nearest(table, exists, cells, clearance, impulses, velocities):  # type: ignore[no-untyped-def]
    """Of the pieces inside the cell of every contact the nearest one, and how far it is: (c,) and (c,)."""
    pieces, away = np.zeros(clearance.size, dtype=np.int64), np.full(clearance.size, np.inf)
    for i in range(clearance.size):
        for piece in range(PIECES):
            if exists[i, piece] and _inside(table.parents[i], piece, cells[i]):
                distance = _distance(table, i, piece, clearance, impulses, velocities)
                if distance < away[i]:
                    pieces[i], away[i] = piece, distance
    return pieces, away


@njit(cache=True)
def _inside(parents, cell, whole):  # type: ignore[no-untyped-def]
    """Whether a cell is another one or a part of it."""
    while cell >= 0 and cell != whole:
        cell = parents[cell]
    return cell == whole


@njit(cache=True)
def _distance(table, i, piece, clearance, impulses, velocities):  # type: ignore[no-untyped-def]
    worst = 0.0
    for position in range(table.kinds.shape[2]):
        kind = table.kinds[i, piece, position]
        if kind == NONE:
            break
        row = table.members[i, piece, position]
        value = clearance[i] if row == W else 0.0
        for axis in range(3):
            value += table.rows[i, row, axis] * impulses[3 * i + axis]
            value += table.rows[i, row, 3 + axis] * velocities[3 * i + axis]
        worst = max(worst, abs(value) if kind == ZERO else -kind * value)
    return worst
