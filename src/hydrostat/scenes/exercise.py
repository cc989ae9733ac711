"""The H at its morning exercises: its centre of mass swings from side to side (T2012 Figure 4)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from hydrostat.arrays import Floats
from hydrostat.characters.character import Character
from hydrostat.characters.letter_h import CHARACTER as LETTER_H
from hydrostat.characters.letter_h import LEG_WIDTH, LEGS
from hydrostat.control.behaviours.exercise import Exercise
from hydrostat.control.controllers import GoalController
from hydrostat.control.plans import always
from hydrostat.io.reader import Recording
from hydrostat.scenes.scene import Demand, Scene, Settings, Stage
from hydrostat.scenes.staging import controller_of, start_of, world_of
from hydrostat.stepping.world import State

# Weights of activation and of its change, (m/s)².
EFFORT, CHANGE = 3e-4, 3e-3


def exercise(character: Character, settings: Settings, behaviour: Exercise = Exercise()) -> Stage:
    """A character on its feet."""
    world = world_of(character, settings)

    def markers(state: State) -> Mapping[str, Floats]:
        return {"target": behaviour.target(world, state.time)}

    controller = controller_of(GoalController(always(behaviour.goals(world)), EFFORT, CHANGE), settings)
    details = {"behaviour": vars(behaviour)}
    return Stage(world, start_of(world, settings), controller, character.height, markers, details)


def exercise_h(settings: Settings) -> Stage:
    """The H on its two feet."""
    return exercise(LETTER_H, settings)


def tracking(recording: Recording) -> dict[str, float]:
    """How far the centre of mass swung, m, and how far off its target it was: root mean square, m and share of that."""
    markers = [recording.markers(index) for index in range(len(recording))]
    error = np.array([m["centre of mass"][0] - m["target"][0] for m in markers])
    amplitude = float(np.ptp([m["centre of mass"][0] for m in markers]) / 2.0)
    rms = float(np.sqrt(np.mean(error**2)))
    return {"amplitude": amplitude, "tracking_rms": rms, "tracking_share": rms / amplitude}


def measure(recording: Recording) -> dict[str, Any]:
    """How well the swing was tracked, and how long and thick the legs were at its ends (1 at rest).

    slipped: how far the mean of the soles has moved on the ground, m. Inner is the leg on the side to which the body
    leans.
    """
    count = len(recording)
    sway = np.array([recording.markers(index)["centre of mass"][0] for index in range(count)])
    legs = np.array([_legs(recording, index) for index in range(count)])
    ends = np.abs(sway) > 0.9 * np.abs(sway).max()
    inner = (sway > 0.0).astype(int)[ends]
    at_ends = legs[ends]
    own, other = at_ends[np.arange(len(inner)), inner], at_ends[np.arange(len(inner)), 1 - inner]
    soles = np.flatnonzero(recording.rest_positions[:, 1] < recording.rest_positions[:, 1].min() + 1e-3)
    ways = recording.positions(-1)[soles] - recording.rest_positions[soles]
    return {
        **tracking(recording),
        "slipped": float(np.linalg.norm(ways[:, [0, 2]].mean(axis=0))),
        "inner_leg": dict(zip(("length", "thickness"), own.mean(axis=0).tolist(), strict=True)),
        "outer_leg": dict(zip(("length", "thickness"), other.mean(axis=0).tolist(), strict=True)),
    }


def _legs(recording: Recording, index: int) -> Floats:
    """Length and cross-section of the left and the right leg over those at rest, (2, 2)."""
    corners = recording.rest_positions[recording.tets]
    edges = corners[:, 1:] - corners[:, :1]
    now = recording.positions(index)[recording.tets]
    gradients = np.linalg.solve(edges, now[:, 1:] - now[:, :1]).transpose(0, 2, 1)
    along = np.linalg.norm(gradients[:, :, 1], axis=1)
    volumes = np.abs(np.linalg.det(edges))
    answer = []
    for leg in LEGS:
        share = np.where(np.abs(corners[..., 0].mean(axis=1) - leg) < LEG_WIDTH / 2.0, volumes, 0.0)
        share /= share.sum()
        answer.append((share @ along, share @ (np.linalg.det(gradients) / along)))
    return np.array(answer)


DEMANDS = (Demand("amplitude", least=0.1), Demand("tracking_share", most=0.1), Demand("slipped", most=0.01))
SCENE_LIST = (
    Scene("exercise-h", "the H swings its centre of mass from side to side", 6.0, exercise_h, measure, DEMANDS),
)
