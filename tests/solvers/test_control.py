from dataclasses import replace

import numpy as np
import piqp
import pytest

from hydrostat.errors import InputError
from hydrostat.solvers.contact import solve_contact
from hydrostat.solvers.friction import DIRECTIONS, isotropic
from hydrostat.solvers.pieces import FREE, SLIDE_ALONG, STICK
from hydrostat.solvers.problems import ContactProblem, ControlProblem
from hydrostat.solvers.qpcc.solution import QpccStatus
from hydrostat.solvers.qpcc.solve import solve_pieces, solve_qpcc


def solve_static(problem):
    return solve_qpcc(problem, "static")


def solve_free(problem):
    return solve_pieces(problem, np.full(problem.contacts.count, FREE))


def by_generators(problem):
    """T2012-(19) to (22) as printed, in (u, f⊥, f∥), 9 impulse variables a contact."""
    m, c, contacts = problem.size, problem.contacts.count, problem.contacts
    spread = np.zeros((3 * c, 9 * c))
    ordering = np.zeros((c, 9 * c))
    for i in range(c):
        spread[3 * i, 9 * i] = 1.0
        spread[3 * i + 1 : 3 * i + 3, 9 * i + 1 : 9 * i + 9] = (contacts.friction[i][:, None] * DIRECTIONS).T
        ordering[i, 9 * i : 9 * i + 9] = [1] + 8 * [-1]
    change = np.block([[np.eye(m), np.zeros((m, 9 * c))], [np.zeros((3 * c, m)), spread]])
    hessian = problem.hessian + np.diag(np.concatenate([np.zeros(m), problem.impulse_penalty]))
    target = contacts.velocities.copy()
    target[::3] += contacts.clearance
    solver = piqp.DenseSolver()
    solver.settings.eps_abs, solver.settings.eps_rel = 1e-11, 1e-11
    solver.setup(
        np.asfortranarray(change.T @ hessian @ change),
        change.T @ problem.gradient,
        np.asfortranarray(np.hstack([problem.response, contacts.delassus @ spread])),
        -target,
        np.asfortranarray(np.hstack([np.zeros((c, m)), ordering])),
        np.zeros(c),
        np.full(c, 1e30),
        np.concatenate([problem.lower, np.zeros(9 * c)]),
        np.concatenate([problem.upper, np.full(9 * c, 1e30)]),
    )
    return solver.solve(), change @ solver.result.x


@pytest.mark.parametrize("seed", range(5))
def test_static_is_the_printed_program(random_control, seed):
    problem = random_control(seed, size=58, box=0.5, friction=0.2)
    solution = solve_static(problem)
    status, z = by_generators(problem)
    assert status == piqp.PIQP_SOLVED and solution.solved
    assert solution.objective == pytest.approx(problem.objective(z[:58], z[58:]), rel=1e-6, abs=1e-8)
    assert np.allclose(np.concatenate([solution.actuation, solution.impulses]), z, atol=1e-4)
    assert solution.residuals.worst < 1e-8
    assert np.abs(solution.velocities).max() < 1e-9 * np.abs(problem.contacts.velocities).max()
    assert solution.modes.tolist() == [1] * 4


def test_bounds_and_cones_are_active_in_the_test_above(random_control):
    problem = random_control(0, size=58, box=0.5, friction=0.2)
    solution = solve_static(problem)
    assert np.any(np.abs(solution.actuation) > 0.5 - 1e-9)
    facets = np.einsum("cfi,ci->cf", problem.contacts.polygons.facets, solution.impulses.reshape(4, 3))
    assert np.any(np.abs(facets) < 1e-9)


def test_slippery_ground_cannot_hold(random_control):
    problem = random_control(0, size=6, friction=0.01, speed=1.0)
    solution = solve_static(problem)
    assert solution.status is QpccStatus.FAILED and not solution.solved
    assert solution.objective == np.inf and np.isfinite(solution.actuation).all()
    assert by_generators(problem)[0] != piqp.PIQP_SOLVED


def test_frictionless_static_needs_no_tangential_impulse(random_control):
    solution = solve_static(random_control(0, size=58, friction=0.0))
    assert solution.solved
    tangential = np.delete(solution.impulses, np.s_[::3])
    assert np.abs(tangential).max() < 1e-8 * np.abs(solution.impulses).max()


def test_one_muscle_and_one_contact_in_closed_form():
    # 2 kg pressed by 3 N·s; the muscle pushes along tangent 1 and wants u = 5: friction holds 0.5 · 3
    problem = ControlProblem(
        hessian=np.diag([1.0, 0, 0, 0]),
        gradient=np.array([-5.0, 0, 0, 0]),
        lower=np.array([-9.0]),
        upper=np.array([9.0]),
        response=np.array([[0.0], [0.5], [0.0]]),
        contacts=ContactProblem(np.eye(3) / 2, np.array([-1.5, 0, 0]), np.zeros(1), isotropic(np.array([0.5]))),
        impulse_effort=0.0,
    )
    solution = solve_static(problem)
    assert solution.actuation == pytest.approx([1.5], abs=1e-8)
    assert solution.impulses == pytest.approx([3.0, -1.5, 0.0], abs=1e-8)
    assert solution.objective == pytest.approx(0.5 * 1.5**2 - 7.5, abs=1e-8)
    sliding = solve_pieces(problem, np.array([SLIDE_ALONG + 4]))
    assert sliding.actuation == pytest.approx([5.0]) and sliding.impulses == pytest.approx([3, -1.5, 0])
    assert sliding.velocities == pytest.approx([0, 1.75, 0], abs=1e-8)
    wrong_way = solve_pieces(problem, np.array([SLIDE_ALONG]))  # friction along +t1 wants u ≤ -1.5
    assert wrong_way.actuation == pytest.approx([-1.5])
    assert solve_free(problem).status is QpccStatus.FAILED  # it would fall through


