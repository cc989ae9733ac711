"""B2024's inset on the number of modes: what a gorilla's gait is worth, and how long it takes to find, against m."""

from __future__ import annotations

import numpy as np

from hydrostat.bodies.reduced import ReducedOptions
from hydrostat.search.wishes import Wishes
from hydrostat.studies.b2024 import TOLD, Walk, busy, creature_body, find_walk, markdown, told
from hydrostat.studies.study import Findings, Options, Study

CREATURE, MODES, TRIALS = "gorilla", (1, 2, 4, 8, 12, 16, 20), 1
SMALL_MODES, SMALL_TRIALS = (1, 2), 1
# A search has converged when its best score is this near to its last, as a share.
NEAR = 0.05


def measure(options: Options) -> Findings:
    """Search with more and more modes; the body has all of them, of which the lowest m are used."""
    modes, trials = (SMALL_MODES, SMALL_TRIALS) if options.small else (MODES, TRIALS)
    body = creature_body(CREATURE, ReducedOptions(max(modes)), options)
    rows = []
    for count in modes:
        for seed in range(trials):
            options.progress(f"{count} modes, trial {seed}")
            walk = find_walk(body, Wishes(only_modes=tuple(range(count))), options, seed=seed)
            rows.append([str(count), str(seed), *told(walk), *_converged(walk)])
    lines = markdown(f"modes | trial | {TOLD} | generations until within 5 % | s until then", rows)
    return Findings({}, [*lines, busy()])


def _converged(walk: Walk) -> list[str]:
    """After which generation, and after what share of the seconds, the best score was near the last one."""
    best = np.minimum.accumulate(walk.progress.scores.min(axis=1))
    generations = 1 + int(np.argmax(best <= best[-1] + NEAR * abs(best[-1])))
    return [str(generations), f"{walk.seconds * generations / len(best):.1f}"]


STUDY = Study("b2024-modes", "a gait and its search against the number of modes", measure)
