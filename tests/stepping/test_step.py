"""A step of a world against physics: momentum, convergence, restart, prediction."""

from dataclasses import replace

import numpy as np
import pytest

from hydrostat.actuation.muscles import MuscleGroup, build_muscles, longitudinal
from hydrostat.bodies.fem import FemBody, Material
from hydrostat.contact.friction import Friction
from hydrostat.contact.ground import Heightfield
from hydrostat.contact.patches import PatchOptions
from hydrostat.control.controllers import Passive
from hydrostat.errors import InputError, StepError
from hydrostat.geometry.primitives import box_tets
from hydrostat.geometry.tetrahedra import TetMesh
from hydrostat.stepping.forces import Push, shares_near
from hydrostat.stepping.step import lift, step
from hydrostat.stepping.world import World

BOX = box_tets((0.3, 0.6, 0.3), (2, 4, 2))
MESH = TetMesh(BOX.vertices + [0.0, 0.3, 0.0], BOX.tets)
FIBRES = [longitudinal((x, 0.05, z), (x, 0.55, z), 3) for x in (-0.1, 0.1) for z in (-0.1, 0.1)]


def world_with(mass_damping=0.0, **options):
    body = FemBody(MESH, Material(mass_damping=mass_damping))
    return World(body, build_muscles(MESH, [MuscleGroup("long", FIBRES)]), **options)


def run(world, state, steps):
    for _ in range(steps):
        state, report = step(world, state, Passive())
    return state, report


def momenta(world, state):
    masses = world.body.masses[:, None]
    linear = (masses * state.velocities).sum(axis=0)
    return linear, np.cross(state.positions, masses * state.velocities).sum(axis=0)


def test_a_free_body_keeps_its_momentum_while_its_muscles_work():
    """Far from the ground, without gravity, contracting unevenly: nothing from inside moves the whole."""
    world = world_with(gravity=(0.0, 0.0, 0.0))
    rng = np.random.default_rng(3)
    state = world.rest_state(5.0)
    state = replace(state, velocities=rng.normal(size=state.positions.shape))
    before = momenta(world, state)
    for index in range(30):
        pulled = world.muscles.upper * (1.0 - 0.5 * rng.uniform(size=len(world.muscles.upper)) * (index % 3 == 0))
        state, report = step(world, replace(state, actuation=pulled), Passive())
        assert len(report.contacts) == 0
    after = momenta(world, state)
    moved = np.linalg.norm(state.velocities, axis=1).max()
    assert moved > 0.2
    assert np.allclose(after[0], before[0], rtol=0, atol=1e-11 * world.body.mass)
    assert np.allclose(after[1], before[1], rtol=0, atol=1e-10 * world.body.mass)


def test_a_falling_body_falls_freely():
    world = world_with()
    state, _ = run(world, world.rest_state(10.0), 30)
    linear, _ = momenta(world, state)
    assert np.allclose(linear, [0, -9.81 * 0.5 * world.body.mass, 0], atol=1e-9 * world.body.mass)
    steps = 30
    fallen = 9.81 * world.dt**2 * steps * (steps + 1) / 2
    assert np.allclose(state.positions, world.body.rest_positions + [0, 10 - fallen, 0], atol=1e-9)


def test_momentum_changes_by_gravity_contact_and_push_alone():
    push = Push(shares_near(MESH.vertices, np.ones(len(MESH.vertices)), (0, 0.6, 0), 0.2), (30.0, 0, 5.0), 0.1, 0.2)
    world = world_with(forces=(push,))
    state = world.rest_state(0.02)
    touched = 0
    for _ in range(40):
        before = momenta(world, state)[0]
        time = state.time
        state, report = step(world, state, Passive())
        impulse = np.einsum(
            "cri,cr->i", report.contacts.frames, report.decision.impulses.reshape(-1, 3)
        ) + world.dt * world.body.mass * np.array(world.gravity)
        impulse = impulse + world.dt * push.forces(time, state.positions).sum(axis=0)
        touched += report.decision.impulses.any()
        assert np.allclose(momenta(world, state)[0] - before, impulse, atol=1e-9 * world.body.mass)
        assert report.residuals.worst < 1e-8
    assert touched > 20


def test_at_rest_the_ground_carries_the_weight():
    world = world_with(mass_damping=3.0)
    state, report = run(world, world.rest_state(), 400)
    force = report.decision.impulses.reshape(-1, 3).sum(axis=0) / world.dt
    weight = 9.81 * world.body.mass
    assert np.allclose(force, [weight, 0, 0], atol=1e-6 * weight)
    assert np.abs(state.velocities).max() < 1e-6
    assert (report.decision.modes == 1).all()


def test_first_order_in_dt():
    """A swinging bar (no contact): halving dt halves the error against a run with a much smaller step."""
    bend = 0.3 * (MESH.vertices[:, 1] - 0.3) ** 2

    def shape(dt):
        world = world_with(gravity=(0.0, 0.0, 0.0), dt=dt)
        state = world.rest_state(3.0)
        state = replace(state, positions=state.positions + np.outer(bend, [1.0, 0, 0]))
        return run(world, state, round(0.08 / dt))[0].positions

    exact = shape(0.08 / 512)
    errors = [np.abs(shape(0.08 / n) - exact).max() for n in (8, 16, 32)]
    rates = np.log2(np.array(errors[:-1]) / np.array(errors[1:]))
    assert ((rates > 0.75) & (rates < 1.35)).all()