def test_every_feasible_choice_of_pieces_solves_the_contact_problem(random_control):
    rng = np.random.default_rng(0)
    solved = 0
    for seed in range(40):
        problem = random_control(seed, count=2, size=30)
        solution = solve_pieces(problem, rng.integers(0, 18, size=2))
        if solution.solved:
            solved += 1
            assert solution.residuals.worst < 1e-7
    assert solved > 10


def test_no_contacts(random_control):
    problem = random_control(0, count=0)
    for solution in (solve_free(problem), solve_static(problem)):
        assert solution.solved and solution.impulses.shape == (0,)
        unbounded = np.linalg.solve(problem.hessian, -problem.gradient)
        assert np.abs(unbounded).max() > 2.0  # so the box is felt
        assert np.all(np.abs(solution.actuation) <= 2.0)
        slope = problem.hessian @ solution.actuation + problem.gradient
        inner = np.abs(solution.actuation) < 2.0 - 1e-9
        assert np.allclose(slope[inner], 0.0, atol=1e-8)


def test_no_muscles(random_control):
    problem = random_control(0, size=0)
    assert solve_static(problem).status in (QpccStatus.FOUND, QpccStatus.FAILED)
    pieces = solve_contact(problem.contacts).pieces
    assert solve_pieces(problem, pieces).solved


def test_more_contacts_than_freedoms(random_control):
    problem = random_control(1, count=6, size=30, freedoms=9, box=20.0)
    solution = solve_static(problem)
    assert solution.status in (QpccStatus.FOUND, QpccStatus.FAILED)
    assert not solution.solved or solution.residuals.worst < 1e-6


def test_order_of_contacts_and_muscles_does_not_matter(random_control):
    problem = random_control(2)
    contacts, muscles = np.array([2, 0, 3, 1]), np.random.default_rng(0).permutation(20)
    rows = (3 * contacts[:, None] + np.arange(3)).ravel()
    both = np.concatenate([muscles, 20 + rows])
    old = problem.contacts
    permuted = ControlProblem(
        problem.hessian[np.ix_(both, both)],
        problem.gradient[both],
        problem.lower[muscles],
        problem.upper[muscles],
        problem.response[np.ix_(rows, muscles)],
        ContactProblem(
            old.delassus[np.ix_(rows, rows)],
            old.velocities[rows],
            old.clearance[contacts],
            old.friction[contacts],
        ),
    )
    here, there = solve_static(problem), solve_static(permuted)
    assert here.solved and there.solved
    assert np.allclose(here.actuation[muscles], there.actuation, atol=1e-7)
    assert np.allclose(here.impulses[rows], there.impulses, atol=1e-7)


@pytest.mark.parametrize(
    ("velocity", "impulse", "unit", "cost"), [(1e4, 1e-4, 1, 1), (1e-4, 1e-4, 1e4, 1e8), (1, 1e4, 1e-4, 1e-8)]
)
def test_units_do_not_matter(random_control, velocity, impulse, unit, cost):
    problem = random_control(2)
    z = np.concatenate([np.full(20, unit), np.full(12, impulse)])
    old = problem.contacts
    other = ControlProblem(
        cost * problem.hessian / z / z[:, None],
        cost * problem.gradient / z,
        problem.lower * unit,
        problem.upper * unit,
        problem.response * velocity / unit,
        ContactProblem(
            old.delassus * velocity / impulse,
            old.velocities * velocity,
            old.clearance * velocity,
            old.friction,
        ),
    )
    here, there = solve_static(problem), solve_static(other)
    assert here.solved and there.solved
    assert np.allclose(there.actuation / unit, here.actuation, atol=1e-6)
    assert np.allclose(there.impulses / impulse, here.impulses, atol=1e-6)
    assert there.objective / cost == pytest.approx(here.objective, rel=1e-6)


def test_the_impulse_penalty_makes_the_objective_convex_and_hardly_changes_it(random_control):
    problem = random_control(0)
    assert np.linalg.eigvalsh(problem.hessian)[0] < 1e-9
    own = np.concatenate([np.zeros(20), problem.impulse_penalty])
    assert np.linalg.eigvalsh(problem.hessian + np.diag(own))[0] > 1e-9
    without = solve_static(replace(problem, impulse_effort=0.0))
    assert np.allclose(solve_static(problem).actuation, without.actuation, atol=1e-3)


def test_bad_input_is_refused(random_control):
    problem = random_control(0)
    with pytest.raises(InputError, match=r"gradient.* nan"):
        replace(problem, gradient=np.full(32, np.nan))
    with pytest.raises(InputError, match="response has shape"):
        replace(problem, response=np.zeros((3, 20)))
    with pytest.raises(InputError, match=r"lower\[0\]"):
        replace(problem, lower=np.full(20, 3.0))
    with pytest.raises(InputError, match="hessian is not symmetric"):
        replace(problem, hessian=np.triu(problem.hessian))
    with pytest.raises(InputError, match="impulse_effort"):
        replace(problem, impulse_effort=np.nan)
    with pytest.raises(InputError, match="pieces is"):
        solve_pieces(problem, np.array([STICK, FREE]))
