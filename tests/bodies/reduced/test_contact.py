"""What the ground does to a reduced body: it holds, and rubs by one law or the other."""

from dataclasses import replace

import numpy as np
import pytest

from hydrostat.bodies.reduced import (
    Coulomb,
    Damping,
    ReducedOptions,
    Surroundings,
    reduce_body,
    rest_state,
    rollout,
)
from hydrostat.bodies.reduced.reduction import GRAVITY
from hydrostat.contact.ground import Heightfield, Plane, slope
from hydrostat.errors import InputError
from hydrostat.geometry.primitives import box_tets

LAWS = [Damping(0.2), Coulomb(0.8), Coulomb(0.0)]


def bumps():
    x, z = np.meshgrid(np.linspace(-3, 3, 31), np.linspace(-3, 3, 31))
    return Heightfield(0.1 * np.sin(3.0 * x) * np.cos(2.0 * z) - 0.1, 0.2, (-3.0, -3.0))


GROUNDS = {"plane": Plane(), "slope": slope(0.3), "bumps": bumps()}


def swinging(body, steps):
    modes = body.modes.shape[2]
    times = np.arange(steps)[:, None] / 60.0
    return 0.06 * body.size * np.sin(2 * np.pi * (times / 0.4 + np.arange(modes) / 3.0))


def lifted(state, shift):
    return replace(state, coordinates=state.coordinates + np.eye(len(state.coordinates))[:, :1] * np.asarray(shift))


@pytest.fixture(scope="module")
def brick():
    """A low brick that lies on y = 0, soft enough to stay there: a stiff one bounces, and in the air nothing rubs."""
    mesh = box_tets((0.6, 0.1, 0.4), (6, 1, 4))
    mesh.vertices[:, 1] += 0.05
    return reduce_body(mesh, ReducedOptions(modes=2, stiffness=8e4, actuation_stiffness=1.6e5))


@pytest.mark.parametrize("friction", LAWS, ids=str)
@pytest.mark.parametrize("ground", GROUNDS.values(), ids=GROUNDS)
def test_nothing_sinks_and_nothing_sticks(creature, ground, friction):
    """Dropped, spinning and kicking: no depth above 0.5 % of the height, no pull, no friction outside the cone."""
    state = lifted(rest_state(creature), [0.0, 0.4, 0.0])
    state = replace(state, velocities=np.cross([1.0, 2.0, 3.0], state.coordinates - state.coordinates[0]))
    surroundings = Surroundings(ground=ground, friction=friction)
    got = rollout(creature, state, swinging(creature, 200), surroundings)
    points = got.sample_positions(creature)[1:]
    touched = np.abs(got.impulses).max(axis=2) > 0.0
    gaps = np.stack([ground.gaps(frame) for frame in points])
    assert touched.any(axis=1).sum() > 40
    assert gaps.min() > -0.005 * creature.height
    assert np.abs(gaps[touched]).max() < 0.005 * creature.height  # nothing is pushed from a distance
    for frame, impulses in zip(points, got.impulses, strict=True):
        normals = ground.normals(frame)
        along = (impulses * normals).sum(axis=1)
        across = np.linalg.norm(impulses - along[:, None] * normals, axis=1)
        if ground is not GROUNDS["bumps"]:
            assert along.min() > -1e-12
            if isinstance(friction, Coulomb):
                assert (across <= friction.coefficient * along + 1e-9).all()


@pytest.mark.parametrize("friction", LAWS, ids=str)
def test_the_ground_gives_all_the_momentum(creature, friction):
    state = lifted(rest_state(creature), [0.0, 0.1, 0.0])
    surroundings = Surroundings(ground=slope(0.2), friction=friction)
    got = rollout(creature, state, swinging(creature, 100), surroundings)
    gained = np.diff(got.velocities[:, 0], axis=0) * creature.mass
    weight = creature.mass * surroundings.dt * np.array(surroundings.gravity)
    assert np.abs(gained - got.impulses.sum(axis=1) - weight).max() < 1e-9 * np.abs(gained).max()


def laid(body, angle):
    """The body lying on ``slope(angle)``."""
    state = rest_state(body)
    turn = np.array([[np.cos(angle), np.sin(angle), 0.0], [-np.sin(angle), np.cos(angle), 0.0], [0.0, 0.0, 1.0]])
    quaternions = np.tile([np.cos(angle / 2), 0.0, 0.0, -np.sin(angle / 2)], (len(state.quaternions), 1))
    return replace(state, coordinates=state.coordinates @ turn.T, quaternions=quaternions)