def test_restart_equals_continue_to_the_bit():
    world = world_with(friction=Friction(0.4))
    start = replace(world.rest_state(0.05), velocities=np.full(MESH.vertices.shape, [0.5, 0.0, 0.1]))
    middle, _ = run(world, start, 15)
    straight, _ = run(world, middle, 15)
    copied = replace(
        middle,
        positions=middle.positions.copy(),
        velocities=middle.velocities.copy(),
        actuation=middle.actuation.copy(),
    )
    again, _ = run(world_with(friction=Friction(0.4)), copied, 15)
    assert again.positions.tobytes() == straight.positions.tobytes()
    assert again.velocities.tobytes() == straight.velocities.tobytes()


def test_response_predicts_the_step():
    """What a controller reads from the reduced system is what the simulator does, to rounding."""
    world = world_with()
    state = replace(world.rest_state(), velocities=np.full(MESH.vertices.shape, [0.1, -0.2, 0.0]))
    contacts, system = world.touch(state), world.linearise(state)
    rng = np.random.default_rng(0)
    goals = rng.normal(size=(5, MESH.vertices.size))
    response = system.reduce(np.concatenate([contacts.rows, goals]))
    actuation = rng.uniform(system.lower, system.upper)
    impulses = rng.normal(size=len(contacts.rows))
    velocities = system.advance(actuation, contacts.rows.T @ impulses)
    touching = len(impulses)
    predicted = response.free + response.actuation @ actuation + response.compliance[:, :touching] @ impulses
    assert np.allclose(response.rows @ velocities, predicted, rtol=0, atol=1e-11 * np.abs(predicted).max())


def test_a_body_without_muscles_drops_and_rests():
    world = replace(world_with(), muscles=None, patches=PatchOptions(count=2))
    state, report = run(world, world.rest_state(0.03), 60)
    assert len(report.contacts) == 2
    assert world.ground.gaps(state.positions).min() > -2e-3


def test_a_body_rests_on_hills():
    """On a heightfield too the ground carries the weight, and no node sinks in."""
    x = np.linspace(-1.0, 1.0, 41)
    hills = Heightfield(0.05 * np.sin(4.0 * x)[None, :] * np.cos(3.0 * x)[:, None], 0.05, (-1.0, -1.0))
    world = world_with(mass_damping=4.0, ground=hills, friction=Friction(1.5))
    state = world.rest_state(0.1)
    forces = []
    for _ in range(300):
        state, report = step(world, state, Passive())
        impulses = np.einsum("cri,cr->i", report.contacts.frames, report.decision.impulses.reshape(-1, 3))
        forces.append(impulses / world.dt)
    weight = 9.81 * world.body.mass
    assert np.allclose(np.mean(forces[-60:], axis=0), [0.0, weight, 0.0], atol=0.01 * weight)
    assert hills.gaps(state.positions).min() > -5e-3


@pytest.mark.parametrize(("heading", "coefficient"), [(1.0, 0.1), (-1.0, 1.0)])
def test_a_body_with_scales_slides_forward_and_not_backward(heading, coefficient):
    """Stopping distance v²/2μg with the μ of its own direction: backward friction is ten times the forward one."""
    flat = box_tets((0.4, 0.1, 0.3), (4, 1, 3))
    body = FemBody(TetMesh(flat.vertices + [0.0, 0.05, 0.0], flat.tets))
    world = World(body, friction=Friction(0.1, backward=1.0), dt=1 / 480)
    state, _ = run(world, world.rest_state(), 50)
    start = body.masses @ state.positions / body.mass
    speed = 0.8
    state = replace(state, velocities=state.velocities + [heading * speed, 0.0, 0.0])
    state, _ = run(world, state, round(1.1 * speed / (coefficient * 9.81) / world.dt))
    way = (body.masses @ state.positions / body.mass - start)[0] * heading
    assert way == pytest.approx(speed**2 / (2 * coefficient * 9.81), rel=0.03)


@pytest.mark.parametrize("dt", [0.0, -0.01, float("nan"), float("inf")])
def test_time_steps_that_lead_nowhere_are_refused(dt):
    with pytest.raises(InputError, match="dt"):
        world_with(dt=dt)


def test_nan_in_the_state_is_an_error_that_says_so():
    world = world_with()
    state = world.rest_state(1.0)
    broken = state.velocities.copy()
    broken[3, 1] = np.nan
    with pytest.raises(StepError, match="velocities"):
        step(world, replace(state, velocities=broken), Passive())


def test_a_motion_that_blows_up_is_an_error_that_says_so():
    world = world_with()
    state = world.rest_state(1.0)
    with pytest.raises(StepError, match="blow-up"):
        step(world, replace(state, velocities=np.full_like(state.velocities, 2e3)), Passive())


def test_pushes_without_meaning_are_refused():
    with pytest.raises(InputError, match="duration"):
        Push(np.ones(3), (1.0, 0, 0), 0.0, 0.0)
    with pytest.raises(InputError, match="no node"):
        shares_near(MESH.vertices, np.ones(len(MESH.vertices)), (9.0, 0, 0), 0.1)


def test_nodes_that_a_lift_pushes_down_are_lifted_in_turn():
    """One edge deep in the ground: lifting it turns the slab, and its other side would sink."""
    mesh = box_tets((0.4, 0.2, 0.4), (4, 2, 4))
    world = World(FemBody(mesh))
    state = world.rest_state(-mesh.vertices[:, 1].min())
    depth = 0.0004 + 0.008 * np.clip((state.positions[:, 0] - 0.05) / 0.15, 0.0, 1.0) ** 2
    sunk = state.positions - np.outer(depth, [0.0, 1.0, 0.0])
    lifted = lift(world, world.linearise(state), sunk)
    assert world.ground.gaps(lifted).min() > -1.1 * world.patches.slack
