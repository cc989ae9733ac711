import numpy as np
import pytest

from hydrostat.solvers.dense import eliminate, product


@pytest.mark.parametrize("n", [1, 2, 7, 30])
def test_elimination_solves(n):
    rng = np.random.default_rng(n)
    matrix, right = rng.normal(size=(n, n)), rng.normal(size=(n, 3))
    found = right.copy()
    assert eliminate(matrix.copy(), found)
    assert np.allclose(matrix @ found, right, atol=1e-10)


def test_rows_are_exchanged_for_the_largest_pivot():
    found = np.array([[1.0], [2.0]])
    assert eliminate(np.array([[0.0, 1.0], [2.0, 0.0]]), found)
    assert found[:, 0].tolist() == [1.0, 1.0]
    tiny = np.array([[1.0], [2.0]])
    assert eliminate(np.array([[1e-20, 1.0], [1.0, 1.0]]), tiny)
    assert np.allclose(tiny[:, 0], [1.0, 1.0])


def test_a_singular_matrix_is_told():
    assert not eliminate(np.array([[1.0, 2.0], [2.0, 4.0]]), np.ones((2, 1)))
    assert not eliminate(np.array([[np.nan]]), np.ones((1, 1)))


def test_nothing_to_solve():
    assert eliminate(np.zeros((0, 0)), np.zeros((0, 2)))
    assert product(np.zeros((0, 0)), np.zeros(0)).shape == (0,)


def test_product():
    rng = np.random.default_rng(0)
    matrix, vector = rng.normal(size=(4, 6)), rng.normal(size=6)
    assert np.allclose(product(matrix, vector), matrix @ vector)
