"""T2012's balance: the hardest push at the head that the I survives, by controller and direction.

The paper shows one push that QPCC recovers from and static contacts do not. Here the impulse is bisected. All
controllers face the same pushes and the same judgement: a push is survived if some time later the body is upright and
nearly at rest, however it got there. Static contacts get a second chance, with plain balance: widening a base that must
not slide only costs them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from hydrostat.control.behaviours.balance import Balance
from hydrostat.control.plans import Behaviour, always
from hydrostat.scenes.balance import RECOVERS, Shove, balance_i
from hydrostat.scenes.scene import Settings, Stage, play
from hydrostat.stepping.world import State, World
from hydrostat.studies.study import Findings, Options, Study, in_parallel

DIRECTIONS = tuple(45.0 * k for k in range(8))
SMALL_DIRECTIONS = (0.0,)
# Impulses between which the largest one is sought, and how closely, N·s.
WEAK, STRONG = 5.0, 101.0
STEP, SMALL_STEP = 3.0, 48.0
# Who leans more than this after the push, degrees, has fallen.
FALLEN = 60.0
# Who leans less and moves slower, degrees and m/s in the mean over the mass, for this many s, has survived.
UPRIGHT, STILL, LONG = 10.0, 0.05, 0.5
PATIENCE = 5.0  # s after the push, until which it must have come to that


@dataclass(frozen=True)
class Contestant:
    """Who is pushed. controller: of the settings. behaves: what it wants."""

    controller: str
    behaves: Callable[[World], Behaviour] = RECOVERS


QPCC, STATIC, PLAIN, NONE = "QPCC", "static", "static, plain balance", "no control"
CONTESTANTS = {
    QPCC: Contestant("qpcc"),
    STATIC: Contestant("static"),
    PLAIN: Contestant("static", lambda world: always(Balance().goals(world))),
    NONE: Contestant("none"),
}


def measure(options: Options) -> Findings:
    """Bisect the impulse for every contestant and direction."""
    directions = SMALL_DIRECTIONS if options.small else DIRECTIONS
    step = SMALL_STEP if options.small else STEP
    found: dict[str, list[float]] = {}
    results = in_parallel(largest, [(name, direction, step) for name in CONTESTANTS for direction in directions])
    for name in CONTESTANTS:
        options.progress(name)
        found[name] = [next(results) for _ in directions]
    means = {name: float(np.mean(values)) for name, values in found.items()}
    lines = [
        f"Largest survived impulse, N·s, to {step:g} N·s, by the direction of the push (0°: along the broad side).\n",
        "| controller | " + " | ".join(f"{direction:g}°" for direction in directions) + " | mean |",
        "|---|" + "---|" * (len(directions) + 1),
    ]
    for name, values in found.items():
        lines.append(f"| {name} | " + " | ".join(f"{v:g}" for v in values) + f" | {means[name]:.1f} |")
    others = {"QPCC over static": max(means[STATIC], means[PLAIN]), "QPCC over no control": means[NONE]}
    return Findings({name: means[QPCC] / other for name, other in others.items()}, lines)


def largest(name: str, direction: float, step: float) -> float:
    """The largest impulse that a contestant survived, N·s, by bisection; one ``step`` more is too much."""
    contestant, survived, fatal = CONTESTANTS[name], WEAK, STRONG
    if not survives(contestant, direction, survived):
        return 0.0
    while fatal - survived > step:
        middle = 0.5 * (survived + fatal)
        if survives(contestant, direction, middle):
            survived = middle
        else:
            fatal = middle
    return survived


def survives(contestant: Contestant, direction: float, impulse: float) -> bool:
    """Whether the I survives a push; see UPRIGHT, STILL and LONG."""
    shove = Shove(impulse, direction)
    stage = balance_i(shove, contestant.behaves)(Settings(controller=contestant.controller))
    calm = 0.0
    for lean, speed in _after(stage, shove):
        calm = calm + stage.world.dt if lean < UPRIGHT and speed < STILL else 0.0
        if lean > FALLEN or calm >= LONG:
            break
    return calm >= LONG


def _after(stage: Stage, shove: Shove) -> Iterator[tuple[float, float]]:
    """How far the body leans, degrees, and how fast its mass moves, m/s, in every step after the push."""
    masses, rest = stage.world.body.masses, stage.world.body.rest_positions[:, 1]
    top, sole = rest > rest.max() - 1e-3, rest < rest.min() + 1e-3

    def lean(state: State) -> float:
        axis = state.positions[top].mean(axis=0) - state.positions[sole].mean(axis=0)
        return float(np.degrees(np.arccos(axis[1] / np.linalg.norm(axis))))

    for state, _ in play(stage, shove.end + PATIENCE):
        if state.time > shove.end:
            yield lean(state), float(np.sqrt(masses @ np.sum(state.velocities**2, axis=1) / masses.sum()))


STUDY = Study("t2012-balance", "the hardest push that the I survives", measure, __name__)
