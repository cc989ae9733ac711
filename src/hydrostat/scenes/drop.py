"""Letters that fall and come to rest."""

from __future__ import annotations

from hydrostat.characters.letter_i import CHARACTER as LETTER_I
from hydrostat.control.controllers import Passive
from hydrostat.scenes.scene import Scene, Settings, Stage
from hydrostat.stepping.world import World

DROP_HEIGHT = 0.1  # m


def drop_i(settings: Settings) -> Stage:
    """The I, relaxed, a little above the ground."""
    world = World(LETTER_I.body, LETTER_I.muscles, patches=LETTER_I.patches)
    return Stage(world, world.rest_state(DROP_HEIGHT), Passive(), LETTER_I.height)


SCENE_LIST = (Scene("drop-i", "the I falls, settles and rests", 12.0, drop_i),)
