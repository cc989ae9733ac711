"""The lowest eigenvectors of a mesh matrix, beside the motions that cost nothing."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csc_array, diags_array

from hydrostat.arrays import Floats
from hydrostat.errors import InputError
from hydrostat.solvers.dissection import SparseCholesky

# Eigenvalues are shifted by this share of the mean diagonal entry, so that the shifted matrix is positive definite.
SHIFT = 1e-8
# An eigenvalue below this share of the mean diagonal entry costs nothing: the mesh has a hinge or loose parts.
FREE = 1e-12
# Vectors that are carried along beside those wanted: they make the iteration quick, and equal eigenvalues harmless.
SPARE = 6
# Rounds after which the iteration gives up; a matrix with fewer rows than they make vectors is solved densely.
BLOCKS = 60
# Residual over eigenvalue of the inverse at which a mode is found.
TOLERANCE = 1e-10


def lowest_eigenvectors(
    stiffness: csc_array, masses: Floats, free: Floats, count: int, points: Floats
) -> tuple[Floats, Floats]:
    """The ``count`` lowest eigenvalues (count,) and eigenvectors (n, count) of stiffness · d = λ mass · d.

    masses (n,): the diagonal of the mass matrix. free (n, f): all motions without energy, which are left out.
    points: the nodes of the mesh, each with as many degrees of freedom as the others.
    Eigenvectors have dᵀ M d = 1, and signs that depend on the mesh only.
    """
    n, inertia = len(masses), np.sqrt(masses)
    if count + free.shape[1] > n:
        raise InputError(f"{count} modes of a mesh with {n} degrees of freedom", "fewer modes", "refine the mesh")
    # In y = √M d the problem is an ordinary one, S y = λ y with S = M^-½ K M^-½.
    scaled = (diags_array(1.0 / inertia) @ stiffness @ diags_array(1.0 / inertia)).tocsc()
    level = float(scaled.diagonal().mean())
    rigid = np.linalg.qr(inertia[:, None] * free)[0]
    values, vectors = _lowest(scaled, SHIFT * level, rigid, count, points)
    loose = np.count_nonzero(values < FREE * level)
    if loose:
        raise InputError(
            f"the mesh can move without deforming in {loose} ways beyond rigid motion",
            "one piece whose elements share faces",
            "keep the largest piece, or join the pieces before meshing",
        )
    sign = np.random.default_rng(1).normal(size=n) @ vectors
    return values, np.where(sign < 0, -1.0, 1.0) * vectors / inertia[:, None]


def _lowest(matrix: csc_array, shift: float, rigid: Floats, count: int, points: Floats) -> tuple[Floats, Floats]:
    """Lowest eigenpairs of ``matrix`` across ``rigid`` (n, f), orthonormal, by block Lanczos on its shifted inverse.

    With V = [Q₀ Q₁ …] orthonormal and A Q_j = V T_j + Q_{j+1} R, the residual of a Ritz vector V y is R times its
    last block.
    """
    n, width = matrix.shape[0], count + SPARE
    if n <= (BLOCKS + 1) * width:
        dense = matrix.toarray() + n * np.abs(matrix).max() * rigid @ rigid.T
        values, vectors = np.linalg.eigh(dense)
        return values[:count], vectors[:, :count]
    factor = SparseCholesky((matrix + shift * diags_array(np.ones(n))).tocsc(), points)
    block = _orthonormal(np.random.default_rng(0).normal(size=(n, width)), rigid)[0]
    basis, projected = np.empty((n, 0)), np.empty((0, 0))
    for _ in range(BLOCKS):
        basis = np.hstack([basis, block])
        answer = factor.solve(block)
        columns = basis.T @ answer
        projected = np.block([[projected, columns[: len(projected)]], [columns.T]])
        block, rest = _orthonormal(answer, np.hstack([rigid, basis]))
        inverse, coefficients = np.linalg.eigh(projected)
        wanted = np.argsort(-inverse)[:count]
        residuals = np.linalg.norm(rest @ coefficients[-width:, wanted], axis=0)
        if (residuals < TOLERANCE * inverse[wanted]).all():
            vectors = basis @ coefficients[:, wanted]
            return np.einsum("ni,ni->i", vectors, matrix @ vectors), vectors
    raise InputError(
        f"the {count} lowest modes are not found in {BLOCKS} rounds", "elements of good shape", "mesh again"
    )


def _orthonormal(block: Floats, basis: Floats) -> tuple[Floats, Floats]:
    """QR factors of ``block`` across ``basis``; twice, because rounding leaves something the first time."""
    for _ in range(2):
        block = block - basis @ (basis.T @ block)
    return np.linalg.qr(block)
