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
from hydrostat.stepping.world import State

ROLLING = 1.5  # s, T2012's 90 frames
TURNING_SPEED = 1.3  # m/s, at which the one that comes back turns
# Weights of activation and of its change, (m/s)². The second is large: T2012's O trembles, this one shall not.
EFFORT, CHANGE = 1e-4, 5e-2


def staged(behaviour: Behaviour) -> Callable[[Settings], Stage]:
    """The O, standing, with a behaviour."""

    def build(settings: Settings) -> Stage:
        world = world_of(LETTER_O, settings)
        rim = body_point(world, (0.0, 2.0 * RADIUS - 0.02, 0.0))

        def markers(state: State) -> Mapping[str, Floats]:
            return {"rim": rim @ state.positions}  # without it, nobody sees a ring turn

        controller = controller_of(GoalController(behaviour, EFFORT, CHANGE), settings)
        return Stage(world, start_of(world, settings), controller, LETTER_O.height, markers)

    return build


SETTLED = 0.5  # s after which the O stands
REST = 1.0  # s at the end in which it should be at rest
NEAR = 0.003  # m over the ground: what is not higher touches


def measure(recording: Recording) -> dict[str, Any]:
    """How far it rolled, whether that was rolling, and how it came to rest.

    turns_right: from the start to the rightmost; turns_back: from there to the end. rolling_error: share by which the
    way of the centre of mass differs from angle × radius. slid: way of what touches on the ground, over the way of the
    centre. load: vertical force over weight, once it stands. trembling m/s: see that function. out_of_round: see that
    function. speed_end m/s and spin_end rad/s: greatest in the last second. astray m: beside its line. tilt: degrees
    between the wheel's axis and where it was.
    """
    positions, velocities = (
        np.array([of(i) for i in range(len(recording))]) for of in (recording.positions, recording.velocities)
    )
    shares = node_masses(recording) / recording.metadata["mass"]
    centres = np.einsum("n,fni->fi", shares, positions)
    angles = turned(recording, positions)
    settled, resting = (int(np.searchsorted(recording.times, t)) for t in (SETTLED, recording.times[-1] - REST))
    way, turning = np.abs(np.diff(centres[:, 0])), np.abs(np.diff(angles))
    loads = np.array([recording.contacts(i).impulses[:, 1].sum() for i in range(settled, len(recording))])
    loads /= recording.dt * recording.metadata["mass"] * np.linalg.norm(recording.metadata["gravity"])
    shapes = out_of_round(recording, positions)
    return {
        "turns_right": float(angles.max()) / (2.0 * np.pi),
        "turns_back": float(angles.max() - angles[-1]) / (2.0 * np.pi),
        "travel_right": float(centres[:, 0].max()),
        "travel": float(centres[-1, 0]),
        "rolling_error": float(abs(way.sum() / (RADIUS * turning.sum()) - 1.0)),
        "slid": sliding(positions, velocities) * recording.dt / float(way.sum()),
        "load_least": float(loads.min()),
        "load_most": float(loads.max()),
        "trembling": trembling(shares, velocities[settled:]),
        "out_of_round_standing": float(shapes[settled]),
        "out_of_round_most": float(shapes.max()),
        "out_of_round_end": float(shapes[-1]),
        "speed_end": float(way[resting:].max() / recording.dt),
        "spin_end": float(turning[resting:].max() / recording.dt),
        "astray": float(np.abs(centres[:, 2]).max()),
        "tilt": float(np.degrees(tilts(recording, positions).max())),
    }


def fits(recording: Recording, positions: Floats) -> Floats:
    """Σ m (p − c) (x − c₀)ᵀ of every frame of ``positions`` (f, n, 3), (f, 3, 3): its rotation is the best fit."""
    masses = node_masses(recording)
    rest = masses[:, None] * (recording.rest_positions - masses @ recording.rest_positions / masses.sum())
    return np.einsum("fni,nj->fij", positions, rest)


def turned(recording: Recording, positions: Floats) -> Floats:
    """How far the body has turned about z since it was at rest, (f,) rad; positive is rolling towards +x."""
    fit = fits(recording, positions)
    angles: Floats = np.unwrap(np.arctan2(fit[:, 0, 1] - fit[:, 1, 0], fit[:, 0, 0] + fit[:, 1, 1]))
    return angles


def tilts(recording: Recording, positions: Floats) -> Floats:
    """Angle between the wheel's axis and z, (f,) rad: falling over and turning aside both add to it."""
    left, _, right = np.linalg.svd(fits(recording, positions))
    return np.arccos(np.clip((left @ right)[:, 2, 2], -1.0, 1.0))


def out_of_round(recording: Recording, positions: Floats) -> Floats:
    """The greatest share by which a point of the rim is nearer to its middle or farther than the mean, (f,)."""
    rest = recording.rest_positions - [0.0, RADIUS, 0.0]
    rim = positions[:, np.hypot(rest[:, 0], rest[:, 1]) > RADIUS, :2]
    distances = np.linalg.norm(rim - rim.mean(axis=1, keepdims=True), axis=2)
    return np.abs(distances / distances.mean(axis=1, keepdims=True) - 1.0).max(axis=1)


def trembling(shares: Floats, velocities: Floats) -> float:
    """The part of all ``velocities`` (f, n, 3) that alternates from frame to frame, root of the mean square, m/s."""
    alternating = (velocities[2:] - 2.0 * velocities[1:-1] + velocities[:-2]) / 4.0
    return float(np.sqrt(np.einsum("fni,n->f", alternating**2, shares).mean()))


def sliding(positions: Floats, velocities: Floats) -> float:
    """Sum over the frames of how fast what touches the ground slides along x, m/s."""
    near = np.where(positions[:, :, 1] < NEAR, 1.0, 0.0)
    return float(np.abs((near * velocities[:, :, 0]).sum(axis=1) / np.maximum(near.sum(axis=1), 1.0)).sum())


ROLLS = (
    Demand("rolling_error", most=0.12),
    Demand("slid", most=0.02),
    Demand("load_least", least=0.5),
    Demand("load_most", most=1.5),
    Demand("trembling", most=0.02),
    Demand("out_of_round_most", least=0.08),
    Demand("out_of_round_end", most=0.06),
    Demand("speed_end", most=0.03),
    Demand("spin_end", most=0.06),
    Demand("astray", most=0.15),
    Demand("tilt", most=4.0),
)
AWAY, AWAY_AND_BACK = staged(Roll().away(ROLLING)), staged(Roll().away_and_back(TURNING_SPEED))
ONE_TURN, HALF_A_TURN = Demand("turns_right", least=1.0), Demand("turns_right", least=0.5)
TELLING = SETTLED + 0.1
SCENE_LIST = (
    Scene(
        "roll-o",
        "the O leans ahead, rolls, lets go and comes to rest",
        12.0,
        AWAY,
        measure,
        (ONE_TURN, *ROLLS),
        TELLING,
    ),
    Scene(
        "roll-o-turn",
        "the O rolls to the right, stops and rolls back",
        14.0,
        AWAY_AND_BACK,
        measure,
        (HALF_A_TURN, Demand("turns_back", least=0.5), *ROLLS),
        TELLING,
    ),
)
