"""Behaviours: what their goals speak of."""

import numpy as np
import pytest

from hydrostat.bodies.fem import FemBody
from hydrostat.control.behaviours.balance import Balance, base_of, base_triangles
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
