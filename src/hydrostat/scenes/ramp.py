"""Blocks on slopes: friction against its closed forms."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from hydrostat.characters.block import CHARACTER as BLOCK
from hydrostat.contact.friction import Friction
from hydrostat.contact.ground import slope
from hydrostat.control.controllers import Passive
from hydrostat.scenes.scene import Scene, Settings, Stage
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
        details = {"angle": self.angle, "friction": FRICTION, "speed": self.speed}
        return Stage(world, state, Passive(), BLOCK.height, details=details)


_CRITICAL = float(np.arctan(FRICTION))
SCENE_LIST = (
    Scene("ramp-stick", "a block on a slope just below the friction angle stays", 2.0, Ramp(0.95 * _CRITICAL)),
    Scene("ramp-slide", "a block on a slope just above the friction angle slides", 1.0, Ramp(1.05 * _CRITICAL)),
    Scene("ramp-stop", "a sliding block stops after v²/2μg", 1.0, Ramp(0.0, SPEED)),
)
