"""The block-tridiagonal Cholesky against dense algebra."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hydrostat.errors import StepError
from hydrostat.solvers.linear import Factorisation, block_pattern


def assembled(nodes, elements, rng):
    """A random SPD matrix of the mesh, dense and in the pattern's buffer."""
    pattern = block_pattern(nodes, elements)
    dense, buffer = np.zeros((3 * nodes, 3 * nodes)), np.zeros(pattern.size)
    for t, corners in enumerate(elements):
        root = rng.normal(size=(12, 12))
        block = root @ root.T
        dofs = (3 * corners[:, None] + np.arange(3)).ravel()
        dense[np.ix_(dofs, dofs)] += block
        for i in range(4):
            for j in range(4):
                offset, stride = pattern.offsets[t, i, j], pattern.strides[t, i, j]
                if offset >= 0:
                    for r in range(3):
                        buffer[offset + r + stride * np.arange(3)] += block[3 * i + r, 3 * j : 3 * j + 3]
    inertia = rng.uniform(0.5, 2.0, nodes)
    for axis in range(3):
        buffer[pattern.node_offsets + axis * (pattern.node_strides + 1)] += inertia
    return dense + np.diag(np.repeat(inertia, 3)), pattern, buffer


@given(nodes=st.integers(4, 60), count=st.integers(1, 60), seed=st.integers(0, 2**32 - 1))
def test_solves_random_meshes(nodes, count, seed):
    """Also meshes in several pieces and nodes that belong to no element."""
    rng = np.random.default_rng(seed)
    elements = np.array([rng.choice(nodes, 4, replace=False) for _ in range(count)])
    dense, pattern, buffer = assembled(nodes, elements, rng)
    right = rng.normal(size=(3 * nodes, 5))
    answer = Factorisation(pattern, buffer).solve(right)
    assert np.allclose(dense @ answer, right, atol=1e-8 * np.abs(right).max() * np.linalg.cond(dense) ** 0.5)


def test_one_right_hand_side_keeps_its_shape():
    rng = np.random.default_rng(1)
    elements = np.array([[i, i + 1, i + 2, i + 3] for i in range(40)])
    dense, pattern, buffer = assembled(43, elements, rng)
    right = rng.normal(size=129)
    factor = Factorisation(pattern, buffer)
    assert np.allclose(factor.solve(right), np.linalg.solve(dense, right))
    assert np.allclose(factor.solve(right[:, None])[:, 0], factor.solve(right), rtol=1e-12)
    assert factor.solve(np.zeros((129, 0))).shape == (129, 0)


def test_long_meshes_have_small_blocks():
    elements = np.array([[i, i + 1, i + 2, i + 3] for i in range(400)])
    pattern = block_pattern(403, elements)
    assert np.diff(pattern.starts).max() <= 60


def test_an_indefinite_matrix_is_an_error_with_a_cure():
    pattern = block_pattern(4, np.array([[0, 1, 2, 3]]))
    with pytest.raises(StepError, match="positive definite"):
        Factorisation(pattern, np.zeros(pattern.size))
