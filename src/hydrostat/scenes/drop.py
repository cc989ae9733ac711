"""Letters that fall and come to rest."""

from __future__ import annotations

from hydrostat.characters.letter_i import CHARACTER as LETTER_I
from hydrostat.control.controllers import Passive
from hydrostat.scenes.scene import Scene, Settings, Stage
from hydrostat.scenes.staging import start_of, world_of

DROP_HEIGHT = 0.1  # m


def drop_i(settings: Settings) -> Stage:
    """The I, relaxed, a little above the ground."""
    world = world_of(LETTER_I, settings)
    return Stage(world, start_of(world, settings, DROP_HEIGHT), Passive(), LETTER_I.height)


SCENE_LIST = (Scene("drop-i", "the I falls, settles and rests", 12.0, drop_i),)
