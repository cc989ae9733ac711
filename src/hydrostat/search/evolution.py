"""CMA-ES over a unit cube: candidates out, scores in, the same for any number of workers."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from hydrostat.arrays import Floats
from hydrostat.errors import HydrostatError, InputError

Evaluate = Callable[[Floats], Floats]


@dataclass(frozen=True)
class SearchOptions:
    """generations: at most. population: candidates in each. seed: of the samples. spread: of the first, 0 to 1.

    finalists: how many gaits are tried again in the end, see ``finals``; 1 takes the best score as it is.
    """

    generations: int = 200
    population: int = 16
    seed: int = 0
    spread: float = 0.2
    finalists: int = 24

    def __post_init__(self) -> None:
        """Refuse options that mean nothing."""
        if self.generations < 1 or self.population < 4:
            raise InputError(
                f"{self.generations} generations of {self.population} candidates",
                "at least 1 generation of at least 4 candidates",
                "try 200 and 16",
            )
        if self.seed < 0:
            raise InputError(f"seed is {self.seed}", "a whole number ≥ 0", "try 0")
        if self.finalists < 1:
            raise InputError(f"{self.finalists} finalists", "at least 1", "try 24")
        if not 0.0 < self.spread <= 1.0:
            raise InputError(f"spread is {self.spread}", "a number above 0 and at most 1", "try 0.2")


@dataclass(frozen=True)
class Progress:
    """A search after a generation.

    scores: (g, population) of every generation until now, small is good. champions: (g, d), the best candidate of
    each, entries from 0 to 1. best: (d,), the best candidate ever. best_score: its score.
    """

    scores: Floats
    champions: Floats
    best: Floats
    best_score: float


def search(
    dimension: int, evaluate: Evaluate, options: SearchOptions, past: Floats | None = None
) -> Iterator[Progress]:
    """Minimise over the cube [0, 1]^dimension; one ``Progress`` a generation.

    evaluate: scores (population,) of candidates (population, dimension). past: scores (g, population) of generations
    that were evaluated before. CMA-ES knows of its past by the scores alone, so these are told to it again instead of
    evaluated, and the search goes on as if it had never stopped. It ends early where the candidates have converged.
    """
    known = np.empty((0, options.population)) if past is None else past
    strategy = _strategy(dimension, options)
    scores, champions = np.empty((0, options.population)), np.empty((0, dimension))
    while len(scores) < options.generations and not strategy.stop():
        candidates = np.array(strategy.ask())
        row = known[len(scores)] if len(scores) < len(known) else evaluate(candidates)
        _require_numbers(row, candidates)
        strategy.tell(list(candidates), row.tolist())
        scores, champions = np.vstack([scores, row]), np.vstack([champions, candidates[np.argmin(row)]])
        best = int(scores.min(axis=1).argmin())
        yield Progress(scores, champions, champions[best], float(scores[best].min()))


def _strategy(dimension: int, options: SearchOptions) -> Any:
    """CMA-ES from the middle of the cube, which never leaves it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it tells of plots that nobody asked for
        import cma

    generator = np.random.default_rng(options.seed)
    settings = {
        "bounds": [0.0, 1.0],
        "popsize": options.population,
        "maxiter": options.generations,
        "randn": lambda *shape: generator.standard_normal(shape),
        "seed": np.nan,  # CMA-ES shall leave NumPy's global seed alone
        # A generation in which all candidates fail alike is no convergence.
        "tolfun": 0.0,
        "tolfunhist": 0.0,
        "tolflatfitness": options.generations,
        "verbose": -9,
    }
    return cma.CMAEvolutionStrategy(np.full(dimension, 0.5), options.spread, settings)


def _require_numbers(scores: Floats, candidates: Floats) -> None:
    """HydrostatError if a score is not a finite number: CMA-ES would take it for a good one, or a bad one."""
    if scores.shape != (len(candidates),) or not np.isfinite(scores).all():
        raise HydrostatError(
            f"the scores of {len(candidates)} candidates are {scores.tolist()}: every candidate needs a finite score; "
            "give one that blows up a large, finite score"
        )
