"""Controllers: the program they solve is the cost of their goals, and they reach what can be reached."""

from dataclasses import replace

import numpy as np
import pytest

from hydrostat.actuation.muscles import MuscleGroup, build_muscles, longitudinal
from hydrostat.bodies.fem import FemBody
from hydrostat.control.controllers import PIECES, GoalController, Passive, control_problem, start_of
from hydrostat.control.goals import AngularMomentum, LinearMomentum, Moment, Velocity, constant
from hydrostat.control.places import centre_of_mass
from hydrostat.control.plans import Plan, always
from hydrostat.errors import InputError
from hydrostat.geometry.primitives import box_tets
from hydrostat.geometry.tetrahedra import TetMesh
from hydrostat.solvers.pieces import FREE, STICK
from hydrostat.stepping.step import step
from hydrostat.stepping.world import World

BOX = box_tets((0.3, 0.6, 0.3), (2, 4, 2))
MESH = TetMesh(BOX.vertices + [0.0, 0.3, 0.0], BOX.tets)
FIBRES = [longitudinal((x, 0.05, z), (x, 0.55, z), 3) for x in (-0.1, 0.1) for z in (-0.1, 0.1)]
WORLD = World(FemBody(MESH), build_muscles(MESH, [MuscleGroup("long", FIBRES)]))


def settled():
    """The body once it stands on the ground and bears its weight."""
    state = WORLD.rest_state()
    for _ in range(60):
        state, _ = step(WORLD, state, Passive())
    return state


STATE = settled()
GOALS = [
    LinearMomentum(centre_of_mass(WORLD), constant((0.0, 0.28, 0.0)), weight=2.0, axes=(1.0, 1.0, 0.5)),
    AngularMomentum(damping=3.0, weight=0.3),
]


def cost(actuation, impulses, effort, change):
    """Straight from the velocities of all nodes: Σ ½ weight (C v⁺ − d)² + ½ effort a² + ½ change (a − a_before)²."""
    contacts, system = WORLD.touch(STATE), WORLD.linearise(STATE)
    velocities = system.advance(actuation, contacts.rows.T @ impulses)
    total = 0.0
    for goal in GOALS:
        rows = goal.rows(Moment(WORLD, STATE, contacts))
        total += 0.5 * rows.weight @ (rows.matrix @ velocities - rows.target) ** 2
    activation, before = WORLD.muscles.activation(actuation), WORLD.muscles.activation(STATE.actuation)
    return total + 0.5 * effort * activation @ activation + 0.5 * change * np.sum((activation - before) ** 2)


def test_the_program_is_the_cost():
    contacts, system = WORLD.touch(STATE), WORLD.linearise(STATE)
    moment = Moment(WORLD, STATE, contacts)
    wishes = [goal.rows(moment) for goal in GOALS]
    response = system.reduce(np.concatenate([contacts.rows, *(wish.matrix for wish in wishes)]))
    problem = control_problem(moment, Plan(GOALS), response, wishes, 0.02, 0.05)
    rng = np.random.default_rng(4)
    differences = []
    for _ in range(4):
        u = rng.uniform(WORLD.muscles.lower, WORLD.muscles.upper)
        p = rng.normal(size=len(contacts.rows))
        differences.append(problem.objective(u, p) - cost(u, p, 0.02, 0.05))
    assert np.abs(differences).max() < 1e-9


def test_the_decision_is_better_than_its_neighbours():
    """At the chosen muscles no feasible change of them (contacts kept static) costs less."""
    controller = GoalController(always(GOALS), effort=1e-3, change=1e-3, method="static")
    contacts, system = WORLD.touch(STATE), WORLD.linearise(STATE)
    decision = controller.decide(WORLD, STATE, system, contacts)
    assert (decision.modes == 1).all()
    response = system.reduce(contacts.rows)
    rng = np.random.default_rng(8)
    best = cost(decision.actuation, decision.impulses, 1e-3, 1e-3)
    for _ in range(20):
        other = np.clip(
            decision.actuation + 0.01 * rng.normal(size=decision.actuation.shape), system.lower, system.upper
        )
        free = response.free + response.actuation @ other + np.repeat(contacts.clearance, 3) * np.tile([1, 0, 0], 4)
        impulses = -np.linalg.solve(response.compliance, free)
        assert cost(other, impulses, 1e-3, 1e-3) > best - 1e-9 * abs(best)


def test_prediction_equals_simulation():
    """The static contacts that the program assumed are what the whole body then does."""
    controller = GoalController(always(GOALS))
    after, report = step(WORLD, STATE, controller)
    contact_velocities = report.contacts.rows @ after.velocities.ravel()
    expected = report.decision.problem.velocities + report.decision.problem.delassus @ report.decision.impulses
    assert np.allclose(contact_velocities, expected, atol=1e-12)
    assert report.residuals.worst < 1e-8


