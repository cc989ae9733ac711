import numpy as np
import pytest

from hydrostat.errors import InputError
from hydrostat.solvers.contact import ContactStatus, solve_contact
from hydrostat.solvers.friction import DIRECTIONS, isotropic
from hydrostat.solvers.iterations import sweep
from hydrostat.solvers.pieces import FREE, SLIDE_ALONG, STICK
from hydrostat.solvers.problems import ContactProblem

METHODS = ["warm", "lemke"]
# Of the characteristic impulse: the solvers' ridge moves impulses by about 1e-10.
EXACT = 1e-9


def close(value, expected):
    return np.allclose(value, expected, rtol=0.0, atol=EXACT * max(1.0, np.abs(expected).max()))


@pytest.mark.parametrize("method", METHODS)
class TestOneBody:
    """A particle of 2 kg that would hit the ground at 1 m/s: normal impulse 2 N·s, friction at most 1 N·s."""

    def test_sticks(self, body_on_ground, method):
        solution = solve_contact(body_on_ground([-1.0, 0.3, -0.2]), method=method)
        assert close(solution.impulses, [2.0, -0.6, 0.4]) and close(solution.velocities, [0, 0, 0])
        assert solution.modes.tolist() == [1] and solution.status is ContactStatus.SOLVED

    @pytest.mark.parametrize("k", range(8))
    def test_slides_against_its_motion(self, body_on_ground, method, k):
        solution = solve_contact(body_on_ground([-1.0, *(-3.0 * DIRECTIONS[k])]), method=method)
        assert close(solution.impulses, [2.0, *(1.0 * DIRECTIONS[k])])
        assert close(solution.velocities, [0.0, *(-2.5 * DIRECTIONS[k])])
        assert solution.modes.tolist() == [2]

    @pytest.mark.parametrize("angle", [0.0, np.pi / 4, 5 * np.pi / 4, np.pi / 8, 7 * np.pi / 8])
    def test_friction_limit(self, body_on_ground, method, angle):
        # along a direction the octagon reaches μ, between two of them μ cos 22.5°
        away = abs((angle + np.pi / 8) % (np.pi / 4) - np.pi / 8)
        limit = 0.5 * np.cos(np.pi / 8) / np.cos(np.pi / 8 - away)
        motion = np.array([0.0, np.cos(angle), np.sin(angle)])
        below = solve_contact(body_on_ground([-1.0, 0, 0] + 0.999 * limit * motion), method=method)
        above = solve_contact(body_on_ground([-1.0, 0, 0] + 1.001 * limit * motion), method=method)
        at_limit = solve_contact(body_on_ground([-1.0, 0, 0] + limit * motion), method=method)
        assert below.modes.tolist() == [1] and close(below.velocities, np.zeros(3))
        assert above.modes.tolist() == [2] and above.velocities[1:] @ motion[1:] > 1e-5
        assert close(at_limit.velocities, np.zeros(3)) and close(at_limit.impulses, [2, 0, 0] - 2 * limit * motion)

    def test_lifts_off(self, body_on_ground, method):
        solution = solve_contact(body_on_ground([0.1, 2.0, 0.0]), method=method)
        assert not solution.impulses.any() and solution.modes.tolist() == [0]
        touching = solve_contact(body_on_ground([0.0, 2.0, 0.0]), method=method)
        assert close(touching.impulses, np.zeros(3))

    def test_clearance_lets_fall_and_penetration_pushes_out(self, body_on_ground, method):
        falling = solve_contact(body_on_ground([-1.0, 0.5, 0.0], clearance=1.5), method=method)
        assert not falling.impulses.any()
        landing = solve_contact(body_on_ground([-1.0, 0.0, 0.0], clearance=0.25), method=method)
        assert close(landing.velocities, [-0.25, 0, 0]) and close(landing.impulses, [1.5, 0, 0])
        inside = solve_contact(body_on_ground([0.0, 0.0, 0.0], clearance=-0.25), method=method)
        assert close(inside.velocities, [0.25, 0, 0])

    def test_frictionless(self, body_on_ground, method):
        solution = solve_contact(body_on_ground([-1.0, 0.5, 0.1], friction=0.0), method=method)
        assert close(solution.impulses, [2, 0, 0]) and close(solution.velocities, [0, 0.5, 0.1])

    def test_slope(self, body_on_ground, method):
        # g dt = 0.1 m/s: rests below the critical angle tan α = μ, else slides at g dt (sin α - μ cos α)
        for angle, slips in ((0.46, False), (0.47, True)):
            fall = 0.1 * np.array([-np.cos(angle), np.sin(angle), 0.0])
            solution = solve_contact(body_on_ground(fall), method=method)
            expected = 0.1 * (np.sin(angle) - 0.5 * np.cos(angle)) if slips else 0.0
            assert close(solution.velocities, [0.0, expected, 0.0])
            assert (expected > 0) == slips

    def test_ten_times_the_friction_one_way(self, body_on_ground, method):
        friction = np.full(8, 0.1)
        friction[0] = 1.0  # resists motion along -tangent 1 only
        back = solve_contact(body_on_ground([-1.0, -0.9, 0.0], friction=friction), method=method)
        assert back.modes.tolist() == [1] and close(back.impulses, [2, 1.8, 0])
        forth = solve_contact(body_on_ground([-1.0, 0.9, 0.0], friction=friction), method=method)
        assert forth.modes.tolist() == [2] and close(forth.impulses, [2, -0.2, 0])
        aside = solve_contact(body_on_ground([-1.0, 0.0, 5.0], friction=friction), method=method)
        assert close(aside.impulses[:1], [2.0]) and aside.impulses[2] == pytest.approx(-0.2)
        slanted = solve_contact(body_on_ground([-1.0, -9.0, 1.0], friction=friction), method=method)
        assert close(slanted.impulses, [2, 2, 0]) and slanted.pieces.tolist() == [SLIDE_ALONG]


