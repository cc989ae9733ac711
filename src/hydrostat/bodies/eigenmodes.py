"""The lowest eigenvectors of a mesh matrix, beside the motions that cost nothing."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csc_array, diags_array
from scipy.sparse.linalg import ArpackError, LinearOperator, eigsh, splu

from hydrostat.arrays import Floats
from hydrostat.errors import InputError

# Eigenvalues are shifted by this share of the mean diagonal entry, so that the shifted matrix is positive definite.
SHIFT = 1e-6
# An eigenvalue below this share of the mean diagonal entry costs nothing: the mesh has a hinge or loose parts.
FREE = 1e-11
# Of several equal eigenvectors the iteration may find one late; asking for more leaves none out.
SPARE = 4


def lowest_eigenvectors(stiffness: csc_array, masses: Floats, free: Floats, count: int) -> tuple[Floats, Floats]:
    """The ``count`` lowest eigenvalues (count,) and eigenvectors (n, count) of stiffness · d = λ mass · d.

    masses (n,): the diagonal of the mass matrix. free (n, f): all motions without energy, which are left out.
    Eigenvectors have dᵀ M d = 1, and signs that depend on the mesh only.
    """
    n = len(masses)
    inertia = np.sqrt(masses)
    if count + free.shape[1] > n:
        raise InputError(f"{count} modes of a mesh with {n} degrees of freedom", "fewer modes", "refine the mesh")
    # In y = √M d the problem is an ordinary one, S y = λ y with S = M^-½ K M^-½.
    scaled = (diags_array(1.0 / inertia) @ stiffness @ diags_array(1.0 / inertia)).tocsc()
    rigid = np.linalg.qr(inertia[:, None] * free)[0]
    level = float(scaled.diagonal().mean())
    start = np.random.default_rng(0).normal(size=n)
    values, vectors = _shift_invert(scaled, SHIFT * level, rigid, start, count)
    loose = np.count_nonzero(values < FREE * level)
    if loose:
        raise InputError(
            f"the mesh can move without deforming in {loose} ways beyond rigid motion",
            "one piece whose elements share faces",
            "keep the largest piece, or join the pieces before meshing",
        )
    vectors *= np.where(start @ vectors < 0, -1.0, 1.0)
    return values, vectors / inertia[:, None]


def _shift_invert(matrix: csc_array, shift: float, rigid: Floats, start: Floats, count: int) -> tuple[Floats, Floats]:
    """Lowest eigenpairs of ``matrix`` across ``rigid`` (n, f), orthonormal."""
    n = len(start)

    def across(vector: Floats) -> Floats:
        return vector - rigid @ (rigid.T @ vector)

    if n - rigid.shape[1] <= 2 * (count + SPARE) + 1:
        dense = matrix.toarray() + (np.abs(matrix).max() * n) * rigid @ rigid.T
        values, vectors = np.linalg.eigh(dense)
        return values[:count], vectors[:, :count]
    factor = splu(
        (matrix + shift * diags_array(np.ones(n))).tocsc(),
        permc_spec="MMD_AT_PLUS_A",
        diag_pivot_thresh=0.0,
        options={"SymmetricMode": True},
    )
    inverse = LinearOperator((n, n), matvec=lambda v: across(factor.solve(across(v.ravel()))), dtype=np.float64)
    try:
        values, vectors = eigsh(
            matrix, count + SPARE, sigma=-shift, OPinv=inverse, v0=across(start), which="LM", tol=1e-12
        )
    except ArpackError as error:
        raise InputError(f"the eigenvectors of the mesh were not found ({error})", "sound elements", "remesh") from None
    order = np.argsort(values)[:count]
    return values[order], vectors[:, order]
