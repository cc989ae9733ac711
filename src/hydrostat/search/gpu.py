"""Scores by a GPU, which plays a whole generation at once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np

from hydrostat.arrays import Floats
from hydrostat.errors import InputError
from hydrostat.search.evolution import Evaluate
from hydrostat.search.trials import Trial
from hydrostat.solvers.threads import one_blas_thread

if TYPE_CHECKING:
    from hydrostat.search.batches import Batch


def require_gpu() -> None:
    """InputError where JAX is missing or sees no GPU."""
    try:
        import jax
    except ImportError as error:
        raise InputError(
            "--device gpu without the package jax", "that package", 'install it with pip install "hydrostat[gpu]"'
        ) from error
    if jax.default_backend() != "gpu":
        raise InputError(
            f"--device gpu where jax finds only {jax.default_backend()}",
            "an NVIDIA GPU that jax can use",
            'leave --device out, or install its driver and pip install "hydrostat[gpu]"',
        )


@contextmanager
def on_gpu(trial: Trial) -> Iterator[Evaluate]:
    """Scores in float32; the best gait of every generation is played again on the CPU, and has the score from there.

    So the best score of a search is one of the true simulation. A generation's best that fails there gives way to the
    next best.
    """
    from hydrostat.search.batches import Batch

    batch = Batch([trial])

    def evaluate(candidates: Floats) -> Floats:
        scores = scores_of(trial, batch, candidates)
        with one_blas_thread():
            return replayed(trial, candidates, scores)

    yield evaluate


def scores_of(trial: Trial, batch: Batch, candidates: Floats) -> Floats:
    """Scores (n,) of the gaits at ``candidates`` (n, d), as ``Trial`` scores, by a ``batch`` of this one trial."""
    [outcomes] = batch.outcomes([[trial.space.gait(candidate) for candidate in candidates]])
    return np.array([_worst([trial.objective.score(outcome) for outcome in of_gait]) for of_gait in outcomes])


def replayed(trial: Trial, candidates: Floats, scores: Floats) -> Floats:
    """``scores`` with true ones for the best of ``candidates``, until the best is one of these."""
    scores, true = scores.copy(), set()
    while (best := int(scores.argmin())) not in true:
        scores[best] = trial(candidates[best])
        true.add(best)
    return scores


def _worst(scores: list[float]) -> float:
    """The score from the start that decides: the first from which a gait is no better than standing still, or all."""
    return next((score for score in scores if score >= 0.0), max(scores))