def slid(body, angle, friction, steps=120):
    got = rollout(body, laid(body, angle), np.zeros((steps, 2)), Surroundings(ground=slope(angle), friction=friction))
    return (got.centres[-1] - got.centres[steps // 2]) @ [np.cos(angle), -np.sin(angle), 0.0]


@pytest.mark.parametrize("coefficient", [0.2, 0.5, 0.8])
def test_coulomb_slides_beyond_its_angle_only(brick, coefficient):
    critical = np.arctan(coefficient)
    assert abs(slid(brick, critical - 0.03, Coulomb(coefficient))) < 1e-4
    steep = critical + 0.03
    acceleration = GRAVITY * (np.sin(steep) - coefficient * np.cos(steep))
    assert slid(brick, steep, Coulomb(coefficient)) == pytest.approx(0.5 * acceleration * (2.0**2 - 1.0**2), rel=0.05)


def test_damping_holds_on_any_slope_that_does_not_topple(brick):
    """The paper's law knows no critical angle: 50° is as good as level, where Coulomb's 0.8 lets go at 39°."""
    assert abs(slid(brick, np.radians(50.0), Damping(0.2))) < 1e-3
    assert slid(brick, np.radians(50.0), Coulomb(0.8)) > 1.0


def sliding(body, speed):
    """The body at rest but for a velocity along x."""
    state = rest_state(body)
    return replace(state, velocities=state.velocities + np.eye(len(state.velocities))[:, :1] * [speed, 0.0, 0.0])


@pytest.mark.parametrize("speed", [1.0, 2.0])
def test_coulomb_stops_after_its_distance(brick, speed):
    """v²/(2 μ g), the more exactly the smaller the step."""
    for dt in (1 / 60, 1 / 240):
        surroundings = Surroundings(dt, ground=Plane(), friction=Coulomb(0.5))
        got = rollout(brick, sliding(brick, speed), np.zeros((int(2.0 / dt), 2)), surroundings)
        distance = got.centres[-1, 0] - got.centres[0, 0]
        assert distance == pytest.approx(speed**2 / (2 * 0.5 * GRAVITY), rel=6 * dt)


def test_damping_keeps_its_share_of_a_step(brick):
    """A sample that touches moves by h μ (J w); so a slide ends the sooner the smaller the step."""
    rows, distances = brick.basis[brick.samples], []
    for dt in (1 / 60, 1 / 240):
        surroundings = Surroundings(dt, ground=Plane(), friction=Damping(0.2))
        got = rollout(brick, sliding(brick, 2.0), np.zeros((int(1.0 / dt), 2)), surroundings)
        moved = np.diff(got.sample_positions(brick), axis=0)[..., [0, 2]]
        kept = 0.2 * dt * (rows @ got.velocities[:-1])[..., [0, 2]]
        touched = got.impulses[..., 1] > 0.0
        assert touched[:5].any(axis=1).all()
        assert np.abs(moved - kept)[touched].max() < 0.01 * moved.max()
        distances.append(got.centres[-1, 0] - got.centres[0, 0])
    assert 2.0**2 / (2 * 0.5 * GRAVITY) > 10 * distances[0] > 20 * distances[1] > 0.0


def test_more_samples_down_than_coordinates_do_not_freeze():
    """All of 66 samples lie on the ground; kicked upwards the plate flies as high as a stone."""
    mesh = box_tets((1.0, 0.05, 0.5), (10, 1, 2))
    mesh.vertices[:, 1] += 0.025
    plate = reduce_body(mesh, ReducedOptions(modes=1, weights=2, samples=66))
    assert len(plate.samples) > plate.basis.shape[1]
    state = rest_state(plate)
    resting = rollout(plate, state, np.zeros((30, 1)), Surroundings(ground=Plane())).end
    kicked = replace(resting, velocities=resting.velocities + np.eye(len(state.velocities))[:, :1] * [0.0, 2.0, 0.0])
    got = rollout(plate, kicked, np.zeros((30, 1)), Surroundings(ground=Plane()))
    assert got.centres[:, 1].max() - got.centres[0, 1] == pytest.approx(2.0**2 / (2 * GRAVITY), rel=0.1)


def test_samples_spread_and_hold_the_lowest_point(creature):
    points = creature.mesh.vertices[creature.samples]
    assert len(np.unique(creature.samples)) == 30
    assert points[0, 1] == creature.mesh.vertices[:, 1].min()
    surface = creature.mesh.vertices[np.unique(creature.mesh.boundary)]
    reach = np.linalg.norm(surface[:, None] - points, axis=2).min(axis=1).max()
    apart = np.linalg.norm(points[:, None] - points, axis=2) + np.eye(30)
    assert reach <= apart.min() + 1e-12


@pytest.mark.parametrize(
    ("make", "word"),
    [
        (lambda: Damping(1.5), "retained"),
        (lambda: Coulomb(-0.1), "coefficient"),
        (lambda: Surroundings(dt=0.0), "dt"),
        (lambda: Surroundings(gravity=(0.0, np.nan, 0.0)), "gravity"),
        (lambda: Surroundings(iterations=0), "iterations"),
    ],
)
def test_surroundings_without_meaning_are_refused(make, word):
    with pytest.raises(InputError, match=word):
        make()
