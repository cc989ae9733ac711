"""Goals: every row is the rate of the quantity it stands for, by finite differences along a motion."""

from dataclasses import replace

import numpy as np
import pytest

from hydrostat.bodies.fem import FemBody
from hydrostat.control.goals import (
    AngularMomentum,
    BaseArea,
    Elongation,
    LinearMomentum,
    Moment,
    Position,
    Velocity,
    constant,
)
from hydrostat.control.places import body_point, centre_of_mass, mean_of
from hydrostat.geometry.primitives import box_tets
from hydrostat.stepping.world import World

MESH = box_tets((0.4, 0.6, 0.3), (2, 3, 2))
WORLD = World(FemBody(MESH))
RNG = np.random.default_rng(11)
STATE = replace(
    WORLD.rest_state(0.4),
    positions=MESH.vertices + [0.0, 0.4, 0.0] + 0.02 * RNG.normal(size=MESH.vertices.shape),
    velocities=RNG.normal(size=MESH.vertices.shape),
    time=0.7,
)
MOMENT = Moment(WORLD, STATE, WORLD.touch(STATE))
NEXT = RNG.normal(size=MESH.vertices.shape)  # any velocity at the end of the step
MASSES = WORLD.body.masses


def moved(positions, velocities, time):
    return positions + time * velocities


def rate(quantity, velocities, h=1e-6):
    """d quantity / dt when the nodes move with ``velocities``."""
    ahead, behind = (quantity(moved(STATE.positions, velocities, s * h)) for s in (1.0, -1.0))
    return (np.asarray(ahead) - np.asarray(behind)) / (2 * h)


def test_places_are_where_they_say():
    assert np.allclose(centre_of_mass(WORLD) @ STATE.positions, MASSES @ STATE.positions / MASSES.sum())
    point = body_point(WORLD, (0.1, 0.05, -0.02))
    assert np.allclose(point @ MESH.vertices, [0.1, 0.05, -0.02])
    assert np.allclose(mean_of(WORLD, [1, 4]) @ STATE.positions, STATE.positions[[1, 4]].mean(axis=0))


@pytest.mark.parametrize(
    "goal",
    [
        Position(centre_of_mass(WORLD), constant((0.0, 0.0, 0.0))),
        Velocity(body_point(WORLD, (0.0, 0.1, 0.1)), constant((0.0, 0.0, 0.0))),
        LinearMomentum(centre_of_mass(WORLD) - mean_of(WORLD, [0, 1, 2]), constant((0.0, 0.0, 0.0))),
    ],
)
def test_rows_of_places_are_their_velocity(goal):
    rows = goal.rows(MOMENT)
    assert np.allclose(rows.matrix @ NEXT.ravel(), rate(lambda p: goal.place @ p, NEXT), atol=1e-8)


def test_rows_of_angular_momentum_are_h_over_mass_and_radius():
    rows = AngularMomentum().rows(MOMENT)
    arms = STATE.positions - centre_of_mass(WORLD) @ STATE.positions
    h = np.cross(arms, MASSES[:, None] * NEXT).sum(axis=0)
    radius = np.sqrt(MASSES @ (arms**2).sum(axis=1) / MASSES.sum())
    assert np.allclose(rows.matrix @ NEXT.ravel(), h / (MASSES.sum() * radius))


def test_rows_of_base_area_are_its_rate():
    base = MESH.boundary[np.isclose(MESH.vertices[MESH.boundary][:, :, 1], -0.3).all(axis=1)][:, ::-1]
    goal = BaseArea(base, lambda time: 0.1)
    assert goal.area(MESH.vertices) == pytest.approx(0.4 * 0.3)
    rows = goal.rows(MOMENT)
    scale = np.sqrt(goal.area(STATE.positions))
    assert np.allclose(rows.matrix @ NEXT.ravel(), rate(goal.area, NEXT) / scale, atol=1e-8)
    assert np.allclose(rows.target, 0.1 / scale)


