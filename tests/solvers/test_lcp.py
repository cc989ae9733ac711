from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hydrostat.errors import InputError
from hydrostat.solvers.lcp import LcpStatus, solve_lcp

seeds = st.integers(0, 10**6)


def enumerated(matrix, vector):
    """Every complementary solution, by trying all bases."""
    n, found = len(vector), []
    for active in product((False, True), repeat=n):
        a = np.array(active)
        z = np.zeros(n)
        try:
            z[a] = np.linalg.solve(matrix[np.ix_(a, a)], -vector[a])
        except np.linalg.LinAlgError:
            continue
        if z.min(initial=0.0) >= -1e-9 and (matrix @ z + vector).min() >= -1e-9:
            found.append(z)
    return found


@settings(deadline=None)
@given(seeds, st.integers(1, 6))
def test_positive_definite_problems_have_the_enumerated_solution(seed, n):
    rng = np.random.default_rng(seed)
    root, skew = rng.normal(size=(n, n)), rng.normal(size=(n, n))
    matrix, vector = root @ root.T + 0.1 * np.eye(n) + skew - skew.T, rng.normal(size=n)
    solution = solve_lcp(matrix, vector)
    assert solution.status is LcpStatus.SOLVED
    assert np.allclose(solution.z, enumerated(matrix, vector)[0], atol=1e-8)
    assert np.allclose(solution.w, matrix @ solution.z + vector)


@settings(deadline=None)
@given(seeds, st.integers(2, 6))
def test_semidefinite_problems_are_solved_or_have_no_solution(seed, n):
    rng = np.random.default_rng(seed)
    root = rng.integers(-1, 2, size=(n, n - 1)).astype(float)  # small integers: many ties
    matrix, vector = root @ root.T, rng.integers(-1, 2, size=n).astype(float)
    solution = solve_lcp(matrix, vector)
    if enumerated(matrix, vector):
        assert solution.status is LcpStatus.SOLVED
        assert np.abs(np.minimum(solution.z, solution.w)).max() < 1e-8
    else:
        assert solution.status is LcpStatus.RAY


@pytest.mark.parametrize("factor", [1e-9, 1e9])
def test_units_do_not_matter(factor):
    rng = np.random.default_rng(1)
    root = rng.normal(size=(8, 8))
    matrix, vector = root @ root.T + 0.1 * np.eye(8), rng.normal(size=8)
    solution, scaled = solve_lcp(matrix, vector), solve_lcp(factor * matrix, vector * factor**2)
    assert scaled.status is LcpStatus.SOLVED
    assert np.allclose(scaled.z, factor * solution.z, rtol=1e-9, atol=0.0)


def test_nothing_to_do():
    assert solve_lcp(np.zeros((0, 0)), np.zeros(0)).status is LcpStatus.SOLVED
    solution = solve_lcp(np.zeros((3, 3)), np.array([0.0, 1.0, 0.0]))
    assert solution.status is LcpStatus.SOLVED and solution.pivots == 0 and not solution.z.any()


def test_a_problem_without_solution_ends_on_a_ray():
    solution = solve_lcp(np.zeros((2, 2)), np.array([-1.0, 1.0]))
    assert solution.status is LcpStatus.RAY
    assert solution.residual == pytest.approx(1.0)


def test_equal_rows_do_not_cycle():
    solution = solve_lcp(np.ones((30, 30)), -np.ones(30))
    assert solution.status is LcpStatus.SOLVED
    assert solution.z.sum() == pytest.approx(1.0)


def test_ties_do_not_cycle():
    # pivoting by the smallest ratio alone returns to its first basis here (Kostreva 1979)
    solution = solve_lcp(np.array([[1.0, 2, 0], [0, 1, 2], [2, 0, 1]]), -np.ones(3))
    assert solution.status is LcpStatus.SOLVED and np.allclose(solution.z, 1 / 3)


def test_pivots_are_limited():
    root = np.random.default_rng(0).normal(size=(30, 30))
    solution = solve_lcp(root @ root.T, -np.ones(30), max_pivots=3)
    assert solution.status is LcpStatus.PIVOTS and solution.pivots == 3
    assert np.isfinite(solution.z).all()


def test_bad_input_is_refused():
    with pytest.raises(InputError, match="vector holds"):
        solve_lcp(np.eye(2), np.array([np.nan, 1.0]))
    with pytest.raises(InputError, match="shapes"):
        solve_lcp(np.eye(3), np.ones(2))
