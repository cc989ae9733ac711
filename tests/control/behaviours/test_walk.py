"""Walking: what it asks of feet in the air and on the ground, and how it waits."""

from dataclasses import replace

import numpy as np
import pytest

from hydrostat.bodies.fem import FemBody
from hydrostat.control.behaviours.gait import Gait
from hydrostat.control.behaviours.walk import Walk, corners_of
from hydrostat.control.goals import Moment
from hydrostat.geometry.primitives import box_tets
from hydrostat.geometry.tetrahedra import TetMesh
from hydrostat.stepping.world import World

MESH = box_tets((0.6, 0.3, 0.6), (6, 2, 6))
MESH = TetMesh(MESH.vertices + [0.0, 0.15, 0.0], MESH.tets)
WORLD = World(FemBody(MESH))
REST = MESH.vertices
# A table: its legs are the corners of the block.
FEET = [
    np.flatnonzero((REST[:, 1] < 1e-6) & (x * REST[:, 0] > 0.15) & (z * REST[:, 2] > 0.15))
    for x, z in ((1, -1), (1, 1), (-1, -1), (-1, 1))
]
GAIT = Gait(((2,), (0,), (3,), (1,)), (0.1, 0.1, 0.1, 0.1), swing=0.3, stride=0.2, clearance=0.05, margin=0.05)
BEHAVIOUR = Walk(GAIT).behaviour(WORLD, FEET)


def plan_at(clock, positions=REST, memory=None):
    """The plan of the moment in which the clock stands at ``clock`` s."""
    state = replace(WORLD.rest_state(), positions=positions, time=clock)
    first = BEHAVIOUR(Moment(WORLD, state, WORLD.touch(state))).memory
    state = replace(state, memory={**first, "clock": np.array([clock]), **(memory or {})})
    return BEHAVIOUR(Moment(WORLD, state, WORLD.touch(state)))


def rates(plan, nodes):
    """The velocities (k, 3) that the plan wants of single ``nodes``."""
    state = WORLD.rest_state()
    moment = Moment(WORLD, state, WORLD.touch(state))
    wanted = {}
    for goal in plan.goals:
        place = getattr(goal, "place", np.zeros(1))
        if np.count_nonzero(place) == 1:
            wanted[int(np.flatnonzero(place)[0])] = goal.rows(moment).target
    return np.array([wanted[node] for node in nodes])


def test_corners_are_those_of_the_sole():
    for foot in FEET:
        corners = REST[corners_of(WORLD, foot)]
        assert sorted(map(tuple, np.abs(corners[:, [0, 2]]).round(9))) == sorted(
            (a, b) for a in (0.2, 0.3) for b in (0.2, 0.3)
        )


def test_standing_feet_stay_and_the_swinging_one_rises():
    """At rest nothing is wished of feet that stand; the one that begins to swing is to accelerate upwards."""
    clock = GAIT.lift(0) + 0.02
    plan = plan_at(clock)
    for index, foot in enumerate(FEET):
        wanted = rates(replace_time(plan, clock), corners_of(WORLD, foot))
        if index == 2:
            assert (wanted[:, 1] > 0.01).all()
            assert np.array_equal(np.sort(plan.leaving), np.sort(foot))
        else:
            assert np.allclose(wanted, 0.0, atol=1e-12)


def replace_time(plan, clock):
    """The same plan for a state at time 0, which ``rates`` asks for."""
    goals = [
        replace(goal, target=lambda time, target=goal.target: target(time + clock)) if hasattr(goal, "target") else goal
        for goal in plan.goals
    ]
    return plan._replace(goals=goals)


def test_the_clock_waits_for_a_foot_that_is_late():
    last = GAIT.lift(0) + GAIT.swing - 0.5 * WORLD.dt
    raised = REST.copy()
    raised[FEET[2], 1] += 0.02
    assert plan_at(last, raised).memory["clock"] == pytest.approx(last)
    assert plan_at(last).memory["clock"] == pytest.approx(last + WORLD.dt)


def test_a_foot_stays_where_it_came_down():
    late = GAIT.lift(0) + 0.8 * GAIT.swing
    shifted = REST + [0.03, 0.0, 0.01]
    plan = plan_at(late, shifted, {"planted": REST[[corners_of(WORLD, foot) for foot in FEET]]})
    assert plan.memory["landed"].tolist() == [0.0, 0.0, 1.0, 0.0]
    assert np.allclose(plan.memory["planted"][2], shifted[corners_of(WORLD, FEET[2])])
    assert np.allclose(plan.memory["planted"][0], REST[corners_of(WORLD, FEET[0])])
    rising = plan_at(GAIT.lift(0) + 0.1 * GAIT.swing, shifted)
    assert not rising.memory["landed"].any()
