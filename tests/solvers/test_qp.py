import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import LinearConstraint, minimize

from hydrostat.errors import InputError
from hydrostat.solvers import qp
from hydrostat.solvers.qp import QpStatus, QuadraticProgram, qp_residuals, solve_qp


def program(hessian, gradient, lower=None, upper=None, rows=(), row_lower=(), row_upper=()):
    n = len(gradient)
    return QuadraticProgram(
        np.array(hessian, dtype=float),
        np.array(gradient, dtype=float),
        np.full(n, -np.inf) if lower is None else np.array(lower, dtype=float),
        np.full(n, np.inf) if upper is None else np.array(upper, dtype=float),
        np.array(rows, dtype=float) if len(rows) else np.zeros((0, n)),
        np.array(row_lower, dtype=float),
        np.array(row_upper, dtype=float),
    )


def random_program(seed, n=12, rows=6):
    rng = np.random.default_rng(seed)
    root, matrix = rng.normal(size=(n, n)), rng.normal(size=(rows, n))
    inside = rng.uniform(-1, 1, size=n)
    room = rng.uniform(0, 0.5, size=(2, rows))
    room[:, 0] = 0.0  # one equation
    return program(
        root @ root.T + 0.1 * np.eye(n),
        5 * rng.normal(size=n),
        -np.ones(n),
        np.ones(n),
        matrix,
        matrix @ inside - room[0],
        matrix @ inside + room[1],
    )


@pytest.fixture(params=["both", "interior point"])
def solve(request, monkeypatch):
    """`solve_qp`, and the same with its first solver made useless."""
    if request.param == "interior point":
        failed = lambda s: qp._Answer(np.zeros_like(s.gradient), np.zeros_like(s.lower), QpStatus.FAILED, 0)  # noqa: E731
        monkeypatch.setattr(qp, "_by_daqp", failed)
    return solve_qp


def test_closed_forms(solve):
    free = solve(program(2 * np.eye(2), [-2.0, 4.0]))
    assert free.status is QpStatus.OPTIMAL and np.allclose(free.x, [1.0, -2.0], atol=1e-8)
    boxed = solve(program(2 * np.eye(2), [-2.0, 4.0], [-1, -1], [0.5, 1]))
    assert np.allclose(boxed.x, [0.5, -1.0], atol=1e-8)
    assert np.allclose(boxed.box_multipliers, [1.0, -2.0], atol=1e-6)  # positive at the upper bound
    tied = solve(program(np.eye(2), [0.0, 0.0], rows=[[1, 1]], row_lower=[2], row_upper=[2]))
    assert np.allclose(tied.x, [1, 1], atol=1e-8) and np.allclose(tied.row_multipliers, [-1.0], atol=1e-6)


@pytest.mark.parametrize("seed", range(3))
def test_agrees_with_scipy(solve, seed):
    p = random_program(seed)
    reference = minimize(
        lambda x: 0.5 * x @ p.hessian @ x + p.gradient @ x,
        np.zeros(12),
        jac=lambda x: p.hessian @ x + p.gradient,
        bounds=list(zip(p.lower, p.upper, strict=True)),
        constraints=[
            LinearConstraint(p.rows[:1], p.row_lower[:1], p.row_upper[:1]),
            LinearConstraint(p.rows[1:], p.row_lower[1:], p.row_upper[1:]),
        ],
        method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 500},
    )
    solution = solve(p)
    assert solution.status is QpStatus.OPTIMAL
    assert np.allclose(solution.x, reference.x, atol=1e-5)


@settings(deadline=None)
@given(st.integers(0, 10**6))
def test_optimality_conditions_hold_in_plain_units(seed):
    p = random_program(seed)
    s = solve_qp(p)
    assert s.status is QpStatus.OPTIMAL
    slope = p.hessian @ s.x + p.gradient + p.rows.T @ s.row_multipliers + s.box_multipliers
    assert np.abs(slope).max() < 1e-7
    values = np.concatenate([s.x, p.rows @ s.x])
    lower, upper = np.concatenate([p.lower, p.row_lower]), np.concatenate([p.upper, p.row_upper])
    multipliers = np.concatenate([s.box_multipliers, s.row_multipliers])
    assert np.all(values <= upper + 1e-8) and np.all(values >= lower - 1e-8)
    assert np.all((multipliers <= 1e-8) | (values >= upper - 1e-7))
    assert np.all((multipliers >= -1e-8) | (values <= lower + 1e-7))


