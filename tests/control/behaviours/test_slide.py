"""Leaning against a pull: how far, which way, and from when on."""

from dataclasses import replace

import numpy as np
import pytest

from hydrostat.bodies.fem import FemBody
from hydrostat.contact.friction import Friction
from hydrostat.control.behaviours.slide import Lean, lever, pull_on
from hydrostat.control.goals import Moment
from hydrostat.control.places import centre_of_mass
from hydrostat.geometry.primitives import box_tets
from hydrostat.stepping.forces import Pull, shares_near
from hydrostat.stepping.world import World

MESH = box_tets((0.4, 0.6, 0.3), (4, 6, 3))
BODY = FemBody(MESH)
WEIGHT = 9.81 * BODY.mass
TOP = 0.2  # of the pull over the centre of mass, m
SHARES = np.where(np.isclose(MESH.vertices[:, 1], TOP), 1.0, 0.0)


def moment_at(time, rate, friction=0.2):
    pull = Pull(SHARES / SHARES.sum(), (rate, 0.0, 0.0), 0.0)
    world = World(BODY, forces=(pull,), friction=Friction(friction))
    state = replace(world.rest_state(0.3), time=time)
    return Moment(world, state, world.touch(state))


def test_the_pull_is_felt_where_it_is():
    pull, place = pull_on(moment_at(2.0, -30.0))
    assert np.allclose(pull, [-60.0, 0.0, 0.0])
    assert place[1] == pytest.approx(0.3 + TOP)


@pytest.mark.parametrize("pull", [20.0, 400.0])  # it sticks, it slides
def test_with_the_lever_nothing_turns_the_body(pull):
    """Torques about the centre of mass: of the pull, of friction at the sole, of the load ahead by the lever."""
    moment = moment_at(1.0, pull)
    friction = min(pull, 0.2 * WEIGHT)
    ahead = lever(moment, pull, 0.3 + TOP)
    assert pull * TOP + friction * 0.3 - WEIGHT * ahead == pytest.approx(0.0, abs=1e-9 * WEIGHT)


@pytest.mark.parametrize("rate", [50.0, -50.0])
def test_the_body_leans_against_the_pull(rate):
    moment = moment_at(1.0, rate)
    offset = Lean().offset(moment, *pull_on(moment))
    assert offset[0] * rate < 0.0 == offset[1] == offset[2]
    assert abs(offset[0]) == pytest.approx(lever(moment, 50.0, 0.3 + TOP))


def test_without_a_pull_it_stands_upright():
    moment = moment_at(0.0, 50.0)
    assert not Lean().offset(moment, *pull_on(moment)).any()


def test_a_late_reaction_ignores_the_pull_at_first():
    behaviour = Lean(reaction=0.3).behaviour(moment_at(0.1, 50.0).world)
    wishes, memory = [], {}
    for time in (0.1, 0.3, 0.5):
        moment = moment_at(time, 50.0)
        moment = replace(moment, state=replace(moment.state, memory=memory))
        plan = behaviour(moment)
        wishes.append(plan.goals[0].rows(moment).target[0])
        memory = plan.memory
    over_base = centre_of_mass(moment.world) @ MESH.vertices
    assert np.allclose(wishes[:2], 0.0, atol=1e-9) and wishes[2] < -1e-3
    assert memory["felt"] == pytest.approx(0.1) and np.allclose(over_base, 0.0, atol=1e-12)


def test_a_pull_grows_from_its_start():
    shares = shares_near(MESH.vertices, BODY.masses, (0.0, TOP, 0.0), 0.1)
    pull = Pull(shares, (0.0, 0.0, 10.0), 0.5, (3.0, 0.0, 0.0))
    assert not pull.forces(0.4, MESH.vertices).any()
    assert np.allclose(pull.forces(0.7, MESH.vertices).sum(axis=0), [3.0, 0.0, 2.0])
