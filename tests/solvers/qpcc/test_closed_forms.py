"""One block, one contact, one actuator: when it sticks, slides and lifts, in closed form."""

import numpy as np
import pytest

from hydrostat.solvers.friction import isotropic
from hydrostat.solvers.pieces import FREE, MODE_FREE, MODE_SLIDE, MODE_STICK, STICK
from hydrostat.solvers.problems import ContactProblem, ControlProblem
from hydrostat.solvers.qpcc.solve import solve_pieces, solve_qpcc
from hydrostat.studies.t2012_figure3 import CENTRE, problem

MASS, GRAVITY, DT, FRICTION, ANGLE = 2.0, 9.81, 0.01, 0.5, 0.6
WEIGHT = MASS * GRAVITY * DT  # N·s
ALONG, UP = np.cos(ANGLE), np.sin(ANGLE)
SLIPS = FRICTION * WEIGHT / (ALONG + FRICTION * UP)  # pulls above this slide,
LIFTS = WEIGHT / UP  # above this lift
SURE = ("search", "certified", "enumerate")


def pulled(target, weight=(1.0, 1.0), effort=1e-9, most=10.0):
    """A block pulled by u along (UP, ALONG); the velocity of (normal, tangent 1) shall be the target (2,) m/s."""
    inverse = np.eye(3) / MASS
    response = np.array([[UP], [ALONG], [0.0]]) / MASS
    before = np.array([-WEIGHT / MASS, 0.0, 0.0])
    rows = np.concatenate([response, inverse], axis=1)[:2]
    wanted = np.asarray(target) - before[:2]
    hessian = rows.T @ (np.asarray(weight)[:, None] * rows)
    hessian[0, 0] += effort
    return ControlProblem(
        hessian,
        -rows.T @ (np.asarray(weight) * wanted),
        np.zeros(1),
        np.array([most]),
        response,
        ContactProblem(inverse, before, np.zeros(1), isotropic(np.array([FRICTION]))),
        impulse_effort=1e-12,
        constant=0.5 * float(wanted @ (np.asarray(weight) * wanted)),
    )


@pytest.mark.parametrize("method", SURE)
@pytest.mark.parametrize("share", [0.2, 0.9])
def test_a_block_that_shall_rest_sticks(method, share):
    # The pull itself has a target below the one at which the block would slip.
    problem = pulled((0.0, 0.0), effort=0.0, most=share * SLIPS)
    answer = solve_qpcc(problem, method)
    assert answer.solved and answer.modes == [MODE_STICK]
    assert answer.objective == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("method", SURE)
@pytest.mark.parametrize("speed", [0.01, 0.05])
def test_a_block_that_shall_move_is_pulled_just_as_hard_as_sliding_needs(method, speed):
    answer = solve_qpcc(pulled((0.0, speed)), method)
    pull = (MASS * speed + FRICTION * WEIGHT) / (ALONG + FRICTION * UP)
    assert SLIPS < pull < LIFTS
    assert answer.actuation == pytest.approx([pull], rel=1e-5)
    assert answer.modes == [MODE_SLIDE]
    normal = WEIGHT - pull * UP
    assert answer.impulses == pytest.approx([normal, -FRICTION * normal, 0.0], rel=1e-4, abs=1e-9)


@pytest.mark.parametrize("method", SURE)
def test_a_block_that_shall_rise_is_lifted(method):
    answer = solve_qpcc(pulled((0.2, 0.0), weight=(1.0, 0.0)), method)
    assert answer.actuation == pytest.approx([(WEIGHT + 0.2 * MASS) / UP], rel=1e-5)
    assert answer.actuation[0] > LIFTS and answer.modes == [MODE_FREE]
    assert np.array_equal(answer.impulses, np.zeros(3))


@pytest.mark.parametrize("share", [0.999, 1.001])
def test_it_slips_where_the_cone_ends(share):
    """As fast as possible along the ground, by a pull that is bounded just below or above the threshold."""
    answer = solve_qpcc(pulled((0.0, 9.0), weight=(0.0, 1.0), most=share * SLIPS), "certified")
    speed = (share - 1.0) * SLIPS * (ALONG + FRICTION * UP) / MASS
    assert answer.velocities[1] == pytest.approx(max(speed, 0.0), abs=1e-9)
    assert answer.modes == [MODE_SLIDE if share > 1.0 else MODE_STICK]


@pytest.mark.parametrize(("most", "mode"), [(0.999, MODE_SLIDE), (1.001, MODE_FREE)])
def test_it_lifts_where_the_weight_ends(most, mode):
    answer = solve_qpcc(pulled((0.0, 9.0), weight=(0.0, 1.0), most=most * LIFTS), "certified")
    assert answer.actuation == pytest.approx([most * LIFTS]) and answer.modes == [mode]


def test_static_contact_moves_nothing():
    answer = solve_qpcc(pulled((0.0, 0.05)), "static")
    assert answer.modes == [MODE_STICK] and answer.objective == pytest.approx(0.5 * 0.05**2)
    assert np.abs(answer.velocities).max() < 1e-12


def test_the_papers_pivots_end_where_the_first_minimiser_touches_nothing():
    """A block at rest that shall move: no small pull helps, so the static minimiser is inside its cone."""
    target = pulled((0.0, 0.05))
    assert solve_qpcc(target, "paper").objective == pytest.approx(solve_qpcc(target, "static").objective)
    assert solve_qpcc(target, "search").objective < 1e-6


def test_figure_3():
    """0 ≤ x ⟂ x - y - 2 ≥ 0: the first guess stops at the corner (0, -2), the pivot finds the best of the line."""
    example = problem()
    free, touching = solve_pieces(example, np.array([FREE])), solve_pieces(example, np.array([STICK]))
    assert [free.impulses[0], free.actuation[0]] == pytest.approx([0.0, -2.0], abs=1e-8)
    across = (CENTRE[0] + CENTRE[1] + 2.0) / 2.0
    assert [touching.impulses[0], touching.actuation[0]] == pytest.approx([across, across - 2.0], abs=1e-8)
    for method in SURE:
        assert solve_qpcc(example, method).objective == pytest.approx(touching.objective, abs=1e-9)