def test_residuals_reject_perturbed_answers():
    p = random_program(0)
    s = solve_qp(p)
    assert qp_residuals(p, s) == s.residuals and s.residuals.worst < 1e-9
    fields = {name: getattr(s, name) for name in s.__dataclass_fields__}
    for name in ("x", "box_multipliers", "row_multipliers"):
        wrong = qp.QpSolution(**{**fields, name: fields[name] + 1e-3})
        assert qp_residuals(p, wrong).worst > 1e-5


@pytest.mark.parametrize(("x", "cost", "row"), [(1e6, 1e-8, 1e3), (1e-6, 1e8, 1e-3), (1.0, 1e12, 1e9)])
def test_units_do_not_matter(x, cost, row):
    p = random_program(1)
    factor = x * np.logspace(-2, 2, 12)  # every variable in its own unit
    other = QuadraticProgram(
        cost * p.hessian / factor / factor[:, None],
        cost * p.gradient / factor,
        p.lower * factor,
        p.upper * factor,
        row * p.rows / factor,
        row * p.row_lower,
        row * p.row_upper,
    )
    here, there = solve_qp(p), solve_qp(other)
    assert there.status is QpStatus.OPTIMAL
    assert np.allclose(there.x / factor, here.x, atol=1e-8)


def test_no_answer_has_a_name(solve, request):
    # the interior-point method alone may stop at its cap before it has a certificate
    names = {QpStatus.INFEASIBLE}
    if "interior" in request.node.name:
        names.add(QpStatus.FAILED)
    apart = program(np.eye(2), [0, 0], [0, 0], [1, 1], [[1, 1]], [3], [np.inf])
    assert solve(apart).status in names
    empty_row = program(np.eye(2), [0, 0], rows=[[0, 0]], row_lower=[1], row_upper=[np.inf])
    assert solve(empty_row).status in names
    downhill = solve(program(np.zeros((2, 2)), [1.0, 0.0]))
    assert downhill.status is QpStatus.UNBOUNDED and np.isfinite(downhill.x).all()


def test_a_wrong_answer_is_not_believed(monkeypatch):
    p = random_program(0)
    right = solve_qp(p)

    def liar(scaled):
        return qp._Answer(np.zeros_like(scaled.gradient), np.zeros_like(scaled.lower), QpStatus.OPTIMAL, 1)

    monkeypatch.setattr(qp, "_by_daqp", liar)
    assert np.allclose(solve_qp(p).x, right.x, atol=1e-7)  # the other solver was asked
    monkeypatch.setattr(qp, "_by_piqp", liar)
    assert solve_qp(p).status is QpStatus.FAILED


def test_singular_hessians(solve):
    flat = solve(program([[1, 1], [1, 1]], [-1.0, -1.0], [0, 0], [1, 1]))
    assert flat.status is QpStatus.OPTIMAL and flat.x.sum() == pytest.approx(1.0, abs=1e-6)
    linear = solve(program(np.zeros((2, 2)), [-1.0, 1.0], [-2, -3], [2, 3]))
    assert linear.status is QpStatus.OPTIMAL and np.allclose(linear.x, [2, -3], atol=1e-6)


def test_nothing_to_choose():
    assert solve_qp(program(np.zeros((0, 0)), [])).status is QpStatus.OPTIMAL
    impossible = program(np.zeros((0, 0)), [], rows=np.zeros((1, 0)), row_lower=[1.0], row_upper=[2.0])
    assert solve_qp(impossible).status is QpStatus.INFEASIBLE
    held = solve_qp(program(np.eye(1), [5.0], [2.0], [2.0]))
    assert held.status is QpStatus.OPTIMAL and held.x[0] == 2.0


def test_bad_input_is_refused():
    with pytest.raises(InputError, match="gradient holds"):
        program(np.eye(1), [np.nan])
    with pytest.raises(InputError, match="rows has shape"):
        program(np.eye(2), [0, 0], rows=[[1, 1]], row_lower=[0, 0], row_upper=[1, 1])
    with pytest.raises(InputError, match=r"lower\[0\] is 1"):
        program(np.eye(1), [0.0], [1.0], [0.0])
