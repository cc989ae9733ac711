"""B2024's inset on the number of modes: what a gorilla's gait is worth, and how long it takes to find, against m."""

from __future__ import annotations

import numpy as np

from hydrostat.bodies.reduced import ReducedOptions
from hydrostat.search.wishes import Wishes
from hydrostat.studies.b2024 import Walk, creature_body, find_walk
from hydrostat.studies.b2024_report import TOLD, busy, markdown, told, verdict
from hydrostat.studies.study import Findings, Options, Study

CREATURE, MODES, TRIALS = "gorilla", (1, 2, 4, 8, 12, 16, 20), 1
SMALL_MODES, SMALL_TRIALS = (1, 2), 1
# A search has converged when its best score is this near to its last, as a share.
NEAR = 0.05


def measure(options: Options) -> Findings:
    """Search with more and more modes; the body has all of them, of which the lowest m are used."""
    modes, trials = (SMALL_MODES, SMALL_TRIALS) if options.small else (MODES, TRIALS)
    body = creature_body(CREATURE, ReducedOptions(max(modes)), options)
    rows, walks = [], []
    for count in modes:
        for seed in range(trials):
            options.progress(f"{count} modes, trial {seed}")
            walk = find_walk(body, Wishes(only_modes=tuple(range(count))), options, seed=seed)
            walks.append(walk)
            rows.append([str(count), str(seed), *told(walk), str(_generations(walk)), f"{_until(walk):.1f}"])
    lines = markdown(f"modes | trial | {TOLD} | generations until within 5 % | s of all cores until then", rows)
    scores = [walk.score for walk in walks]
    level = scores[-1] >= 1.1 * min(scores[:-1])
    lines.append(verdict("the most modes gain no more than 10 % on the best with fewer", level))
    lines.append(verdict("the most modes take longer than the least", _until(walks[-1]) > _until(walks[0])))
    return Findings({}, [*lines, "", busy()])


def _generations(walk: Walk) -> int:
    """After how many generations the best score was near the last one."""
    best = np.minimum.accumulate(walk.progress.scores.min(axis=1))
    return 1 + int(np.argmax(best <= best[-1] + NEAR * abs(best[-1])))


def _until(walk: Walk) -> float:
    """Seconds of all cores until then."""
    return walk.effort * _generations(walk) / len(walk.progress.scores)


STUDY = Study("b2024-modes", "a gait and its search against the number of modes", measure)
