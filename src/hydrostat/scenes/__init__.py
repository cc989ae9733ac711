"""Scenes: character × behaviour × world, by name."""

from __future__ import annotations

from difflib import get_close_matches

from hydrostat.errors import InputError
from hydrostat.scenes import balance, crawl, drop, exercise, jump, ramp, roll, slide, walk
from hydrostat.scenes.letters import LETTER_SCENES
from hydrostat.scenes.scene import Scene

_MODULES = (drop, ramp, exercise, balance, slide, jump, walk, roll, crawl)
SCENES: dict[str, Scene] = {scene.name: scene for module in _MODULES for scene in module.SCENE_LIST}


def load_scene(name: str) -> Scene:
    """The scene called ``name``: one of `SCENES`, or balance or exercise with any letter.

    >>> load_scene("ramp-stop").seconds
    1.0
    >>> load_scene("balance-k").summary
    'the K is pushed and keeps its balance'
    """
    if name in SCENES:
        return SCENES[name]
    if name in LETTER_SCENES:
        return LETTER_SCENES[name]()
    close = get_close_matches(name, [*SCENES, *LETTER_SCENES], 1)
    cure = f"did you mean {close[0]!r}?" if close else "see `hydrostat list`"
    known = f"one of {', '.join(sorted(SCENES))}, or balance or exercise with another letter"
    raise InputError(f"there is no scene {name!r}", known, cure)
