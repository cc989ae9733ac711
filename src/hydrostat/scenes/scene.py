"""A scene: a character, a behaviour and a world, set up to run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hydrostat.arrays import Floats
from hydrostat.errors import InputError
from hydrostat.io.reader import Recording
from hydrostat.stepping.step import Controller, StepReport, step
from hydrostat.stepping.world import State, World

CONTROLLERS = ("qpcc", "static", "none")


@dataclass(frozen=True)
class Settings:
    """What a user may change of any scene.

    controller: "qpcc"; "static", which holds every contact; or "none", which leaves the muscles relaxed.
    jitter: relative size of the noise in friction, mass and stiffness; the pose gets a fifth of it. seed: of it.
    """

    controller: str = "qpcc"
    jitter: float = 0.0
    seed: int = 0

    def __post_init__(self) -> None:
        """Refuse settings that mean nothing."""
        if self.controller not in CONTROLLERS:
            raise InputError(f"controller is {self.controller!r}", f"one of {', '.join(CONTROLLERS)}", "choose one")
        if self.seed < 0:
            raise InputError(f"seed is {self.seed}", "a whole number ≥ 0", "try 0")
        if not 0.0 <= self.jitter < 0.5:
            raise InputError(f"jitter is {self.jitter}", "a number between 0 and 0.5", "try 0.05")


@dataclass(frozen=True)
class Stage:
    """A scene ready to run. markers: named points (3,) m of a state, to be recorded and drawn."""

    world: World
    state: State
    controller: Controller
    height: float
    markers: Callable[[State], Mapping[str, Floats]] = lambda state: {}
    details: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class Demand:
    """A measured quantity and the range in which it must be for the scene to have succeeded."""

    quantity: str
    least: float = -np.inf
    most: float = np.inf

    def __str__(self) -> str:
        """The demand in words, like ``turns ≥ 1``."""
        lower = f"{self.least:g} ≤ " if self.least > -np.inf and self.most < np.inf else ""
        upper = f" ≤ {self.most:g}" if self.most < np.inf else f" ≥ {self.least:g}"
        return f"{lower}{self.quantity}{upper}"


@dataclass(frozen=True)
class Scene:
    """A scene by name. build makes a stage from settings; seconds is how long it runs.

    measure: what a recording of this scene shows, beyond what ``measure.summary`` tells of all. demands: what of it
    must hold for the motion to be what the scene is called after. telling: s that a run must last at least to be
    measured so: before that what is measured has not happened yet.
    """

    name: str
    summary: str
    seconds: float
    build: Callable[[Settings], Stage]
    measure: Callable[[Recording], dict[str, Any]] = lambda recording: {}
    demands: tuple[Demand, ...] = ()
    telling: float = 0.1


def play(stage: Stage, seconds: float, state: State | None = None) -> Iterator[tuple[State, StepReport]]:
    """Every state after a step, with its report, until ``seconds`` of scene time; from ``state`` if there is one."""
    now = state or stage.state
    for _ in range(steps_left(stage, seconds, now)):
        now, report = step(stage.world, now, stage.controller)
        yield now, report


def steps_left(stage: Stage, seconds: float, state: State) -> int:
    """Number of steps from ``state`` to ``seconds`` of scene time."""
    if not 0.0 < seconds < np.inf:
        raise InputError(f"{seconds} seconds", "a positive number", "try 2")
    return max(0, round((seconds - state.time) / stage.world.dt))
