"""Skinning eigenmodes: smooth weights over a mesh, and positions as blends of affine motions."""

from __future__ import annotations

import numpy as np

from hydrostat.arrays import Floats
from hydrostat.bodies.eigenmodes import lowest_eigenvectors
from hydrostat.bodies.fem import FemBody
from hydrostat.bodies.mesh_matrices import laplacian, node_pairs

# Directions of the basis that add less than this to the others, as a share of the strongest, are left out.
INDEPENDENT = 1e-9


def skinning_weights(body: FemBody, count: int) -> Floats:
    """The ``count`` lowest eigenfunctions of the Laplacian, (n, count), the first of them 1. B2024-(20)"""
    n = len(body.rest_positions)
    constant = np.ones((n, 1))
    if count == 1:
        return constant
    matrix = laplacian(node_pairs(n, body.mesh.tets), body.rest_gradients, body.mesh.volumes)
    _, waves = lowest_eigenvectors(matrix, body.masses, constant, count - 1, body.rest_positions)
    return np.hstack([constant, np.sqrt(body.mass) * waves])


def skinning_basis(rest_positions: Floats, weights: Floats) -> Floats:
    """Every weight times (X, 1), (n, 4w): the columns of B₁, X in units of the body. B2024-(21)"""
    centred = rest_positions - rest_positions.mean(axis=0)
    affine = np.column_stack([np.ones(len(centred)), centred / np.abs(centred).max()])
    return (weights[:, :, None] * affine[:, None, :]).reshape(len(centred), -1)


def orthonormal(basis: Floats, masses: Floats) -> Floats:
    """The same space with BᵀMB = (total mass) I and 1 as the first column, (n, k).

    The first coordinate is then the centre of mass. k is smaller than the columns given where those depend on one
    another, as they do on very coarse meshes.
    """
    inertia = np.sqrt(masses / masses.sum())
    first = inertia[:, None]
    others = inertia[:, None] * basis
    others /= np.linalg.norm(others, axis=0)
    left, sizes, _ = np.linalg.svd(others - first @ (first.T @ others), full_matrices=False)
    others = left[:, sizes > INDEPENDENT * sizes[0]]
    others -= first @ (first.T @ others)  # what rounding left of the constant
    result: Floats = np.hstack([first, others]) / inertia[:, None]
    return result
