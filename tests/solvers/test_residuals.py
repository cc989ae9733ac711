from dataclasses import replace

import numpy as np
import pytest

from hydrostat.errors import InputError
from hydrostat.solvers.contact import solve_contact
from hydrostat.solvers.problems import ContactProblem
from hydrostat.solvers.residuals import contact_residuals


def test_resting_body_has_none_and_each_error_has_its_name(body_on_ground):
    problem = body_on_ground([-1.0, 0.2, 0.0], mass=2.0, friction=0.5)  # sticks with p = (2, -0.4, 0)
    assert contact_residuals(problem, np.array([2.0, -0.4, 0.0])).worst < 1e-15
    light = contact_residuals(problem, np.array([1.0, -0.4, 0.0]))
    assert light.non_penetration == pytest.approx(0.5)  # of the characteristic velocity, 1 m/s
    heavy = contact_residuals(problem, np.array([3.0, -0.4, 0.0]))
    assert heavy.complementarity == pytest.approx(0.5) and heavy.non_penetration == 0.0
    sideways = contact_residuals(problem, np.array([2.0, 1.4, 0.0]))
    assert sideways.cone == pytest.approx((1.4 / 2 - 0.5) * np.cos(np.pi / 8), rel=1e-12)
    lazy = contact_residuals(problem, np.array([2.0, 0.0, 0.0]))
    assert lazy.dissipation == pytest.approx(0.5 * 0.2) and lazy.cone == 0.0
    pulled = contact_residuals(problem, np.array([-1.0, 0.0, 0.0]))
    assert pulled.cone == pytest.approx(0.5)


def test_friction_off_its_line_is_seen(body_on_ground):
    problem = body_on_ground([-1.0, 0.0, 0.0], friction=[0.5, 0, 0, 0, 0.5, 0, 0, 0])
    for aside in (-0.5, 0.5):
        assert contact_residuals(problem, np.array([2.0, 0.0, aside])).cone == pytest.approx(0.25)


def test_a_penetration_at_rest_has_its_own_scale(body_on_ground):
    problem = body_on_ground([0.0, 0.0, 0.0], clearance=-1e-5)
    assert contact_residuals(problem, np.zeros(3)).non_penetration == pytest.approx(1.0)


def test_a_stated_speed_is_the_least_scale(body_on_ground):
    still = body_on_ground([-1e-9, 0.0, 0.0])
    assert contact_residuals(still, np.zeros(3)).worst == pytest.approx(1.0)
    assert contact_residuals(replace(still, speed=0.1), np.zeros(3)).worst == pytest.approx(1e-8)
    fast = body_on_ground([-1.0, 0.0, 0.0])
    assert contact_residuals(replace(fast, speed=0.1), np.zeros(3)).worst == pytest.approx(1.0)


def test_friction_that_pushes_is_seen(body_on_ground):
    problem = body_on_ground([-1.0, 5.0, 0.0], friction=0.5)
    right = np.array([2.0, -1.0, 0.0])
    assert contact_residuals(problem, right).worst < 1e-15
    assert contact_residuals(problem, right * [1, -1, 1]).dissipation > 0.1


@pytest.mark.parametrize("seed", range(5))
def test_perturbed_solutions_are_rejected(random_contacts, seed):
    problem = random_contacts(4, 30, seed)
    solution = solve_contact(problem)
    assert solution.residuals.worst < 1e-8
    size = np.abs(solution.impulses).max()
    for row in range(12):
        wrong = solution.impulses.copy()
        wrong[row] += 1e-3 * size
        assert contact_residuals(problem, wrong).worst > 1e-5


@pytest.mark.parametrize(("velocity", "impulse"), [(1e-6, 1e5), (1e6, 1e-4)])
def test_residuals_have_no_unit(random_contacts, velocity, impulse):
    problem = random_contacts(3, 20, 0)
    other = ContactProblem(
        problem.delassus * velocity / impulse,
        problem.velocities * velocity,
        problem.clearance * velocity,
        problem.friction,
    )
    p = np.random.default_rng(0).normal(size=9)
    here, there = contact_residuals(problem, p), contact_residuals(other, p * impulse)
    for name in ("non_penetration", "cone", "complementarity", "dissipation"):
        assert getattr(there, name) == pytest.approx(getattr(here, name), rel=1e-10)
        assert getattr(here, name) > 0.01


def test_wrong_shape_is_refused(body_on_ground):
    with pytest.raises(InputError, match="impulses have shape"):
        contact_residuals(body_on_ground([0.0, 0.0, 0.0]), np.zeros(2))
