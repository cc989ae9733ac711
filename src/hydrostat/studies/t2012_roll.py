"""T2012 section 7, rolling: the paper says that an O whose contacts are held static never rolls. How true is that?

Each controller ten times, jittered. What is measured is how many turns the O makes to the right.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from hydrostat.io.reader import open_recording
from hydrostat.scenes import SCENES
from hydrostat.scenes.record import record
from hydrostat.scenes.scene import CONTROLLERS, Settings
from hydrostat.studies.study import Findings, Options, Study, in_parallel

RUNS, JITTER = 10, 0.05
NAMES = ("roll-o", "roll-o-turn")
SMALL_RUNS, SMALL_SECONDS = 1, 0.8
# Turns that the paper's claim allows.
NEVER = 0.1
WHY = (
    "Holding is a program that often has no solution here: patches ahead of the O do not touch yet, and no muscle",
    "brings all of them to the ground at once. Then the muscles stay as they are and only contact is solved, and an O",
    "that is off its balance may tip on by its weight. What it cannot do is what it is told to: roll one way, stop,",
    "and roll back.",
)


def measure(options: Options) -> Findings:
    """Turns of both scenes under every controller."""
    runs = SMALL_RUNS if options.small else RUNS
    seconds = SMALL_SECONDS if options.small else None
    lines = [
        "| scene | controller | turns, median | least | most | below 0.1 turn | turns back, median |",
        "|---|---|---|---|---|---|---|",
    ]
    rows = [(name, controller) for name in NAMES for controller in CONTROLLERS]
    results = in_parallel(turns, [(*row, seed, seconds) for row in rows for seed in range(runs)])
    for name, controller in rows:
        options.progress(f"{name}, {controller}")
        right, back = np.array([next(results) for _ in range(runs)]).T
        lines.append(
            f"| {name} | {controller} | {np.median(right):.2f} | {right.min():.2f} | {right.max():.2f} "
            f"| {(right < NEVER).sum()} of {runs} | {np.median(back):.2f} |"
        )
    return Findings({}, [*lines, "", *WHY])


def turns(name: str, controller: str, seed: int, seconds: float | None) -> tuple[float, float]:
    """Turns to the right and then back in a jittered run of the scene ``name``."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "run.vtkhdf"
        record(SCENES[name], path, Settings(controller, jitter=JITTER, seed=seed), seconds)
        with open_recording(path) as recording:
            found = SCENES[name].measure(recording)
    return found["turns_right"], found["turns_back"]


STUDY = Study("t2012-roll", "whether an O with static contacts rolls", measure)