def test_friction_along_one_line_only(body_on_ground):
    friction = [0.5, 0, 0, 0, 0.5, 0, 0, 0]
    for method in METHODS:
        solution = solve_contact(body_on_ground([-1.0, 0.2, 0.7], friction=friction), method=method)
        assert close(solution.impulses, [2, -0.4, 0]) and close(solution.velocities, [0, 0, 0.7])
        fast = solve_contact(body_on_ground([-1.0, -4.0, -0.7], friction=friction), method=method)
        assert close(fast.impulses, [2, 1, 0])


def test_no_contacts():
    problem = ContactProblem(np.zeros((0, 0)), np.zeros(0), np.zeros(0), np.zeros((0, 8)))
    for method in METHODS:
        solution = solve_contact(problem, method=method)
        assert solution.solved and solution.impulses.shape == (0,) and solution.modes.shape == (0,)


@pytest.mark.parametrize(("count", "freedoms"), [(1, 6), (4, 40), (8, 60), (16, 90)])
def test_the_two_methods_agree(random_contacts, count, freedoms):
    for seed in range(4):
        problem = random_contacts(count, freedoms, seed)
        fast, reference = solve_contact(problem), solve_contact(problem, method="lemke")
        assert fast.solved and reference.solved
        assert close(fast.impulses, reference.impulses)
        assert fast.method == "pieces"  # the reference was not needed


def test_sweeps_alone_converge_to_the_same_octagon(random_contacts):
    # what the search over pieces falls back to in the end
    for seed in range(4):
        problem = random_contacts(4, 40, seed)
        scaled = problem.scaled
        swept = sweep(scaled.ridged, scaled.velocities, scaled.clearance, problem.polygons, np.ones(12), 3000)
        assert close(swept * scaled.impulse, solve_contact(problem, method="lemke").impulses)


def test_degenerate_contacts_are_solved_by_both_methods():
    # equal contacts, few degrees of freedom, round numbers that tie, directions without friction
    rng = np.random.default_rng(1)
    for _ in range(150):
        count = rng.integers(2, 7)
        jacobian = np.round(3 * rng.normal(size=(3 * count, rng.choice([3, 6, 2 * count]))))
        jacobian[3:6] = jacobian[:3]
        friction = rng.choice([0.0, 0.1, 0.5, 2.0], size=(count, 8))
        velocities = jacobian @ np.round(2 * rng.normal(size=jacobian.shape[1]))
        problem = ContactProblem(jacobian @ jacobian.T, velocities, np.zeros(count), friction)
        assert solve_contact(problem).solved and solve_contact(problem, method="lemke").solved


@pytest.mark.parametrize(("count", "freedoms"), [(4, 6), (16, 6), (16, 24)])
def test_more_contacts_than_freedoms(random_contacts, count, freedoms):
    for seed in range(4):
        problem = random_contacts(count, freedoms, seed)
        fast, reference = solve_contact(problem), solve_contact(problem, method="lemke")
        assert fast.solved and reference.solved
        assert np.allclose(fast.velocities, reference.velocities, atol=1e-7)


@pytest.mark.parametrize("boxes", [1, 2, 4, 10])
def test_a_stack_of_boxes_carries_its_weight(stacked_boxes, boxes):
    solution = solve_contact(stacked_boxes(boxes))
    assert solution.solved
    assert np.abs(solution.velocities).max() < 1e-7
    carried = solution.impulses.reshape(boxes, 4, 3)[:, :, 0].sum(axis=1)
    assert np.allclose(carried, 0.0981 * np.arange(boxes, 0, -1), rtol=1e-6)


def test_a_pushed_stack_slides_on_its_top_box(stacked_boxes):
    solution = solve_contact(stacked_boxes(2, push=1.0))
    assert solution.solved
    top = solution.impulses.reshape(2, 4, 3)[1].sum(axis=0)
    assert top[0] == pytest.approx(0.0981) and top[1] == pytest.approx(-0.5 * 0.0981)


