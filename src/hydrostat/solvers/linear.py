"""Symmetric positive definite systems of a mesh: block-tridiagonal Cholesky over breadth-first levels.

Number the nodes of a mesh by their distance (in edges) from one end. A node then couples only to its own level and
the two beside it, so the matrix is block tridiagonal:

    D₀ E₁ᵀ                     and its Cholesky factor is bidiagonal:
    E₁ D₁ E₂ᵀ                      Lₖ Lₖᵀ = Dₖ − Gₖ Gₖᵀ      (Cholesky of a small dense block)
       E₂ D₂ …                     Gₖ₊₁ = Eₖ₊₁ Lₖ⁻ᵀ          (a triangular solve)

Limbs are thin, so levels are small, and all work is dense BLAS on blocks that fit into the cache: faster than a
banded factorisation, and several right-hand sides cost little more than one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import blas, lapack
from scipy.sparse import coo_array
from scipy.sparse.csgraph import breadth_first_order, connected_components

from hydrostat.arrays import Floats, Ints
from hydrostat.errors import StepError

# Levels are joined until they hold this many nodes: below it the calls cost more than the arithmetic.
SMALLEST_BLOCK = 12


@dataclass(frozen=True)
class BlockPattern:
    """Where every 3×3 node block of a mesh matrix lives in one flat buffer.

    order: (n,) nodes sorted by block. starts: (k+1,) first row (of 3n) of every block.
    diagonal, below: (k,) offsets of Dₖ and of Eₖ (column-major; below[0] is unused). size: length of the buffer.
    offsets, strides: (t, 4, 4) offset of the block (corner i, corner j) of element t and the distance between its
    columns; offset −1 marks a block above the diagonal, which is never stored.
    node_offsets, node_strides: (n,) the same for the diagonal block of every node.
    """

    order: Ints
    starts: Ints
    diagonal: Ints
    below: Ints
    size: int
    offsets: Ints
    strides: Ints
    node_offsets: Ints
    node_strides: Ints

    @property
    def gather(self) -> Ints:
        """Degree of freedom (node-major) at every row of the permuted system, (3n,)."""
        return (3 * self.order[:, None] + np.arange(3)).ravel()


def block_pattern(nodes: int, elements: Ints) -> BlockPattern:
    """The pattern of a matrix whose 3×3 blocks couple the corners of ``elements`` (t, c) over ``nodes`` nodes."""
    level = _levels(nodes, elements)
    order = np.lexsort((np.arange(nodes), level))
    counts = np.bincount(level)
    starts = 3 * np.concatenate([[0], np.cumsum(counts)])
    heights = np.diff(starts)
    sizes_below = np.concatenate([[0], heights[1:] * heights[:-1]])
    ends = np.cumsum(heights * heights + sizes_below)
    diagonal = ends - heights * heights
    below = diagonal - sizes_below

    row = np.empty(nodes, dtype=np.int64)  # first row of a node within its block
    row[order] = 3 * np.arange(nodes) - starts[level[order]]
    i, j = np.broadcast_arrays(elements[:, :, None], elements[:, None, :])
    same, under = level[i] == level[j], level[i] == level[j] + 1
    stride = heights[level[i]]
    offset = np.where(same, diagonal[level[i]], below[level[i]]) + row[i] + row[j] * stride
    stored = under | (same & (row[i] >= row[j]))
    return BlockPattern(
        order=order,
        starts=starts,
        diagonal=diagonal,
        below=below,
        size=int(ends[-1]),
        offsets=np.where(stored, offset, -1),
        strides=stride,
        node_offsets=diagonal[level] + row * (heights[level] + 1),
        node_strides=heights[level],
    )


def _levels(nodes: int, elements: Ints) -> Ints:
    """Breadth-first level of every node from an end of its component, small levels joined; (n,)."""
    corners = elements.shape[1]
    i = np.repeat(elements, corners, axis=1).ravel()
    j = np.tile(elements, (1, corners)).ravel()
    graph = coo_array((np.ones(i.size, dtype=np.int8), (i, j)), shape=(nodes, nodes)).tocsr()
    level = np.zeros(nodes, dtype=np.int64)
    count, component = connected_components(graph, directed=False)
    first = 0
    for part in range(count):
        root = int(np.flatnonzero(component == part)[0])
        for _ in range(3):  # the far end of the far end is nearly the longest way through a mesh
            reached, depth = _depths(graph, root)
            root = int(reached[-1])
        reached, depth = _depths(graph, root)
        joined = _join_small(np.bincount(depth))
        level[reached] = first + joined[depth]
        first = int(level[reached].max()) + 1
    return level


def _depths(graph: coo_array, root: int) -> tuple[Ints, Ints]:
    """Nodes in breadth-first order from ``root`` and the number of edges to each."""
    reached, parent = breadth_first_order(graph, root, directed=False)
    depth = np.zeros(graph.shape[0], dtype=np.int64)
    for node in reached[1:]:
        depth[node] = depth[parent[node]] + 1
    return reached, depth[reached]


def _join_small(counts: Ints) -> Ints:
    """New level of every level when neighbours are joined until each holds ``SMALLEST_BLOCK`` nodes."""
    joined = np.empty(len(counts), dtype=np.int64)
    block, held = 0, 0
    for level, count in enumerate(counts):
        if held >= SMALLEST_BLOCK:
            block, held = block + 1, 0
        joined[level] = block
        held += int(count)
    return joined


class Factorisation:
    """The Cholesky factor of an assembled buffer; ``solve`` answers any number of right-hand sides."""

    def __init__(self, pattern: BlockPattern, buffer: Floats) -> None:
        """Factor ``buffer`` (pattern.size,) in place; raises StepError when it is not positive definite."""
        self._gather, self._starts = pattern.gather, pattern.starts
        self._lower: list[Floats] = []
        self._below: list[Floats] = []
        heights = np.diff(pattern.starts)
        for k, h in enumerate(heights):
            block = _view(buffer, pattern.diagonal[k], h, h)
            if k:
                under = _view(buffer, pattern.below[k], h, heights[k - 1])
                blas.dtrsm(1.0, self._lower[-1], under, side=1, lower=1, trans_a=1, overwrite_b=1)
                blas.dsyrk(-1.0, under, beta=1.0, c=block, lower=1, overwrite_c=1)
                self._below.append(under)
            _, info = lapack.dpotrf(block, lower=1, clean=0, overwrite_a=1)
            if info:
                raise StepError(
                    "the system matrix is not positive definite (or holds NaN); "
                    "the body has blown up or its material is invalid: use a smaller dt or check the material"
                )
            self._lower.append(block)

    def solve(self, right: Floats) -> Floats:
        """M⁻¹ ``right`` for ``right`` (3n,) or (3n, k), rows node-major."""
        if not right.size:
            return np.zeros_like(right)
        columns = right.reshape(len(right), -1)[self._gather]
        parts = [np.asfortranarray(columns[a:b]) for a, b in zip(self._starts, self._starts[1:], strict=False)]
        for k, lower in enumerate(self._lower):
            if k:
                blas.dgemm(-1.0, self._below[k - 1], parts[k - 1], beta=1.0, c=parts[k], overwrite_c=1)
            blas.dtrsm(1.0, lower, parts[k], lower=1, overwrite_b=1)
        for k in range(len(parts) - 1, -1, -1):
            if k < len(parts) - 1:
                blas.dgemm(-1.0, self._below[k], parts[k + 1], trans_a=1, beta=1.0, c=parts[k], overwrite_c=1)
            blas.dtrsm(1.0, self._lower[k], parts[k], lower=1, trans_a=1, overwrite_b=1)
        answer = np.empty_like(columns)
        answer[self._gather] = np.concatenate(parts)
        return answer.reshape(right.shape)


def _view(buffer: Floats, offset: int, rows: int, columns: int) -> Floats:
    """A column-major (rows, columns) view into ``buffer``."""
    return buffer[offset : offset + rows * columns].reshape((rows, columns), order="F")
