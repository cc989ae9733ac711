"""Sparse matrices of a tetrahedral mesh of unit stiffness: the scalar Laplacian and the elastic Hessian at rest.

Both go over the same pairs of nodes, so the pairs are found once and the entries are summed by ``bincount``.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import bsr_array, csc_array

from hydrostat.arrays import Floats, Ints


@dataclass(frozen=True)
class NodePairs:
    """The pairs of nodes that share an element, in the order of a compressed matrix.

    of_corners (t, 4, 4): the pair of two corners of an element. partners: the second node of every pair;
    starts (n + 1,): where the pairs of a node begin.
    """

    of_corners: Ints
    partners: Ints
    starts: Ints


def node_pairs(nodes: int, tets: Ints) -> NodePairs:
    """The pairs of ``tets`` (t, 4) over ``nodes`` nodes."""
    keys = (tets[:, :, None] * nodes + tets[:, None, :]).ravel()
    pairs, of_corners = np.unique(keys, return_inverse=True)
    counts = np.bincount(pairs // nodes, minlength=nodes)
    return NodePairs(
        of_corners=of_corners.reshape(-1, 4, 4),
        partners=pairs % nodes,
        starts=np.concatenate([[0], np.cumsum(counts)]),
    )


def laplacian(pairs: NodePairs, gradients: Floats, weights: Floats) -> csc_array:
    """Σ_e weight_e b_a · b_b, sparse (n, n). B2024-(20)

    gradients b of the shape functions (t, 4, 3) 1/m; weights (t,): stiffness × volume.
    """
    entries = np.einsum("t,tai,tbi->tab", weights, gradients, gradients)
    n = len(pairs.starts) - 1
    return csc_array((_sums(pairs, entries), pairs.partners, pairs.starts), shape=(n, n))


def elastic_hessian(pairs: NodePairs, gradients: Floats, weights: Floats) -> csc_array:
    """Second derivative of Σ_e weight_e |F_e − R_e|²/2 at rest, sparse (3n, 3n), node-major. B2024-(4)

    It is linear elasticity with λ = 0 and 2 μ_lin = stiffness, B2024-(11a): blocks weight/2 (b_b b_aᵀ + b_a·b_b I).
    """
    n = len(pairs.starts) - 1
    half = 0.5 * weights
    blocks = np.empty((len(pairs.partners), 3, 3))
    for i in range(3):
        for j in range(3):
            entries = np.einsum("t,tb,ta->tab", half, gradients[:, :, i], gradients[:, :, j])
            blocks[:, i, j] = _sums(pairs, entries)
    diagonal = _sums(pairs, np.einsum("t,tai,tbi->tab", half, gradients, gradients))
    for i in range(3):
        blocks[:, i, i] += diagonal
    return bsr_array((blocks, pairs.partners, pairs.starts), shape=(3 * n, 3 * n)).tocsc()


def _sums(pairs: NodePairs, entries: Floats) -> Floats:
    """``entries`` (t, 4, 4) summed over the elements of every pair."""
    return np.bincount(pairs.of_corners.ravel(), entries.ravel(), len(pairs.partners)).astype(np.float64)
