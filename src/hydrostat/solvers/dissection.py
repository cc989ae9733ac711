"""Symmetric positive definite systems of large meshes: multifrontal Cholesky over nested dissection.

Cut the nodes in two halves by a plane; the nodes of one half that touch the other separate them. Eliminate each half
by the same rule, the separator last. What is left of a half is a small dense matrix on the separators around it, its
update, which the parent adds to its own front:

    front = [D  ·]   own nodes           D = L Lᵀ,   E ← E L⁻ᵀ,   U ← U − E Eᵀ  (goes to the parent)
            [E  U]   separators around

All work is dense BLAS, and fill stays near the least possible for a mesh. `solvers.linear` is quicker for thin bodies
that are factored anew in every step; this one is for many thousands of nodes, factored once.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit
from scipy.linalg import blas, lapack
from scipy.sparse import csc_array

from hydrostat.arrays import Floats, Ints
from hydrostat.errors import StepError

# Pieces of fewer nodes are not cut further.
LEAF = 64


@dataclass(frozen=True)
class Front:
    """A piece of the elimination: rows ``first`` to ``last`` of the reordered system, and those left to update.

    rest: (r,) later rows that it touches. children: numbers of the fronts whose updates it takes.
    """

    first: int
    last: int
    rest: Ints
    children: tuple[int, ...]


class SparseCholesky:
    """The Cholesky factor of ``matrix`` (d n, d n), whose d rows a node follow each other, n nodes at ``points``.

    Raises StepError where the matrix is not positive definite.
    """

    def __init__(self, matrix: csc_array, points: Floats) -> None:
        per_node = matrix.shape[0] // len(points)
        pieces, order = _dissect(points, *_edges(matrix, per_node))
        self._order = (per_node * order[:, None] + np.arange(per_node)).ravel()
        turned = matrix[self._order][:, self._order].tocsc()
        turned.sort_indices()
        self._fronts = _fronts(pieces, turned, per_node)
        self._diagonal: list[Floats] = []
        self._below: list[Floats] = []
        self._factor(turned)

    def solve(self, right: Floats) -> Floats:
        """matrix⁻¹ ``right`` (d n, k)."""
        x = np.ascontiguousarray(right[self._order])
        for front, diagonal, below in zip(self._fronts, self._diagonal, self._below, strict=True):
            own = x[front.first : front.last]
            # own = L⁻¹ own, written for columns in memory: ownᵀ ← ownᵀ L⁻ᵀ
            own[:] = blas.dtrsm(1.0, diagonal, own.T, side=1, lower=1, trans_a=1).T
            x[front.rest] -= below @ own
        for front, diagonal, below in zip(self._fronts[::-1], self._diagonal[::-1], self._below[::-1], strict=True):
            own = x[front.first : front.last]
            own -= below.T @ x[front.rest]
            own[:] = blas.dtrsm(1.0, diagonal, own.T, side=1, lower=1).T
        answer = np.empty_like(x)
        answer[self._order] = x
        return answer

    def _factor(self, matrix: csc_array) -> None:
        updates: dict[int, Floats] = {}
        place = np.empty(matrix.shape[0], dtype=np.int64)
        for number, front in enumerate(self._fronts):
            own, rest = front.last - front.first, len(front.rest)
            place[front.first : front.last] = np.arange(own)
            place[front.rest] = own + np.arange(rest)
            diagonal, below, update = (np.zeros(shape, order="F") for shape in ((own, own), (rest, own), (rest, rest)))
            _add_matrix(matrix.indptr, matrix.indices, matrix.data, front.first, place, diagonal, below)
            for child in front.children:
                _add_update(updates.pop(child), place[self._fronts[child].rest], diagonal, below, update)
            _, info = lapack.dpotrf(diagonal, lower=1, clean=0, overwrite_a=1)
            if info:
                raise StepError("the matrix is not positive definite; the mesh or its material is unsound")
            if rest:
                blas.dtrsm(1.0, diagonal, below, side=1, lower=1, trans_a=1, overwrite_b=1)
                blas.dsyrk(-1.0, below, beta=1.0, c=update, lower=1, overwrite_c=1)
                updates[number] = update
            self._diagonal.append(diagonal)
            self._below.append(below)


def _edges(matrix: csc_array, per_node: int) -> tuple[Ints, Ints]:
    """The two nodes of every pair that ``matrix`` couples, in both directions, even where it holds one of them only.

    Sums that cancel are stored on one side of the diagonal and not on the other, as rounding has it.
    """
    entries = matrix.tocoo()
    i, j = entries.row.astype(np.int64) // per_node, entries.col // per_node
    pairs = np.unique(np.minimum(i, j) * matrix.shape[0] + np.maximum(i, j))
    low, high = np.divmod(pairs[pairs % (matrix.shape[0] + 1) != 0], matrix.shape[0])
    return np.concatenate([low, high]), np.concatenate([high, low])


def _dissect(points: Floats, starts: Ints, ends: Ints) -> tuple[list[tuple[int, tuple[int, ...]]], Ints]:
    """(number of nodes, children) of every piece, children first, and the nodes in the order of the pieces.

    starts, ends: the two nodes of every edge, in both directions.
    """
    pieces: list[tuple[int, tuple[int, ...]]] = []
    order: list[Ints] = []

    def close(nodes: Ints, children: tuple[int, ...]) -> tuple[int, ...]:
        pieces.append((len(nodes), children))
        order.append(nodes)
        return (len(pieces) - 1,)

    def visit(nodes: Ints, starts: Ints, ends: Ints) -> tuple[int, ...]:
        if len(nodes) <= LEAF:
            return close(nodes, ())
        sides = _cut(points[nodes], starts, ends)
        children: tuple[int, ...] = ()
        for side in (0, 1):
            inside = sides == side
            if inside.any():
                renumbered = np.cumsum(inside) - 1
                kept = inside[starts] & inside[ends]
                children += visit(nodes[inside], renumbered[starts[kept]], renumbered[ends[kept]])
        separator = nodes[sides == 2]
        return close(separator, children) if len(separator) else children

    visit(np.arange(len(points)), starts, ends)
    return pieces, np.concatenate(order)


def _cut(points: Floats, starts: Ints, ends: Ints) -> Ints:
    """Side of every node: 0 and 1 for two halves, 2 for the separator, the smallest of those across the three axes."""
    best = np.empty(0, dtype=np.int64)
    for axis in range(3):
        half = np.zeros(len(points), dtype=np.int64)
        half[np.argsort(points[:, axis], kind="stable")[len(points) // 2 :]] = 1
        crossing = half[starts] < half[ends]
        for touching in (starts[crossing], ends[crossing]):
            sides = half.copy()
            sides[touching] = 2
            if not len(best) or np.count_nonzero(sides == 2) < np.count_nonzero(best == 2):
                best = sides
    return best


def _fronts(pieces: list[tuple[int, tuple[int, ...]]], matrix: csc_array, per_node: int) -> list[Front]:
    """Which rows every piece owns and touches."""
    fronts: list[Front] = []
    first = 0
    for count, children in pieces:
        last = first + per_node * count
        touched = [matrix.indices[matrix.indptr[first] : matrix.indptr[last]], *(fronts[c].rest for c in children)]
        rest = np.unique(np.concatenate(touched)).astype(np.int64)
        fronts.append(Front(first, last, rest[rest >= last], children))
        first = last
    return fronts


@njit(cache=True)
def _add_matrix(starts, rows, entries, first, place, diagonal, below):  # type: ignore[no-untyped-def]
    """Add the columns of a front, from its first row on, to its blocks."""
    own = diagonal.shape[0]
    for column in range(own):
        for entry in range(starts[first + column], starts[first + column + 1]):
            if rows[entry] >= first:
                row = place[rows[entry]]
                if row < own:
                    diagonal[row, column] += entries[entry]
                else:
                    below[row - own, column] += entries[entry]


@njit(cache=True)
def _add_update(child, rows, diagonal, below, update):  # type: ignore[no-untyped-def]
    """Add the lower triangle of a child's update, whose rows are ``rows`` of this front, to its blocks."""
    own = diagonal.shape[0]
    for j in range(len(rows)):
        column = rows[j]
        for i in range(j, len(rows)):
            row = rows[i]
            if row < own:
                diagonal[row, column] += child[i, j]
            elif column < own:
                below[row - own, column] += child[i, j]
            else:
                update[row - own, column - own] += child[i, j]
