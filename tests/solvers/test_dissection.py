"""The multifrontal Cholesky against dense and sparse solvers."""

import numpy as np
import pytest
from scipy.sparse import csc_array, diags_array

from hydrostat.errors import StepError
from hydrostat.solvers.dissection import LEAF, SparseCholesky


def grid(counts, per_node, seed=0):
    """A random matrix over a grid in which every node couples to its 26 neighbours, and the points of the grid."""
    rng = np.random.default_rng(seed)
    points = np.stack(np.meshgrid(*(np.arange(c) for c in counts), indexing="ij"), axis=-1).reshape(-1, 3).astype(float)
    near = np.abs(points[:, None] - points).max(axis=2) <= 1.0
    dense = np.kron(near, np.ones((per_node, per_node))) * rng.normal(size=2 * (per_node * len(points),))
    dense = dense + dense.T
    return csc_array(dense + np.diag(np.abs(dense).sum(axis=1) + 0.1)), points


@pytest.mark.parametrize("counts", [(2, 2, 2), (9, 3, 3), (12, 10, 6), (150, 2, 1)], ids=str)
@pytest.mark.parametrize("per_node", [1, 3])
def test_solutions_solve(counts, per_node):
    matrix, points = grid(counts, per_node)
    right = np.random.default_rng(1).normal(size=(matrix.shape[0], 5))
    got = SparseCholesky(matrix, points).solve(right)
    assert np.abs(matrix @ got - right).max() < 1e-12 * np.abs(right).max()
    assert len(points) <= LEAF or counts != (2, 2, 2)


def test_entries_that_are_zero_and_pieces_that_do_not_touch():
    """Couplings with a zero in one place are couplings; a matrix of two pieces has two roots."""
    matrix, points = grid((10, 4, 4), 3)
    entries = matrix.tolil()
    for node in range(len(points)):
        for other in range(node):
            entries[3 * node, 3 * other] = entries[3 * other, 3 * node] = 0.0
    half = 3 * 80
    entries[:half, half:] = 0.0
    entries[half:, :half] = 0.0
    apart = entries.tocsc()
    right = np.random.default_rng(1).normal(size=(apart.shape[0], 2))
    assert np.abs(apart @ SparseCholesky(apart, points).solve(right) - right).max() < 1e-11


@pytest.mark.parametrize("keep", [np.tril, np.triu])
def test_couplings_that_are_stored_on_one_side_only(keep):
    """Where rounding leaves a zero on one side of the diagonal, sparse sums drop it there."""
    matrix, points = grid((8, 5, 5), 1)
    dense = matrix.toarray()
    tiny = np.random.default_rng(2).uniform(size=dense.shape) < 0.5
    tiny = tiny | tiny.T
    dense[tiny & ~np.eye(len(dense), dtype=bool)] *= 1e-17
    one_sided = np.where(tiny, keep(dense), dense)
    right = np.ones((len(points), 1))
    got = SparseCholesky(csc_array(one_sided), points).solve(right)
    assert np.abs(dense @ got - right).max() < 1e-12


def test_what_is_not_positive_definite_is_refused():
    matrix, points = grid((6, 5, 4), 1)
    with pytest.raises(StepError, match="not positive definite"):
        SparseCholesky((matrix - 1e3 * diags_array(np.ones(len(points)))).tocsc(), points)