@pytest.mark.parametrize("method", METHODS)
def test_order_of_contacts_does_not_matter(random_contacts, method):
    problem = random_contacts(5, 40, 3)
    order = np.array([3, 0, 4, 1, 2])
    rows = (3 * order[:, None] + np.arange(3)).ravel()
    permuted = ContactProblem(
        problem.delassus[np.ix_(rows, rows)],
        problem.velocities[rows],
        problem.clearance[order],
        problem.friction[order],
    )
    here, there = solve_contact(problem, method=method), solve_contact(permuted, method=method)
    assert close(here.impulses[rows], there.impulses)
    assert here.pieces[order].tolist() == there.pieces.tolist()


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(("velocity", "impulse"), [(1e-8, 1e4), (1e4, 1e-8), (1e4, 1e4), (1.0, 1e-12)])
def test_units_do_not_matter(random_contacts, method, velocity, impulse):
    problem = random_contacts(4, 30, 5)
    other = ContactProblem(
        problem.delassus * velocity / impulse,
        problem.velocities * velocity,
        problem.clearance * velocity,
        problem.friction,
    )
    here, there = solve_contact(problem, method=method), solve_contact(other, method=method)
    assert there.solved and close(there.impulses / impulse, here.impulses)


def test_light_and_heavy_contacts_in_one_problem(body_on_ground):
    masses = np.repeat([1e-6, 1.0, 1e6], 3)
    problem = ContactProblem(np.diag(1 / masses), np.tile([-1.0, 0.2, 3.0], 3), np.zeros(3), isotropic(np.full(3, 0.5)))
    for method in METHODS:
        solution = solve_contact(problem, method=method)
        assert solution.solved
        assert np.allclose(solution.impulses[::3], [1e-6, 1.0, 1e6], rtol=1e-6)


def test_a_warm_start_never_changes_the_answer(random_contacts):
    rng = np.random.default_rng(0)
    for seed in range(6):
        problem = random_contacts(4, 30, seed)
        cold = solve_contact(problem)
        for pieces in (cold.pieces, np.full(4, FREE), np.full(4, STICK), rng.integers(0, 18, size=4)):
            warm = solve_contact(problem, pieces)
            assert warm.solved and close(warm.impulses, cold.impulses)
        assert solve_contact(problem, cold.pieces).iterations == 1


def test_wrong_pieces_are_repaired(body_on_ground):
    # a body that slides, started as stuck: solve as stuck, see it slide, solve again
    solution = solve_contact(body_on_ground([-1.0, 3.0, 0.0]), np.array([STICK]))
    assert solution.method == "warm" and solution.iterations == 2
    assert solution.pieces.tolist() == [SLIDE_ALONG + 4]


@pytest.mark.parametrize("method", METHODS)
def test_what_cannot_be_solved_fails_by_name(method):
    # contacts that nothing can move, and two that demand opposite velocities of one body
    immovable = ContactProblem(np.zeros((3, 3)), np.array([-1.0, 0, 0]), np.zeros(1), isotropic(np.array([0.5])))
    one = np.array([[1.0, 0, 0], [0, 1, 0], [0, 0, 1]])
    jacobian = np.vstack([one, -one])
    vice = ContactProblem(jacobian @ jacobian.T, np.zeros(6), np.array([-1.0, -1.0]), isotropic(np.array([0.5, 0.5])))
    for problem in (immovable, vice):
        solution = solve_contact(problem, method=method)
        assert solution.status is ContactStatus.FAILED and not solution.solved
        assert np.isfinite(solution.impulses).all() and np.isfinite(solution.residuals.worst)
        assert "failed" in str(solution.status)


def test_bad_input_is_refused(body_on_ground):
    good = body_on_ground([-1.0, 0.0, 0.0])
    arrays = {name: getattr(good, name) for name in good.__dataclass_fields__}
    for name, wrong, words in (
        ("velocities", [np.nan, 0, 0], "velocities.* nan"),
        ("friction", -np.ones((1, 8)), r"friction\[0, 0\] is -1"),
        ("friction", np.ones((1, 4)), "friction has shape"),
        ("delassus", np.eye(2), "delassus has shape"),
        ("delassus", np.array([[1.0, 0.5, 0], [0, 1, 0], [0, 0, 1]]), "delassus is not symmetric"),
        ("delassus", -np.eye(3), "delassus.* is -1"),
        ("clearance", [np.inf], "clearance.* inf"),
    ):
        with pytest.raises(InputError, match=words):
            ContactProblem(**{**arrays, name: np.array(wrong)})
    with pytest.raises(InputError, match="warm_pieces"):
        solve_contact(good, np.array([FREE, FREE]))
    with pytest.raises(InputError, match="method"):
        solve_contact(good, method="guess")
