"""The O rolls (T2012 section 7): away until it comes to rest, or away and back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from hydrostat.arrays import Floats
from hydrostat.characters.letter_o import CHARACTER as LETTER_O
from hydrostat.characters.letter_o import RADIUS
from hydrostat.control.behaviours.roll import Roll
from hydrostat.control.controllers import GoalController
from hydrostat.control.places import body_point
from hydrostat.control.plans import Behaviour
from hydrostat.io.reader import Recording
from hydrostat.scenes.measure import node_masses
from hydrostat.scenes.scene import Demand, Scene, Settings, Stage
from hydrostat.scenes.staging import controller_of, start_of, world_of
from hydrostat.stepping.world import State, World

ROLLING = 1.5  # s, T2012's 90 frames
TURNING_SPEED = 1.3  # m/s, at which the one that comes back turns
# Weights of activation and of its change, (m/s)².
EFFORT, CHANGE = 1e-4, 1e-2


def away(world: World) -> Behaviour:
    """To the right for a while, and on without muscles."""
    return Roll().away(world, ROLLING)


def away_and_back(world: World) -> Behaviour:
    """To the right up to a speed, and back."""
    return Roll().away_and_back(world, TURNING_SPEED)


def staged(behaviour: Callable[[World], Behaviour]) -> Callable[[Settings], Stage]:
    """The O, standing, with a behaviour."""

    def build(settings: Settings) -> Stage:
        world = world_of(LETTER_O, settings)
        rim = body_point(world, (0.0, 2.0 * RADIUS - 0.02, 0.0))  # seen beside the centre, it shows the turning

        def markers(state: State) -> Mapping[str, Floats]:
            return {"rim": rim @ state.positions}

        controller = controller_of(GoalController(behaviour(world), EFFORT, CHANGE), settings)
        return Stage(world, start_of(world, settings), controller, LETTER_O.height, markers)

    return build


SETTLED = 0.5  # s after which the O stands
REST = 1.0  # s at the end in which it should be at rest
NEAR = 0.003  # m, what is as near to the ground as that touches it


def turned(recording: Recording) -> Floats:
    """How far the body has turned since it was at rest, (f,) rad; positive is rolling towards +x.

    The angle is the one of the best fit of the rest shape, seen along z.
    """
    shares = node_masses(recording) / recording.metadata["mass"]
    rest = recording.rest_positions - shares @ recording.rest_positions
    angles = []
    for index in range(len(recording)):
        now = recording.positions(index)
        product = (shares[:, None] * (now - shares @ now)).T @ rest
        angles.append(np.arctan2(product[0, 1] - product[1, 0], product[0, 0] + product[1, 1]))
    return np.unwrap(angles)


def tilts(recording: Recording) -> Floats:
    """Angle between the wheel's axis and z, (f,) rad: falling over and turning aside both add to it."""
    shares = node_masses(recording) / recording.metadata["mass"]
    rest = recording.rest_positions - shares @ recording.rest_positions
    axes = []
    for index in range(len(recording)):
        now = recording.positions(index)
        left, _, right = np.linalg.svd((shares[:, None] * (now - shares @ now)).T @ rest)
        axes.append((left @ right)[:, 2])
    return np.arccos(np.clip(np.array(axes)[:, 2], -1.0, 1.0))


def out_of_round(recording: Recording, index: int) -> float:
    """The greatest share by which the outline's distance from its middle differs from the mean distance."""
    rest = recording.rest_positions - [0.0, RADIUS, 0.0]
    rim = np.hypot(rest[:, 0], rest[:, 1]) > RADIUS
    outline = recording.positions(index)[rim, :2]
    distances = np.linalg.norm(outline - outline.mean(axis=0), axis=1)
    return float(np.abs(distances / distances.mean() - 1.0).max())


def trembling(recording: Recording) -> Floats:
    """The part of all velocities that alternates from frame to frame, (f − 2,) m/s, root of the mean square."""
    shares = node_masses(recording) / recording.metadata["mass"]
    velocities = np.array([recording.velocities(index) for index in range(len(recording))])
    alternating = (velocities[2:] - 2.0 * velocities[1:-1] + velocities[:-2]) / 4.0
    return np.sqrt((alternating**2).sum(axis=2) @ shares)


def slid(recording: Recording) -> float:
    """How far what touched the ground slid along x on it, m, in all."""
    way = 0.0
    for index in range(len(recording)):
        touching = recording.positions(index)[:, 1] < NEAR
        if touching.any():
            way += recording.dt * abs(float(recording.velocities(index)[touching, 0].mean()))
    return way


def measure(recording: Recording) -> dict[str, Any]:
    """How far it rolled and whether it was rolling: turns, travel, sliding, bouncing, trembling, shape, rest.

    rolling_error: share by which the way of the centre of mass differs from angle × radius; slid: way on the ground
    over the way of the centre of mass. load: vertical force over weight once it stands. astray m, tilt in degrees.
    """
    angle, travel = turned(recording), centres(recording)
    way = float(np.abs(np.diff(travel[:, 0])).sum())
    settled = int(np.searchsorted(recording.times, SETTLED))
    late = recording.times > recording.times[-1] - REST
    forces = np.array([recording.contacts(index).impulses.sum(axis=0) for index in range(len(recording))])
    load = forces[settled:, 1] / recording.dt / (recording.metadata["mass"] * 9.81)
    speed = np.linalg.norm(np.diff(travel, axis=0), axis=1) / recording.dt
    spin = np.abs(np.diff(angle)) / recording.dt
    shapes = [out_of_round(recording, index) for index in range(len(recording))]
    return {
        "turns": float(np.ptp(angle) / (2.0 * np.pi)),
        "travel": float(travel[-1, 0]),
        "rolling_error": abs(way / (RADIUS * float(np.abs(np.diff(angle)).sum())) - 1.0),
        "slid": slid(recording) / way,
        "load_least": float(load.min()),
        "load_most": float(load.max()),
        "trembling": float(np.sqrt((trembling(recording)[settled:] ** 2).mean())),
        "out_of_round_most": max(shapes),
        "out_of_round_end": shapes[-1],
        "speed_end": float(speed[late[1:]].max()),
        "spin_end": float(spin[late[1:]].max()),
        "astray": float(np.abs(travel[:, 2]).max()),
        "tilt": float(np.degrees(tilts(recording).max())),
    }


def centres(recording: Recording) -> Floats:
    """The centre of mass in every frame, (f, 3) m."""
    return np.array([recording.markers(index)["centre of mass"] for index in range(len(recording))])


SCENE_LIST = (
    Scene("roll-o", "the O rolls by leaning ahead, lets go and comes to rest", 12.0, staged(away), measure, ()),
    Scene("roll-o-turn", "the O rolls to the right, stops and rolls back", 12.0, staged(away_and_back), measure, ()),
)