def test_a_reachable_velocity_is_reached():
    """In the air without gravity, relative motion of the two ends can be had exactly."""
    world = replace(WORLD, gravity=(0.0, 0.0, 0.0))
    state = replace(world.rest_state(2.0), actuation=0.8 * world.muscles.rest_lengths)
    top, bottom = np.isclose(MESH.vertices[:, 1], 0.6), np.isclose(MESH.vertices[:, 1], 0.0)
    stretch = top / top.sum() - bottom / bottom.sum()
    goal = Velocity(stretch, constant((0.0, -0.05, 0.0)), axes=(0.0, 1.0, 0.0))
    after, _ = step(world, state, GoalController(always([goal]), effort=0.0, change=1e-9))
    assert np.isclose((stretch @ after.velocities)[1], -0.05, atol=1e-5)


def test_where_static_contact_is_impossible_the_fallback_keeps_the_muscles():
    """A body that is flung upwards cannot stick: the last muscles are kept, the contacts let go, and nothing fails."""
    state = replace(STATE, velocities=np.full(MESH.vertices.shape, [0.0, 30.0, 0.0]))
    after, report = step(WORLD, state, GoalController(always(GOALS), method="static"))
    assert np.array_equal(report.decision.actuation, state.actuation)
    assert (report.decision.modes == 0).all()
    assert report.residuals.worst < 1e-8
    assert after.velocities[:, 1].min() > 10.0


def test_muscles_stay_in_their_bounds():
    state = STATE
    goal = LinearMomentum(centre_of_mass(WORLD), constant((0.3, 0.1, 0.0)), 400.0, 10.0)
    for _ in range(10):
        state, _ = step(WORLD, state, GoalController(always([goal]), 0.0, 1e-6))
        assert (state.actuation >= WORLD.muscles.lower - 1e-12).all()
        assert (state.actuation <= WORLD.muscles.upper + 1e-12).all()


def test_passive_keeps_the_muscles():
    actuation = 0.9 * WORLD.muscles.rest_lengths
    after, report = step(WORLD, replace(STATE, actuation=actuation), Passive())
    assert np.array_equal(after.actuation, actuation)
    assert report.milliseconds.keys() == {"simulation", "reduction", "optimisation"}


def test_a_search_begins_with_free_patches_where_nodes_are_to_leave():
    """The left edge of the block is to leave: one patch lies on it, another one touches it."""
    contacts = WORLD.touch(STATE)
    state = replace(STATE, memory={PIECES: np.full(len(contacts), float(STICK))})
    edge = np.flatnonzero(MESH.vertices[:, 0] < -0.14)
    pieces = start_of(state, contacts, Plan([], leaving=edge)).pieces
    on_the_edge = contacts.points[:, 0] < -0.14
    assert on_the_edge.sum() == 1
    assert np.array_equal(pieces, np.where(on_the_edge, FREE, STICK))
    assert (start_of(state, contacts, Plan([])).pieces == STICK).all()


def test_memory_keeps_its_shape_where_nothing_touches():
    """Recordings want one shape in all frames; and what is remembered in the air is no patch."""
    controller = GoalController(always(GOALS), method="static")
    flying = WORLD.rest_state(height=1.0)
    for before in (STATE, flying, replace(flying, memory={"pieces": np.array([1.0, -1.0, -1.0, -1.0])})):
        after, report = step(WORLD, before, controller)
        assert after.memory["pieces"].shape == (WORLD.patches.count,)
        assert np.count_nonzero(after.memory["pieces"] >= 0.0) == len(report.contacts)


@pytest.mark.parametrize(
    ("goal", "word"),
    [
        (Velocity(centre_of_mass(WORLD), constant((np.nan, 0.0, 0.0))), "target of the goal Velocity"),
        (AngularMomentum(damping=np.inf), "target of the goal AngularMomentum"),
        (LinearMomentum(centre_of_mass(WORLD), constant((0.0, 0.28, 0.0)), weight=-1.0), "weight of the goal Linear"),
    ],
)
def test_wishes_that_are_none_are_refused_by_name(goal, word):
    with pytest.raises(InputError, match=word):
        step(WORLD, STATE, GoalController(always([goal])))


def test_a_body_without_muscles_has_nothing_to_control():
    bare = World(FemBody(MESH))
    with pytest.raises(InputError, match="without muscles"):
        step(bare, bare.rest_state(), GoalController(always(GOALS)))
