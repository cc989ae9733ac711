"""Finals: the best gaits of a search are tried from other starts, and the one that works best from all of them wins.

The best score of some thousand gaits is in part luck with the starts that they were searched with: such a gait may turn
away from the next one. Luck does not last from starts that had no part in the search.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from hydrostat.arrays import Floats
from hydrostat.search.evolution import Progress
from hydrostat.search.starts import disturbed
from hydrostat.search.trials import Trial

# New starts, their noise in sizes of the body, and their seed: part of what is asked, so the same for every search.
STARTS, NOISE, SEED = 10, 0.02, 4202


def winner(trial: Trial, progress: Progress, finalists: int) -> Floats:
    """The point (d,) of the best of ``finalists`` gaits, each the best of its generation; with one, of the search."""
    if finalists == 1:
        return progress.best
    generator = np.random.default_rng(SEED)
    others = (disturbed(trial.body, trial.starts[0], trial.surroundings, NOISE, generator) for _ in range(STARTS))
    final = replace(trial, starts=(trial.starts[0], *others))
    ranked = progress.champions[np.argsort(progress.scores.min(axis=1), kind="stable")[:finalists]]
    best: Floats = ranked[int(np.argmin([final(point) for point in ranked]))]
    return best
