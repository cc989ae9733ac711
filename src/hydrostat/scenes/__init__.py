"""Scenes: character × behaviour × world, by name."""

from __future__ import annotations

from difflib import get_close_matches

from hydrostat.errors import InputError
from hydrostat.scenes import drop, exercise, jump, ramp
from hydrostat.scenes.scene import Scene

SCENES: dict[str, Scene] = {
    scene.name: scene for scene in (*drop.SCENE_LIST, *ramp.SCENE_LIST, *exercise.SCENE_LIST, *jump.SCENE_LIST)
}


def load_scene(name: str) -> Scene:
    """The scene called ``name``.

    >>> load_scene("ramp-stop").seconds
    1.0
    """
    if name not in SCENES:
        close = get_close_matches(name, SCENES, 1)
        cure = f"did you mean {close[0]!r}?" if close else "see `hydrostat list`"
        raise InputError(f"there is no scene {name!r}", f"one of {', '.join(sorted(SCENES))}", cure)
    return SCENES[name]