def test_a_position_goal_asks_to_arrive_at_the_end_of_the_step():
    place = centre_of_mass(WORLD)
    target = np.array([0.1, 0.5, 0.0])
    rows = Position(place, lambda time: target * time, share=1.0).rows(MOMENT)
    arrived = place @ STATE.positions + WORLD.dt * rows.target
    assert np.allclose(arrived, target * (0.7 + WORLD.dt))
    half = Position(place, lambda time: target * time, share=0.5).rows(MOMENT)
    assert np.allclose(half.target, 0.5 * rows.target)


def test_linear_momentum_is_the_papers_spring_and_damper():
    """T2012-(13) for a target at rest: L̇ = m K_p (c̄ − c) − K_d L."""
    place, aim = centre_of_mass(WORLD), np.array([0.2, 0.6, 0.1])
    rows = LinearMomentum(place, constant(tuple(aim)), 60.0, 12.0).rows(MOMENT)
    momentum = MASSES @ STATE.velocities
    mass = MASSES.sum()
    wanted = mass * 60.0 * (aim - place @ STATE.positions) - 12.0 * momentum
    assert np.allclose((mass * rows.target - momentum) / WORLD.dt, wanted)


def test_linear_momentum_follows_a_moving_target_without_lag():
    """On the target and with its velocity, the wish is the target's own next velocity (to second order)."""
    place = centre_of_mass(WORLD)

    def swing(time):
        return np.array([np.sin(3 * time), np.cos(2 * time), time**2])

    at, dt = STATE.time, WORLD.dt
    speed = (swing(at) - swing(at - dt)) / dt
    state = replace(
        STATE,
        positions=STATE.positions - place @ STATE.positions + swing(at),
        velocities=STATE.velocities - place @ STATE.velocities + speed,
    )
    rows = LinearMomentum(place, swing).rows(Moment(WORLD, state, MOMENT.contacts))
    assert np.allclose(rows.target, (swing(at + dt) - swing(at)) / dt)


def test_axes_leave_out_what_has_no_weight():
    rows = Position(centre_of_mass(WORLD), constant((0.0, 0.0, 0.0)), weight=2.0, axes=(1.0, 0.0, 0.5)).rows(MOMENT)
    assert rows.matrix.shape == (2, MESH.vertices.size)
    assert np.allclose(rows.weight, [2.0, 1.0])


def test_angular_rate_and_damping():
    rows = AngularMomentum(rate=constant((0.0, 6.0, 0.0)), damping=2.0).rows(MOMENT)
    arms = STATE.positions - centre_of_mass(WORLD) @ STATE.positions
    h = np.cross(arms, MASSES[:, None] * STATE.velocities).sum(axis=0)
    radius = np.sqrt(MASSES @ (arms**2).sum(axis=1) / MASSES.sum())
    wanted = h + WORLD.dt * (np.array([0.0, 6.0, 0.0]) - 2.0 * h)
    assert np.allclose(rows.target, wanted / (MASSES.sum() * radius))


@pytest.mark.parametrize("axes", [(0, 1), (2, 0)])
def test_rows_of_elongation_are_its_rate(axes):
    goal = Elongation(constant((0.0, 0.0)), axes=axes)
    rows = goal.rows(MOMENT)
    arms = STATE.positions - centre_of_mass(WORLD) @ STATE.positions
    radius = np.sqrt(MASSES @ (arms**2).sum(axis=1) / MASSES.sum())
    assert np.allclose(rows.matrix @ NEXT.ravel(), rate(lambda p: goal.of(WORLD, p), NEXT) / radius, atol=1e-8)
    now = rows.matrix @ STATE.velocities.ravel()
    wanted = now + WORLD.dt * (-60.0 * goal.of(WORLD, STATE.positions) / radius - 12.0 * now)
    assert np.allclose(rows.target, wanted)


def test_elongation_turns_twice_as_far_as_the_body():
    def turning(angle):
        return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])

    goal, turned = Elongation(constant((0.0, 0.0))), STATE.positions.copy()
    turned[:, :2] = turned[:, :2] @ turning(0.4).T
    assert goal.of(WORLD, MESH.vertices)[0] < 0.0  # higher than wide
    assert np.allclose(goal.of(WORLD, turned), turning(0.8) @ goal.of(WORLD, STATE.positions))
