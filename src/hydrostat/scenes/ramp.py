"""Blocks on slopes: friction against its closed forms."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from hydrostat.arrays import Floats
from hydrostat.characters.block import CHARACTER as BLOCK
from hydrostat.contact.friction import Friction
from hydrostat.contact.ground import slope
from hydrostat.control.controllers import Passive
from hydrostat.io.reader import Recording
from hydrostat.scenes.scene import Demand, Scene, Settings, Stage
from hydrostat.scenes.staging import start_of, world_of

FRICTION = 0.5
SPEED = 2.0


@dataclass(frozen=True)
class Ramp:
    """A block laid on a slope of ``angle`` (radians), moving with ``speed`` (m/s) along x in the slope's plane."""

    angle: float
    speed: float = 0.0

    def __call__(self, settings: Settings) -> Stage:
        """The stage; dt is short, because sliding distance is first order in it."""
        world = world_of(BLOCK, settings, Friction(FRICTION), ground=slope(self.angle), dt=1.0 / 480.0)
        turn = np.array(
            [
                [np.cos(self.angle), np.sin(self.angle), 0.0],
                [-np.sin(self.angle), np.cos(self.angle), 0.0],
                [0.0, 0.0, 1.0],
            ]
        )
        rest = start_of(world, settings)
        along = turn @ np.array([self.speed, 0.0, 0.0])
        state = replace(rest, positions=rest.positions @ turn.T, velocities=rest.velocities + along)
        details = {
            "angle": self.angle,
            "friction": world.friction.coefficient,
            "speed": self.speed,
            "gravity": float(np.linalg.norm(world.gravity)),
            "start": world.body.masses @ state.positions / world.body.mass,
        }
        return Stage(world, state, Passive(), BLOCK.height, details=details)


def way(recording: Recording) -> Floats:
    """How far the centre of mass came down the slope until every frame, (f,) m."""
    details = recording.metadata["details"]
    centres = np.array([recording.markers(index)["centre of mass"] for index in range(len(recording))])
    return (centres - details["start"]) @ [np.cos(details["angle"]), -np.sin(details["angle"]), 0.0]


def measure_stick(recording: Recording) -> dict[str, Any]:
    """How far it crept, m, after the first quarter of the time, in which it settles on its patches."""
    late = way(recording)[len(recording) // 4 :]
    return {"crept": float(np.ptp(late))}


def measure_slide(recording: Recording) -> dict[str, Any]:
    """Its acceleration in the second half of the time beside g (sin α − μ cos α), m/s², and the share it is off."""
    details = recording.metadata["details"]
    late = way(recording)[len(recording) // 2 :]
    fitted = 2.0 * np.polyfit(recording.dt * np.arange(len(late)), late, 2)[0]
    expected = details["gravity"] * (np.sin(details["angle"]) - details["friction"] * np.cos(details["angle"]))
    return {
        "acceleration": float(fitted),
        "expected_acceleration": float(expected),
        "error": float(abs(fitted / expected - 1.0)),
    }


def measure_stop(recording: Recording) -> dict[str, Any]:
    """Where it stops beside v²/2μg, the share it is off, and how far it crept in the last fifth of the time, m."""
    details, distance = recording.metadata["details"], way(recording)
    expected = details["speed"] ** 2 / (2.0 * details["friction"] * details["gravity"])
    crept = float(np.ptp(distance[-len(distance) // 5 :]))
    error = abs(float(distance[-1]) / expected - 1.0)
    return {"distance": float(distance[-1]), "expected_distance": expected, "error": error, "crept": crept}


_CRITICAL = float(np.arctan(FRICTION))
STICK, SLIDE, STOP = Ramp(0.95 * _CRITICAL), Ramp(1.05 * _CRITICAL), Ramp(0.0, SPEED)
STAYS, AS_NEWTON_SAYS = Demand("crept", most=1e-5), Demand("error", most=0.02)
SCENE_LIST = (
    Scene("ramp-stick", "a block on a slope just below the friction angle stays", 2.0, STICK, measure_stick, (STAYS,)),
    Scene(
        "ramp-slide",
        "a block on a slope just above the friction angle slides",
        1.0,
        SLIDE,
        measure_slide,
        (AS_NEWTON_SAYS,),
    ),
    Scene("ramp-stop", "a sliding block stops after v²/2μg", 1.0, STOP, measure_stop, (AS_NEWTON_SAYS, STAYS)),
)
