"""Jump: what its phases want, and when they end."""

from dataclasses import replace

import numpy as np
import pytest

from hydrostat.bodies.fem import FemBody
from hydrostat.control.behaviours.jump import Jump, Trunk
from hydrostat.control.goals import LinearMomentum, Moment
from hydrostat.control.plans import Clock
from hydrostat.geometry.primitives import box_tets
from hydrostat.stepping.world import World

MESH = box_tets((0.4, 0.6, 0.3), (4, 6, 3))
WORLD = World(FemBody(MESH))
GROUND = -MESH.vertices[:, 1].min()


def moment_at(height=0.0, velocity=(0.0, 0.0, 0.0), time=0.0, memory=None):
    """The box at rest shape with its soles ``height`` m above the ground, moving as a whole."""
    rest = WORLD.rest_state(GROUND + height)
    velocities = np.broadcast_to(velocity, rest.positions.shape)
    state = replace(rest, time=time, velocities=velocities, memory=memory or {})
    return Moment(WORLD, state, WORLD.touch(state))


def centre_goal(plan):
    """The first goal for a place."""
    return next(goal for goal in plan.goals if isinstance(goal, LinearMomentum))


def test_trunk_is_measured_at_rest():
    trunk = Trunk.of(WORLD)
    assert trunk.height == pytest.approx(0.3)
    assert trunk.length == pytest.approx(0.6)
    assert np.allclose(trunk.over @ MESH.vertices, [0.0, 0.3, 0.0])
    solid = WORLD.body.mass / 12.0 * np.array([0.6**2 + 0.3**2, 0.4**2 + 0.3**2, 0.4**2 + 0.6**2])
    assert np.allclose(trunk.inertia, solid, rtol=0.2)  # lumped masses lie a little farther out


def test_phases_count_the_jumps_and_lead_to_standing():
    phases = Jump(times=3).phases(WORLD)
    visited, name = [], "stand 1"
    while name:
        visited.append(name)
        name = phases[name].following
    assert visited == list(phases)
    assert visited[-1] == "stand 4"
    assert sum(name.startswith("push") for name in visited) == 3


def test_marks_of_all_phases_have_one_shape():
    moment = moment_at()
    shapes = {phase.mark(moment).shape for phase in Jump(times=2).phases(WORLD).values()}
    assert shapes == {(9,)}


def test_crouch_begins_where_the_body_is_and_ends_low_and_ahead():
    jump = Jump(crouch=0.7, lean=0.2)
    phase = jump.phases(WORLD)["crouch 1"]
    moment = moment_at()
    mark = phase.mark(moment)
    target = centre_goal(phase.plan(moment, Clock(0.0, mark))).target
    assert np.allclose(target(0.0), [0.0, 0.3, 0.0])
    assert np.allclose(target(jump.crouching), [0.2 * 0.3, 0.7 * 0.3, 0.0])
    assert phase.over(moment, Clock(jump.crouching + 0.01, mark))
    assert not phase.over(moment, Clock(jump.crouching - 0.01, mark))


def test_push_ends_with_the_velocity_of_take_off():
    jump = Jump(rise=2.0, forward=0.5)
    phase = jump.phases(WORLD)["push 1"]
    moment = moment_at(velocity=(0.1, -0.2, 0.0))
    mark = phase.mark(moment)
    target = centre_goal(phase.plan(moment, Clock(0.0, mark))).target
    assert np.allclose(target(0.0), Trunk.of(WORLD).centre @ moment.state.positions)
    tiny = 1e-6
    assert np.allclose((target(tiny) - target(-tiny)) / (2.0 * tiny), [0.1, -0.2, 0.0])
    late = (target(jump.pushing + tiny) - target(jump.pushing - tiny)) / (2.0 * tiny)
    assert np.allclose(late, [0.5, 2.0, 0.0])


def test_push_ends_in_the_air_and_flight_on_the_ground():
    phases = Jump().phases(WORLD)
    flying, landing = moment_at(height=0.3), moment_at(velocity=(0.0, -2.0, 0.0))
    for moment, in_the_air in ((flying, True), (landing, False)):
        assert phases["push 1"].over(moment, Clock(0.05, phases["push 1"].mark(moment))) == in_the_air
        assert phases["fly 1"].over(moment, Clock(0.3, phases["fly 1"].mark(moment))) != in_the_air


def test_landing_gives_way_until_the_body_sinks_no_more():
    phase = Jump().phases(WORLD)["land 1"]
    for speed, over in ((-1.0, False), (0.0, True)):
        moment = moment_at(velocity=(0.0, speed, 0.0))
        assert phase.over(moment, Clock(0.1, phase.mark(moment))) == over
    braked = phase.plan(moment_at(velocity=(0.0, -2.0, 0.0)), Clock(0.0, np.zeros(9))).goals[-1]
    rows = braked.rows(moment_at(velocity=(0.0, -2.0, 0.0)))
    assert rows.target == pytest.approx([-2.0 * (1.0 - Jump().brake * WORLD.dt)])


def test_behaviour_goes_from_phase_to_phase_by_its_memory():
    behaviour = Jump(standing=0.5).behaviour(WORLD)
    first = behaviour(moment_at())
    assert first.memory["phase"] == 0.0
    later = behaviour(moment_at(time=0.6, memory=first.memory))
    assert later.memory["phase"] == 1.0
    assert later.memory["since"] == pytest.approx(0.6)
