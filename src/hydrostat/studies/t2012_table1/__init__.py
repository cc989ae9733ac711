"""T2012 Table 1: sizes of the examples, and what a frame of each costs on one core.

Simulation is contact, assembly, factorisation and the step itself; optimisation is everything a controller does, the
reduction to goals and contacts included. Times are medians over the whole scene at its own step, 1/60 s or longer.
"""

from __future__ import annotations

import cProfile
import pstats
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import numpy as np

from hydrostat.errors import InputError
from hydrostat.scenes import load_scene
from hydrostat.scenes.scene import Scene, Settings, Stage, play
from hydrostat.studies.study import Findings, Options, Study

# Scene of every row, in the table's order.
ROWS = (
    "exercise-h",
    "balance-i",
    "slide-f-right",
    "jump-i-forward",
    "jump-t-twist",
    "roll-o",
    "crawl-earthworm",
    "walk-x",
)
SMALL_ROWS, SMALL_SECONDS = ROWS[:1], 0.5
PROFILED_SECONDS = 1.0
# What a frame may cost at 60 frames a second: median, and 99th percentile, ms.
MEDIAN_LIMIT, LATE_LIMIT = 1e3 / 60.0, 33.0
SHORTEST_STEP = 1.0 / 60.0


def measure(options: Options) -> Findings:
    """Run the scenes and time their frames."""
    numbers: dict[str, float] = {}
    lines = [
        "| row | median ms | 99th percentile ms | real time | most time goes to |",
        "|---|---|---|---|---|",
    ]
    for name in SMALL_ROWS if options.small else ROWS:
        options.progress(name)
        scene = load_scene(name)
        stage = scene.build(Settings())
        times = frame_times(scene, stage, SMALL_SECONDS if options.small else scene.seconds)
        total = times["simulation"] + times["optimisation"]
        numbers |= {f"{name} {quantity}": value for quantity, value in sizes(stage).items()}
        numbers |= {f"{name} {phase}": float(np.median(values)) for phase, values in times.items()}
        median, late = float(np.median(total)), float(np.percentile(total, 99))
        numbers[f"{name} total"] = median
        fast = median <= MEDIAN_LIMIT and late <= LATE_LIMIT and stage.world.dt >= SHORTEST_STEP - 1e-12
        lines.append(f"| {name} | {median:.1f} | {late:.1f} | {'yes' if fast else 'NO'} | {costliest(scene)} |")
    return Findings(numbers, lines)


def sizes(stage: Stage) -> dict[str, float]:
    """Tetrahedra, muscle degrees of freedom and contact patches."""
    world = stage.world
    if world.muscles is None:
        raise InputError("a scene without muscles", "a character of Table 1", "give it muscles")
    return {
        "tets": float(len(world.body.mesh.tets)),
        "dofs": float(len(world.muscles.upper)),
        "patches": float(world.patches.count),
    }


def frame_times(scene: Scene, stage: Stage, seconds: float) -> Mapping[str, np.ndarray]:
    """Milliseconds of every frame, (f,), by phase; kernels are compiled before."""
    list(play(stage, 5 * stage.world.dt))
    reports = [report.milliseconds for _, report in play(stage, seconds)]
    simulation = np.array([spent["simulation"] for spent in reports])
    return {"simulation": simulation, "optimisation": np.array([sum(spent.values()) for spent in reports]) - simulation}


def costliest(scene: Scene, most: int = 3) -> str:
    """The functions in which most time of a scene's first second is spent, with their shares."""
    stage = scene.build(Settings())
    profile = cProfile.Profile()
    profile.enable()
    list(play(stage, PROFILED_SECONDS))
    profile.disable()
    stats = cast(Any, pstats.Stats(profile)).stats  # (file, line, name): (calls, primitive calls, own time, …)
    total = sum(spent[2] for spent in stats.values())
    slowest = sorted(stats, key=lambda place: -stats[place][2])[:most]
    return ", ".join(
        f"{Path(file).stem}.{name} {stats[file, line, name][2] / total:.0%}" for file, line, name in slowest
    )


STUDY = Study("t2012-table1", "sizes and frame times of the examples", measure, __name__)
