"""Everything of the energies that can be summed over the elements once (docs/theory/b2024.md).

The basis is I₃ ⊗ B₁, so all tensors have one index for the k columns of B₁ and one for the three of a rotation.
"""

from __future__ import annotations

import numpy as np

from hydrostat.arrays import Floats, Ints


def basis_gradients(basis: Floats, tets: Ints, gradients: Floats) -> Floats:
    """Gradient of every column of ``basis`` (n, k) in every element, (t, k, 3) 1/m: F_e = zᵀ G_e. B2024-(55)"""
    result = np.zeros((len(tets), basis.shape[1], 3))
    for corner in range(4):
        result += basis[tets[:, corner]][:, :, None] * gradients[:, corner, None, :]
    return result


def quadratic(weights: Floats, gradients: Floats) -> Floats:
    """Σ_e weight_e G_e G_eᵀ, (k, k), of ``gradients`` (t, k, 3). B2024-(28)"""
    flat = gradients.transpose(1, 0, 2).reshape(gradients.shape[1], -1)
    result: Floats = (flat * np.repeat(weights, 3)) @ flat.T
    return result


def passive_tensor(weights: Floats, gradients: Floats, members: Ints) -> Floats:
    """K_c = Σ_{e∈c} weight_e G_e side by side, (k, 3 cp). B2024-(33)"""
    return _by_cluster(weights[:, None, None] * gradients, members)


def actuation_tensor(weights: Floats, gradients: Floats, members: Ints, targets: list[Floats]) -> Floats:
    """S_cv = Σ_{e∈c} weight_e G_e Y_veᵀ, (m + 1, k, 3 ca), for every target Y_v (t, 3, 3). B2024-(13a)"""
    weighted = weights[:, None, None] * gradients
    return np.stack([_by_cluster(weighted @ target.transpose(0, 2, 1), members) for target in targets])


def target_gradients(modes: Floats, tets: Ints, gradients: Floats) -> list[Floats]:
    """Deformation Y_v of every mode (n, 3, m) for one metre of amplitude, and of the rest shape, each (t, 3, 3)."""
    moved = [np.einsum("tai,taj->tij", modes[tets, :, v], gradients) for v in range(modes.shape[2])]
    return [*moved, np.broadcast_to(np.eye(3), (len(tets), 3, 3))]


def _by_cluster(of_elements: Floats, members: Ints) -> Floats:
    """Sums of ``of_elements`` (t, k, 3) over the elements of every cluster, side by side: (k, 3 clusters)."""
    order = np.argsort(members, kind="stable")
    starts = np.flatnonzero(np.diff(members[order], prepend=-1))
    sums = np.add.reduceat(of_elements[order], starts, axis=0)
    return np.ascontiguousarray(sums.transpose(1, 0, 2).reshape(sums.shape[1], -1))
