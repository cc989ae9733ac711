"""Certificates: equal to trying everything, and not to be had by mistake."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hydrostat.solvers.problems import ContactProblem, ControlProblem
from hydrostat.solvers.qpcc import certified
from hydrostat.solvers.qpcc.active_set import INFEASIBLE, OPTIMAL
from hydrostat.solvers.qpcc.programs import Programs
from hydrostat.solvers.qpcc.relaxation import bound_of, solved
from hydrostat.solvers.qpcc.samples import lattice_problem
from hydrostat.solvers.qpcc.solution import QpccStatus
from hydrostat.solvers.qpcc.solve import solve_qpcc


@st.composite
def small_problems(draw):
    """One or two contacts with any friction, three to six muscles."""
    rng = np.random.default_rng(draw(st.integers(0, 2**31)))
    count, size = draw(st.integers(1, 2)), draw(st.integers(3, 6))
    freedoms = draw(st.integers(3 * count, 12))
    rows = rng.normal(size=(3 * count, freedoms))
    goals = rng.normal(size=(4, size + 3 * count))
    hessian = goals.T @ goals
    hessian[np.arange(size), np.arange(size)] += 1e-2
    friction = np.abs(rng.normal(size=(count, 8))) * draw(st.sampled_from([0.0, 0.3, 1.0]))
    friction[:, rng.random(8) < draw(st.sampled_from([0.0, 0.5]))] = 0.0
    if draw(st.booleans()):
        friction[:] = friction[:, :1]
    contacts = ContactProblem(
        rows @ rows.T / freedoms, rng.normal(size=3 * count), 0.1 * rng.normal(size=count).clip(-0.1), friction
    )
    return ControlProblem(
        hessian,
        goals.T @ rng.normal(size=4),
        -np.ones(size),
        np.ones(size),
        rng.normal(size=(3 * count, size)),
        contacts,
    )


@settings(max_examples=60, deadline=None)
@given(small_problems())
def test_the_certificate_is_what_trying_everything_finds(problem):
    proven, every = solve_qpcc(problem, "certified"), solve_qpcc(problem, "enumerate")
    assert proven.solved == every.solved
    if every.solved:
        assert proven.status is QpccStatus.OPTIMAL
        assert proven.objective == pytest.approx(every.objective, rel=1e-7, abs=1e-8)
        assert proven.nodes <= every.nodes + 20


def test_it_is_so_for_three_contacts_too():
    problem = lattice_problem(7, muscles=20, feet=3)
    proven, every = solve_qpcc(problem, "certified"), solve_qpcc(problem, "enumerate")
    assert every.nodes > 18**3 and proven.nodes < 1000
    assert proven.objective == pytest.approx(every.objective, rel=1e-8)


@pytest.mark.parametrize("seed", range(4))
def test_wrong_answers_of_the_inner_solver_void_no_certificate(monkeypatch, seed):
    """Programs that are said to be infeasible, or to have a high minimum, and are not: the proof must not use them."""
    problem = lattice_problem(seed, muscles=30)
    truth = solve_qpcc(problem, "certified")
    rng, planted = np.random.default_rng(seed), []

    def spoilt(given, cells, known, near, cutoff):
        answer = solved(given, cells, known, near, cutoff)
        if rng.random() >= 0.3:
            return answer
        planted.append(answer)
        state = answer[4]._replace(
            multipliers=rng.uniform(0.0, 10.0, len(answer[4].multipliers)), ray=rng.normal(size=len(answer[4].ray))
        )
        return cells, INFEASIBLE, np.inf, bound_of(given, cells, INFEASIBLE, state), state

    monkeypatch.setattr(certified, "best_below", certified.best_below.py_func)
    monkeypatch.setattr(certified, "solved", spoilt)
    answer = solve_qpcc(problem, "certified")
    assert len(planted) > 5
    assert answer.bound <= truth.objective + 1e-7 * abs(truth.objective)
    if answer.status is QpccStatus.OPTIMAL:
        assert answer.objective == pytest.approx(truth.objective, rel=1e-7)
    assert answer.status is not QpccStatus.INFEASIBLE


def test_a_bound_is_never_above_a_point_of_its_cells():
    """Weak duality: whatever the multipliers, what they prove lies below every feasible value."""
    problem, rng = lattice_problem(3, muscles=20), np.random.default_rng(0)
    programs = Programs(problem)
    root = programs.root
    assert root.code == OPTIMAL and root.bound == pytest.approx(root.value, rel=1e-6)
    for _ in range(200):
        state = root.state._replace(
            multipliers=root.state.multipliers * rng.uniform(0.0, 3.0, len(root.state.multipliers))
        )
        assert programs.bound(root.cells, OPTIMAL, state) <= root.value * (1 + 1e-9)


def test_without_reach_a_problem_is_proven_infeasible():
    problem = lattice_problem(0, muscles=10, feet=2)
    contacts = replace(problem.contacts, delassus=np.zeros((6, 6)), velocities=np.tile([-1.0, 0.0, 0.0], 2))
    stuck = replace(problem, contacts=contacts, response=np.zeros((6, 10)))
    assert solve_qpcc(stuck, "certified").status is QpccStatus.INFEASIBLE
