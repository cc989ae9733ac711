"""Balance: what its goals speak of, and what a recovery takes for a near fall."""

from dataclasses import replace

import numpy as np
import pytest

from hydrostat.bodies.fem import FemBody
from hydrostat.control.behaviours.balance import ALARM, Balance, Recovery, base_of, base_triangles, capture, extent
from hydrostat.control.goals import BaseArea, Moment
from hydrostat.geometry.primitives import box_tets
from hydrostat.stepping.world import World

MESH = box_tets((0.4, 0.6, 0.3), (4, 6, 3))
WORLD = World(FemBody(MESH))


def test_base_is_the_sole():
    assert np.allclose(base_of(WORLD) @ MESH.vertices, [0.0, -0.3, 0.0])
    assert BaseArea(base_triangles(WORLD), lambda time: 0.0).area(MESH.vertices) == pytest.approx(0.12)


def test_balance_wishes_nothing_where_all_is_well():
    state = WORLD.rest_state()
    moment = Moment(WORLD, state, WORLD.touch(state))
    for goal in Balance(height=1.0).goals(WORLD):
        assert np.allclose(goal.rows(moment).target, 0.0, atol=1e-12)


def test_balance_pulls_the_centre_of_mass_back_and_can_widen_the_base():
    state = WORLD.rest_state()
    leaning = state.positions + np.outer(MESH.vertices[:, 1] + 0.3, [0.2, 0.0, 0.0])
    moment = Moment(WORLD, type(state)(0.0, leaning, state.velocities, state.actuation), WORLD.touch(state))
    momentum, _, area = (goal.rows(moment) for goal in Balance(height=1.0, widening=0.05).goals(WORLD))
    assert momentum.target[0] < -0.01
    assert area.target[0] == pytest.approx(0.05 / np.sqrt(0.12))


def moment_of(offset=0.0, speed=0.0, memory=None):
    """The box on its base, sheared by ``offset`` m at the centre of mass, moving along x with ``speed`` m/s."""
    state = WORLD.rest_state()
    sheared = state.positions + np.outer((MESH.vertices[:, 1] + 0.3) / 0.3, [offset, 0.0, 0.0])
    state = replace(state, positions=sheared, velocities=state.velocities + [speed, 0.0, 0.0], memory=memory or {})
    return Moment(WORLD, state, WORLD.touch(state))


def test_the_capture_point_is_where_a_pendulum_would_come_to_rest():
    assert extent(moment_of(), np.array([0.0, 0.0, 1.0])) == pytest.approx(0.15)
    assert capture(moment_of()) == pytest.approx(0.0, abs=1e-12)
    assert capture(moment_of(offset=0.1)) == pytest.approx(0.5)
    assert capture(moment_of(speed=-0.4)) == pytest.approx(0.4 * np.sqrt(0.3 / 9.81) / 0.2)


def test_the_alarm_rises_at_once_and_fades():
    recovery = Recovery(near=0.2, far=0.6, calm=0.5)
    assert recovery.alarm(moment_of(offset=0.02)) == 0.0
    assert recovery.alarm(moment_of(offset=0.08)) == pytest.approx(0.5)
    assert recovery.alarm(moment_of(offset=0.3)) == 1.0
    assert recovery.alarm(moment_of(memory={ALARM: np.ones(1)})) == pytest.approx(1.0 - WORLD.dt / 0.5)


def test_at_an_alarm_the_base_widens_and_the_body_sinks():
    plan = Recovery().behaviour(WORLD)
    calm, alarmed = plan(moment_of()), plan(moment_of(offset=0.15))
    assert calm.memory[ALARM] == 0.0 and alarmed.memory[ALARM] == 1.0
    low, area = ([plan.goals[k].rows(moment_of()).target[0] for plan in (calm, alarmed)] for k in (1, 4))
    assert low[1] < low[0] < 0.0
    assert area[1] > area[0] == pytest.approx(0.0, abs=1e-9)
