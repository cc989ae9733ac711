"""Letters that fall and come to rest."""

from __future__ import annotations

from typing import Any

import numpy as np

from hydrostat.characters.letter_i import CHARACTER as LETTER_I
from hydrostat.control.controllers import Passive
from hydrostat.io.reader import Recording
from hydrostat.scenes.scene import Demand, Scene, Settings, Stage
from hydrostat.scenes.staging import start_of, world_of

DROP_HEIGHT = 0.1  # m
RESTING = 10.0  # s at the end, in which nothing may drift


def drop_i(settings: Settings) -> Stage:
    """The I, relaxed, a little above the ground."""
    world = world_of(LETTER_I, settings)
    return Stage(world, start_of(world, settings, DROP_HEIGHT), Passive(), LETTER_I.height)


def measure(recording: Recording) -> dict[str, Any]:
    """How still it stands in the end: the ground's force against the weight, and the drift of any node, m."""
    settled = int(np.searchsorted(recording.times, recording.times[-1] - RESTING))
    weight = recording.metadata["mass"] * -np.array(recording.metadata["gravity"])
    force = recording.contacts(-1).impulses.sum(axis=0) / recording.dt
    start = recording.positions(settled)
    drift = max(
        float(np.linalg.norm(recording.positions(index) - start, axis=1).max())
        for index in range(settled, len(recording.times))
    )
    return {
        "force_error": float(np.linalg.norm(force - weight) / np.linalg.norm(weight)),
        "drift": drift,
        "drift_seconds": float(recording.times[-1] - recording.times[settled]),
    }


DEMANDS = (Demand("force_error", most=1e-6), Demand("drift", most=1e-5))
SCENE_LIST = (Scene("drop-i", "the I falls, settles and rests", 18.0, drop_i, measure, DEMANDS),)
