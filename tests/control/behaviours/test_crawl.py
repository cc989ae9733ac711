"""Crawling: what its goals speak of."""

import numpy as np
import pytest

from hydrostat.actuation.muscles import MuscleGroup, build_muscles, longitudinal
from hydrostat.bodies.fem import FemBody
from hydrostat.control.behaviours.crawl import Crawl, belly_of, soles_of
from hydrostat.control.goals import Moment
from hydrostat.geometry.primitives import box_tets
from hydrostat.stepping.world import State, World

LENGTH, THICK, WIDE = 1.2, 0.2, 0.4
MESH = box_tets((LENGTH, THICK, WIDE), (6, 2, 2))
MUSCLES = build_muscles(
    MESH,
    [MuscleGroup(name, [longitudinal((-0.5, y, 0.0), (0.5, y, 0.0), 5)]) for name, y in (("up", 0.05), ("low", -0.05))],
)
WORLD = World(FemBody(MESH), MUSCLES)


def moment(time=0.0, change=lambda positions: positions):
    rest = WORLD.rest_state()
    state = State(time, change(rest.positions), rest.velocities, rest.actuation)
    return Moment(WORLD, state, WORLD.touch(state))


def wishes(crawl, at):
    """What every place of a goal shall do in the next step, (r,) m/s."""
    return np.concatenate([goal.rows(at).target for goal in crawl.goals(WORLD)])


def test_corners_and_belly_lie_on_the_underside():
    soles = soles_of(WORLD, 0.25)
    places = np.concatenate([soles["front"], soles["rear"]]) @ MESH.vertices
    assert np.allclose(np.abs(places[:, 2]), 0.9 * WIDE / 2)
    assert np.allclose(places[:, 1], -THICK / 2)
    assert places[:, 0].tolist() == pytest.approx([0.6, 0.6, 0.3, 0.3, -0.6, -0.6, -0.3, -0.3])
    assert np.allclose(belly_of(WORLD) @ MESH.vertices, [0.0, -THICK / 2, 0.0])


def test_a_cycle_begins_and_ends_at_full_length_and_is_shortest_in_between():
    crawl = Crawl(stride=0.2, period=2.0)
    assert [crawl.length(time) for time in (0.0, 0.5, 1.0, 2.0)] == pytest.approx([1.0, 0.9, 0.8, 1.0])


def test_nothing_is_wished_where_all_is_well():
    assert np.allclose(wishes(Crawl(stride=0.0, hollow=0.0), moment()), 0.0, atol=1e-12)


def test_where_on_the_ground_along_x_does_not_matter():
    crawl = Crawl()
    moved = moment(change=lambda positions: positions + [7.0, 0.0, 0.0])
    assert np.allclose(wishes(crawl, moved), wishes(crawl, moment()), atol=1e-9)


def test_a_body_that_is_too_long_shall_shorten_on_both_sides():
    crawl = Crawl()
    shorter = crawl.goals(WORLD)[:2]
    at = moment(0.5 * crawl.period)
    assert all(goal.rows(at).target[0] < -0.01 for goal in shorter)
    done = moment(0.5 * crawl.period, lambda positions: positions * [1.0 - crawl.stride, 1.0, 1.0])
    assert all(0.0 < goal.rows(done).target[0] < 0.02 for goal in shorter)  # it is short enough and turns


def test_a_body_off_its_line_shall_come_back():
    off = wishes(Crawl(), moment(change=lambda positions: positions + [0.0, 0.0, 0.1]))
    assert off.min() < -0.1


def test_resting_groups_may_not_contract():
    ceiling = Crawl(resting=("up",)).behaviour(WORLD)(moment()).ceiling
    assert np.array_equal(ceiling, [0.0] * 5 + [1.0] * 5)
    assert np.all(Crawl().behaviour(WORLD)(moment()).ceiling == 1.0)
