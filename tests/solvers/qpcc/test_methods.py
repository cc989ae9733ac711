"""What every method owes: conditions that hold, one answer for one problem, and a name for what has none."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import nnls

from hydrostat.errors import InputError
from hydrostat.solvers.contact import solve_contact
from hydrostat.solvers.friction import DIRECTIONS, isotropic
from hydrostat.solvers.pieces import FREE, SLIDE_ALONG, SLIDE_BETWEEN, STICK
from hydrostat.solvers.problems import ContactProblem, ControlProblem
from hydrostat.solvers.qpcc.exploration import Budget, Start
from hydrostat.solvers.qpcc.samples import lattice_problem
from hydrostat.solvers.qpcc.solution import QpccStatus
from hydrostat.solvers.qpcc.solve import METHODS, solve_qpcc
from hydrostat.solvers.residuals import control_residuals

QUICK = [name for name in METHODS if name != "enumerate"]


def permuted(problem, contacts):
    """``problem`` with its contacts in another order."""
    m, old = problem.size, problem.contacts
    rows = (3 * contacts[:, None] + np.arange(3)).ravel()
    both = np.concatenate([np.arange(m), m + rows])
    return replace(
        problem,
        hessian=problem.hessian[np.ix_(both, both)],
        gradient=problem.gradient[both],
        response=problem.response[rows],
        contacts=replace(
            old,
            delassus=old.delassus[np.ix_(rows, rows)],
            velocities=old.velocities[rows],
            clearance=old.clearance[contacts],
            friction=old.friction[contacts],
        ),
    )


def rescaled(problem, velocity, impulse, unit, cost):
    """``problem`` in other units."""
    m, old = problem.size, problem.contacts
    z = np.concatenate([np.full(m, unit), np.full(3 * old.count, impulse)])
    return replace(
        problem,
        hessian=cost * problem.hessian / z / z[:, None],
        gradient=cost * problem.gradient / z,
        lower=problem.lower * unit,
        upper=problem.upper * unit,
        response=problem.response * velocity / unit,
        contacts=replace(
            old,
            delassus=old.delassus * velocity / impulse,
            velocities=old.velocities * velocity,
            clearance=old.clearance * velocity,
        ),
    )


@pytest.mark.parametrize("method", QUICK)
@pytest.mark.parametrize("seed", range(3))
def test_conditions_hold_and_are_recomputed(method, seed):
    problem = lattice_problem(seed)
    answer = solve_qpcc(problem, method)
    if not answer.solved:
        assert answer.status is QpccStatus.FAILED and method == "static"
        return
    again = control_residuals(problem, answer.actuation, answer.impulses, answer.velocities)
    assert again == answer.residuals and again.worst < 1e-8
    assert answer.objective == pytest.approx(problem.objective(answer.actuation, answer.impulses), rel=1e-12)
    assert answer.bound <= answer.objective + 1e-6 * abs(answer.objective) and answer.seconds > 0.0
    spoilt = answer.impulses + [0.1 * np.abs(answer.impulses).max(), *np.zeros(11)]
    assert control_residuals(problem, answer.actuation, spoilt, answer.velocities).worst > 1e-3


@pytest.mark.parametrize("seed", range(4))
def test_more_work_never_finds_less(seed):
    problem = lattice_problem(seed, reachable=seed % 2 == 0)
    values = {method: solve_qpcc(problem, method).objective for method in QUICK}
    slack = 1e-6 * abs(values["certified"])
    assert values["certified"] <= values["search"] + slack
    assert values["certified"] <= values["paper"] + slack
    assert values["paper"] <= values["static"] + slack  # the paper's method starts there


@pytest.mark.parametrize("method", ["search", "certified"])
def test_order_of_contacts_does_not_matter(method):
    problem, order = lattice_problem(1), np.array([2, 0, 3, 1])
    budget = Budget(100_000)
    here, there = solve_qpcc(problem, method, budget), solve_qpcc(permuted(problem, order), method, budget)
    assert there.objective == pytest.approx(here.objective, rel=1e-8)
    rows = (3 * order[:, None] + np.arange(3)).ravel()
    assert np.allclose(here.actuation, there.actuation, atol=1e-5)
    assert np.allclose(here.impulses[rows], there.impulses, atol=1e-5 * np.abs(here.impulses).max())


@pytest.mark.parametrize("method", QUICK)
@pytest.mark.parametrize(
    ("velocity", "impulse", "unit", "cost"), [(1e4, 1e-4, 1, 1), (1e-4, 1e-4, 1e4, 1e8), (1, 1e4, 1e-4, 1e-8)]
)
def test_units_do_not_matter(method, velocity, impulse, unit, cost):
    problem = lattice_problem(3, reachable=True)
    here, there = solve_qpcc(problem, method), solve_qpcc(rescaled(problem, velocity, impulse, unit, cost), method)
    assert here.status is there.status
    if here.solved:
        assert there.objective / cost == pytest.approx(here.objective, rel=1e-6)
        assert np.allclose(there.actuation / unit, here.actuation, atol=1e-5)
        assert there.residuals.worst < 1e-7


def test_a_start_changes_the_time_and_not_what_is_proven():
    problem = lattice_problem(2)
    cold = solve_qpcc(problem, "certified")
    warm = solve_qpcc(problem, "certified", start=Start(cold.actuation, cold.pieces))
    assert warm.objective == pytest.approx(cold.objective, rel=1e-9)
    quick = solve_qpcc(problem, "search", Budget(3), Start(cold.actuation, cold.pieces))
    assert quick.objective == pytest.approx(cold.objective, rel=1e-6)  # the first leaf that is tried


def test_budgets_are_kept_and_their_gap_is_honest():
    problem = lattice_problem(4)
    best = solve_qpcc(problem, "certified").objective
    most = best + 1e-6 * abs(best)
    for nodes in (1, 10, 40):
        answer = solve_qpcc(problem, "certified", Budget(nodes))
        assert answer.nodes <= nodes + 17  # a split that has begun is finished
        assert answer.status is not QpccStatus.OPTIMAL
        assert answer.bound <= most
        assert not answer.solved or answer.objective - answer.gap <= most
    assert solve_qpcc(problem, "certified", Budget(10**9, seconds=0.0)).nodes <= 20


def test_the_winning_piece_fulfils_its_optimality_conditions():
    """∇f = Σ y a over the constraints that touch, with y ≥ 0 for inequalities: built here from the definitions."""
    checked = 0
    for seed in range(6):
        problem = lattice_problem(seed)
        effort = np.diag(np.repeat([1e-2, 0.0], [58, 12]))  # so much that most muscles stay inside their box
        problem = replace(problem, hessian=problem.hessian + effort)
        answer = solve_qpcc(problem, "search")
        assert answer.solved
        equations, inequalities = constraints_of(problem, answer.pieces)
        z = np.concatenate([answer.actuation, answer.impulses])
        values = np.array([row @ z - bound for row, bound in inequalities])
        sizes = np.array([np.linalg.norm(row) * np.linalg.norm(z) for row, _ in inequalities])
        assert (values > -1e-7 * sizes).all()
        touching = [
            row for (row, _), value, size in zip(inequalities, values, sizes, strict=True) if value < 1e-7 * size
        ]
        signed = [row for row, _ in equations] + [-row for row, _ in equations]
        penalty = np.concatenate([np.zeros(problem.size), problem.impulse_penalty])
        slope = problem.hessian @ z + problem.gradient + penalty * z
        scale = 1.0 / np.sqrt(np.diagonal(problem.hessian) + penalty)
        columns = np.array([scale * row for row in (*touching, *signed)])
        columns /= np.linalg.norm(columns, axis=1)[:, None]
        assert nnls(columns.T, scale * slope)[1] < 1e-6 * np.linalg.norm(scale * problem.gradient)
        inner = np.flatnonzero(np.abs(answer.actuation) < 0.99)
        if len(inner) > 12:  # more muscles that are free to move than equations hold: a perturbed slope is noticed
            slope[inner] += 0.01 * np.abs(problem.gradient).max() * (-1.0) ** np.arange(len(inner))
            assert nnls(columns.T, scale * slope)[1] > 1e-4 * np.linalg.norm(scale * problem.gradient)
            checked += 1
    assert checked


def constraints_of(problem, pieces):
    """Equations and inequalities (row, bound), row·z = bound or ≥ bound, of box and pieces; isotropic friction."""
    m, contacts = problem.size, problem.contacts
    own = np.eye(m + 3 * contacts.count)
    velocity = np.concatenate([problem.response, contacts.delassus], axis=1)
    equations, inequalities = [], []
    for j in range(m):
        inequalities += [(own[j], problem.lower[j]), (-own[j], -problem.upper[j])]
    for i, piece in enumerate(pieces):
        n, mu = 3 * i, contacts.friction[i, 0]
        p, w, w0 = own[m + n : m + n + 3], velocity[n : n + 3], contacts.velocities[n : n + 3]
        rest = (w[0], -w0[0] - contacts.clearance[i])
        if piece == FREE:
            equations += [(row, 0.0) for row in p]
            inequalities.append(rest)
            continue
        equations.append(rest)
        corners = mu * DIRECTIONS
        normals = [np.array([b[1] - a[1], a[0] - b[0]]) for a, b in zip(corners, np.roll(corners, -1, 0), strict=True)]
        if piece == STICK:
            equations += [(w[1], -w0[1]), (w[2], -w0[2])]
            inequalities += [((n_ @ a) * p[0] - n_ @ p[1:], 0.0) for n_, a in zip(normals, corners, strict=True)]
        elif piece < SLIDE_BETWEEN:
            k = piece - SLIDE_ALONG
            equations += [(p[1 + axis] - corners[k, axis] * p[0], 0.0) for axis in range(2)]
            inequalities.append((p[0], 0.0))
            for normal, side in ((normals[k], 1.0), (normals[k - 1], -1.0)):
                across = side * np.array([-normal[1], normal[0]])  # -w_t lies between the two normals
                inequalities.append((across @ w[1:], -across @ w0[1:]))
        else:
            k = piece - SLIDE_BETWEEN
            normal, edge = normals[k], corners[(k + 1) % 8] - corners[k]
            equations += [((normal @ corners[k]) * p[0] - normal @ p[1:], 0.0), (edge @ w[1:], -edge @ w0[1:])]
            inequalities.append((edge @ p[1:] - (edge @ corners[k]) * p[0], 0.0))
            inequalities.append(((edge @ corners[(k + 1) % 8]) * p[0] - edge @ p[1:], 0.0))
            inequalities.append((-normal @ w[1:], normal @ w0[1:]))
    return equations, inequalities


def test_a_symmetric_problem_has_a_symmetric_value():
    """Two equal feet that shall move apart: both halves of the mirror image cost the same."""
    problem = lattice_problem(0, muscles=12)
    half, response = problem.contacts, problem.response
    mirror = np.diag(np.tile([1.0, 1.0, -1.0], 4))
    image = replace(
        problem,
        hessian=_mirrored(problem.hessian, mirror, 12),
        gradient=np.concatenate([problem.gradient[:12], mirror @ problem.gradient[12:]]),
        response=mirror @ response,
        contacts=replace(half, delassus=mirror @ half.delassus @ mirror, velocities=mirror @ half.velocities),
    )
    here, there = solve_qpcc(problem, "certified"), solve_qpcc(image, "certified")
    assert there.objective == pytest.approx(here.objective, rel=1e-8)
    assert np.allclose(mirror @ there.impulses, here.impulses, atol=1e-6 * np.abs(here.impulses).max())


def _mirrored(hessian, mirror, m):
    whole = np.eye(len(hessian))
    whole[m:, m:] = mirror
    return whole @ hessian @ whole


def test_equal_contacts_share_in_any_of_their_equal_ways():
    """Four times the same contact: W has rank 3, many impulses do the same, and one of them is found."""
    inverse = np.tile(np.eye(3), (4, 4)) / 2.0
    contacts = ContactProblem(inverse, np.tile([-1.0, 0.0, 0.0], 4), np.zeros(4), isotropic(np.full(4, 0.5)))
    response = np.tile([[0.0], [0.5], [0.0]], (4, 1))
    hessian = np.zeros((13, 13))
    hessian[0, 0] = 1.0
    problem = ControlProblem(hessian, np.array([-5.0, *np.zeros(12)]), [-9.0], [9.0], response, contacts)
    for method in ("search", "certified"):
        answer = solve_qpcc(problem, method)
        assert answer.actuation == pytest.approx([5.0], abs=1e-6)
        total = answer.impulses.reshape(4, 3).sum(axis=0)
        assert total == pytest.approx([2.0, -1.0, 0.0], abs=1e-5)
        assert answer.residuals.worst < 1e-6


@pytest.mark.parametrize("method", METHODS)
def test_no_contacts_and_no_friction(method):
    problem = lattice_problem(5, muscles=8, feet=1)
    free = replace(
        problem,
        hessian=problem.hessian[:8, :8],
        gradient=problem.gradient[:8],
        response=np.empty((0, 8)),
        contacts=ContactProblem(np.empty((0, 0)), np.empty(0), np.empty(0), np.empty((0, 8))),
    )
    answer = solve_qpcc(free, method)
    assert answer.solved and answer.impulses.shape == (0,)
    slippery = replace(problem, contacts=replace(problem.contacts, friction=np.zeros((1, 8))))
    answer = solve_qpcc(slippery, method)
    assert answer.solved or method == "static"
    assert np.abs(answer.impulses[1:]).max() < 1e-9


@pytest.mark.parametrize("method", QUICK)
def test_what_has_no_answer_has_a_name(method):
    contacts = ContactProblem(np.zeros((3, 3)), np.array([-1.0, 0.0, 0.0]), np.zeros(1), isotropic(np.array([0.5])))
    falling = ControlProblem(np.eye(4), np.zeros(4), [0.0], [1.0], np.zeros((3, 1)), contacts)
    answer = solve_qpcc(falling, method)  # nothing can stop it
    assert answer.status in (QpccStatus.INFEASIBLE, QpccStatus.FAILED) and answer.objective == np.inf
    assert method != "certified" or answer.status is QpccStatus.INFEASIBLE
    resting = ContactProblem(np.eye(3), np.zeros(3), np.zeros(1), isotropic(np.array([0.5])))
    endless = ControlProblem(np.zeros((4, 4)), np.array([1.0, 0, 0, 0]), [-np.inf], [np.inf], np.zeros((3, 1)), resting)
    assert solve_qpcc(endless, method).status is QpccStatus.UNBOUNDED


def test_bad_input_is_refused():
    problem = lattice_problem(0, muscles=6, feet=2)
    with pytest.raises(InputError, match="paper"):
        solve_qpcc(problem, "guess")
    with pytest.raises(InputError, match=r"start\.actuation"):
        solve_qpcc(problem, start=Start(np.zeros(5)))
    with pytest.raises(InputError, match=r"start\.pieces"):
        solve_qpcc(problem, start=Start(None, np.array([0, 18])))
    with pytest.raises(InputError, match=r"hessian.* nan"):
        replace(problem, hessian=np.full((12, 12), np.nan))


@pytest.mark.parametrize("boxes", [4, 10])
def test_pure_contact_agrees_with_the_contact_solver(stacked_boxes, boxes):
    """16 and 40 contacts with W of half its rank, as a control problem with nothing to control."""
    stack = stacked_boxes(boxes)
    rows = 12 * boxes
    problem = ControlProblem(1e-3 * np.eye(rows), np.zeros(rows), [], [], np.empty((rows, 0)), stack)
    answer = solve_qpcc(problem, "search", Budget(300))
    assert answer.solved and answer.residuals.worst < 1e-6
    lemke = solve_contact(stack, method="lemke")
    assert lemke.solved
    carried = answer.impulses.reshape(boxes, 4, 3)[:, :, 0].sum(axis=1)
    assert carried == pytest.approx(lemke.impulses.reshape(boxes, 4, 3)[:, :, 0].sum(axis=1), rel=1e-6)
    assert np.allclose(answer.velocities, lemke.velocities, atol=1e-8)


@pytest.mark.parametrize("seed", range(4))
def test_pure_contact_equals_lemke_where_the_answer_is_unique(random_contacts, seed):
    contacts = random_contacts(4, 30, seed)
    problem = ControlProblem(np.eye(12), np.zeros(12), [], [], np.empty((12, 0)), contacts)
    answer, lemke = solve_qpcc(problem, "certified"), solve_contact(contacts, method="lemke")
    assert lemke.solved and answer.solved
    assert np.allclose(answer.impulses, lemke.impulses, atol=1e-6 * np.abs(lemke.impulses).max())
