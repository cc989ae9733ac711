"""Any letter: balance and exercise with default muscles and default behaviours, nothing tuned."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from hydrostat.arrays import Floats
from hydrostat.characters.alphabet import letter_character
from hydrostat.control.behaviours.balance import Balance
from hydrostat.control.behaviours.exercise import Exercise
from hydrostat.control.controllers import GoalController
from hydrostat.control.goals import Planted
from hydrostat.control.plans import always
from hydrostat.geometry.glyphs import GLYPHS
from hydrostat.io.reader import Recording
from hydrostat.scenes.exercise import exercise, tracking
from hydrostat.scenes.scene import Demand, Scene, Settings, Stage
from hydrostat.scenes.staging import controller_of, start_of, world_of
from hydrostat.stepping.forces import Push, shares_near

# A push at the top, N·s per kg of body, once sideways and once from behind: start, duration, s.
SPEED, PUSHES = 0.1, (((1.0, 0.0, 0.0), 0.3), ((0.0, 0.0, 1.0), 2.3))
DURATION, RADIUS = 0.1, 0.2
# One choice for all: narrow letters tip where they are asked for much in a short time.
SWAY = Exercise(0.04, period=4.0, stance=0.95, stiffness=120.0, damping=22.0, turning_weight=0.1, upward=1.0)
STAND, STAY = Balance(turning_weight=0.8), Planted(1.0, 0.3)


def balance(letter: str, settings: Settings) -> Stage:
    """A letter on its feet, pushed at its top from two sides."""
    character = letter_character(letter)
    rest, masses = character.body.rest_positions, character.body.masses
    top = rest[rest[:, 1].argmax()]
    shares = shares_near(rest, masses, tuple(top), RADIUS)
    force = SPEED * character.body.mass / DURATION
    pushes = tuple(Push(shares, (force * x, force * y, force * z), start, DURATION) for (x, y, z), start in PUSHES)
    world = world_of(character, settings, forces=pushes)
    controller = controller_of(GoalController(always([*STAND.goals(world), STAY])), settings)
    return Stage(world, start_of(world, settings), controller, character.height)


def measure_balance(recording: Recording) -> dict[str, float]:
    """How the letter stands in the end: how far it leans, degrees, and the speed of its centre of mass, m/s."""
    centres = [recording.markers(index)["centre of mass"] for index in (-7, -1)]
    speed = float(np.linalg.norm(centres[1] - centres[0]) / (6 * recording.dt))
    rest, now = (
        axis_of(recording.rest_positions, points) for points in (recording.rest_positions, recording.positions(-1))
    )
    return {"lean": float(np.degrees(np.arccos(np.clip(rest @ now, -1.0, 1.0)))), "speed": speed}


def axis_of(rest: Floats, now: Floats) -> Floats:
    """The direction (3,) from what is lowest at ``rest`` (n, 3) m to what is highest, with the nodes where they are."""
    heights = rest[:, 1]
    axis: Floats = now[heights > heights.max() - 1e-3].mean(axis=0) - now[heights < heights.min() + 1e-3].mean(axis=0)
    return axis / np.linalg.norm(axis)


def letter_scene(behaviour: str, letter: str) -> Scene:
    """The scene of a ``behaviour`` of `BEHAVIOURS` with a capital ``letter``.

    >>> letter_scene("exercise", "K").name
    'exercise-k'
    """
    return BEHAVIOURS[behaviour](letter)


def _balance(letter: str) -> Scene:
    demands = (Demand("lean", most=5.0), Demand("speed", most=0.02))
    summary = f"the {letter} is pushed and keeps its balance"
    return Scene(f"balance-{letter.lower()}", summary, 5.0, partial(balance, letter), measure_balance, demands)


def _exercise(letter: str) -> Scene:
    demands = (Demand("amplitude", least=0.8 * SWAY.amplitude), Demand("tracking_share", most=0.1))
    summary = f"the {letter} swings its centre of mass from side to side"

    def build(settings: Settings) -> Stage:
        return exercise(letter_character(letter), settings, SWAY)

    return Scene(f"exercise-{letter.lower()}", summary, 2.0 * SWAY.period, build, tracking, demands)


BEHAVIOURS: dict[str, Callable[[str], Scene]] = {"balance": _balance, "exercise": _exercise}
LETTER_SCENES = {
    f"{behaviour}-{letter.lower()}": partial(letter_scene, behaviour, letter)
    for behaviour in BEHAVIOURS
    for letter in GLYPHS
}
