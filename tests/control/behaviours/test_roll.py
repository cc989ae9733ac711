"""Rolling: the lean, what it asks for, and its phases."""

from dataclasses import replace

import numpy as np
import pytest

from hydrostat.bodies.fem import FemBody
from hydrostat.control.behaviours.roll import LEFT, RIGHT, UPRIGHT, Roll
from hydrostat.control.goals import AngularMomentum, Elongation, Moment, Velocity
from hydrostat.geometry.primitives import ring_tets
from hydrostat.stepping.world import World

MESH = ring_tets(0.28, 0.5, 0.3, (2, 16, 2))
WORLD = World(FemBody(MESH))
ROLL = Roll(settling=0.1, release=0.2)


def moment_at(time, memory=(), speed=0.0):
    state = WORLD.rest_state(height=0.5)
    velocities = state.velocities + [speed, 0.0, 0.0]
    state = replace(state, time=time, velocities=velocities, memory=dict(memory))
    return Moment(WORLD, state, WORLD.touch(state))


def leaning_of(plan):
    """The lean, the change of angular momentum and the speed that a plan asks for."""
    turning, forward = (next(g for g in plan.goals if isinstance(g, kind)) for kind in (AngularMomentum, Velocity))
    lean = next(goal for goal in plan.goals if isinstance(goal, Elongation))
    return lean.target(0.0)[1], turning.rate(0.0)[2], forward.target(0.0)[0]


def after(behaviour, *moments):
    """The plan after the last of ``moments``, given as (time, speed); memory goes from each to the next."""
    memory = {}
    for time, speed in moments:
        plan = behaviour(moment_at(time, memory, speed))
        memory = plan.memory
    return plan


def test_an_ellipse_of_that_lean_stands_as_far_behind_its_centre_as_it_should():
    lean, turning, acceleration = ROLL.motion(WORLD)
    second_moment = WORLD.body.masses @ (MESH.vertices[:, :2] ** 2).mean(axis=1) / WORLD.body.mass
    longer = lean / second_moment  # of the squares of the half axes
    angle, radius = np.linspace(0.0, 2.0 * np.pi, 100_001), np.ptp(MESH.vertices[:, 1]) / 2.0
    u, v = radius * np.sqrt(1.0 + longer) * np.cos(angle), radius * np.sqrt(1.0 - longer) * np.sin(angle)
    x, y = (u - v) / np.sqrt(2.0), (u + v) / np.sqrt(2.0)
    assert -x[y.argmin()] == pytest.approx(ROLL.ahead * radius, rel=1e-3)
    assert -y.min() == pytest.approx(radius, rel=1e-3)
    moment = 9.81 * WORLD.body.mass * ROLL.ahead * radius
    assert turning + WORLD.body.mass * radius * acceleration == pytest.approx(moment)


def test_right_and_left_are_mirror_images():
    right, left, upright = (ROLL.goals(moment_at(0.0), way, 0.5) for way in (RIGHT, LEFT, UPRIGHT))
    for a, b, none in zip(right, left, upright, strict=True):
        targets = [goal.rows(moment_at(0.0)).target for goal in (a, b, none)]
        assert np.allclose(targets[0] - targets[2], targets[2] - targets[1])


def test_away_settles_rolls_lets_go_and_coasts():
    behaviour, times = ROLL.away(1.0), [(0.0, 0.0), (0.1, 0.0), (1.0, 1.0), (1.1, 1.0), (1.2, 1.0), (1.3, 1.0)]
    plans = [after(behaviour, *times[: n + 1]) for n in range(len(times))]
    assert plans[0].goals == [] and plans[0].ceiling == 0.0
    for plan in plans[1:3]:
        lean, turning, speed = leaning_of(plan)
        assert lean > 0.0 > turning
        assert plan.ceiling == 1.0
    assert speed > 1.0
    assert leaning_of(plans[3]) == pytest.approx((0.0, 0.0, 1.0))
    assert plans[4].ceiling == pytest.approx(0.5)
    assert plans[5].goals == [] and plans[5].ceiling == 0.0


def test_away_and_back_turns_at_its_speed_whenever_that_is():
    behaviour = ROLL.away_and_back(1.3)
    start = [(0.0, 0.0), (0.1, 0.0)]
    assert leaning_of(after(behaviour, *start, (9.0, 1.29)))[0] > 0.0
    assert leaning_of(after(behaviour, *start, (0.4, 1.31)))[0] < 0.0
    assert leaning_of(after(behaviour, *start, (0.4, 1.31), (9.0, -1.29)))[0] < 0.0
    assert leaning_of(after(behaviour, *start, (0.4, 1.31), (0.9, -1.31)))[0] == 0.0
