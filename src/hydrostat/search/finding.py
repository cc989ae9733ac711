"""A search from its options to the best gait, kept in a file after every generation."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from hydrostat.arrays import Floats
from hydrostat.errors import InputError
from hydrostat.search.cluster import on_cluster
from hydrostat.search.evolution import Evaluate, Progress, SearchOptions, search
from hydrostat.search.executors import in_processes, in_this_process
from hydrostat.search.finals import winner
from hydrostat.search.gpu import on_gpu, require_gpu
from hydrostat.search.saved import load_scores, save_search
from hydrostat.search.trials import Trial


@dataclass(frozen=True)
class Workforce:
    """Who computes: the workers of a dask ``cluster`` at an address, or ``workers`` processes, by default all cores.

    device: "cpu", or "gpu" for the GPU of this machine, which takes the place of the workers.
    """

    workers: int | None = None
    cluster: str | None = None
    device: str = "cpu"

    def __post_init__(self) -> None:
        """Refuse a GPU that is not there, or not wanted."""
        if self.device == "gpu":
            require_gpu()
        if self.device == "gpu" and self.cluster is not None:
            raise InputError("--device gpu and --cluster", "one of them", "leave one out")

    def hired(self, trial: Trial) -> AbstractContextManager[Evaluate]:
        """The workers, ready to score gaits of ``trial``."""
        if self.device == "gpu":
            return on_gpu(trial)
        if self.cluster is not None:
            return on_cluster(trial, self.cluster)
        return in_this_process(trial) if self.workers == 1 else in_processes(trial, self.workers)


@dataclass(frozen=True)
class Found:
    """What a search found.

    best: (d,), the winner of the finals. stopped: whether the user stopped it before its end.
    """

    progress: Progress
    best: Floats
    stopped: bool


def find_gait(
    trial: Trial,
    options: SearchOptions,
    workforce: Workforce,
    kept: Path,
    resume: bool = False,
    report: Callable[[Progress], None] = lambda progress: None,
) -> Found:
    """Search for the best gait of ``trial``; the search is kept in the file ``kept``, also when it is stopped.

    resume: go on with the search in that file, to the same end as if it had not been stopped. report: called after
    every generation.
    """
    # The number of generations may differ: a search that is over can be made longer.
    problem = f"{trial.identity()} {options.population} {options.seed} {options.spread!r}"
    if workforce.device == "gpu":  # its scores are not the CPU's to the last digit
        problem += " on a GPU"
    past = load_scores(kept, problem) if resume else None
    known = 0 if past is None else len(past)
    progress: Progress | None = None
    try:
        with workforce.hired(trial) as evaluate:
            for progress in search(trial.space.dimension, evaluate, options, past):
                if len(progress.scores) > known:
                    save_search(kept, problem, progress)
                report(progress)
    except KeyboardInterrupt:
        if progress is None:
            raise
        return Found(progress, winner(trial, progress, options.finalists), stopped=True)
    assert progress is not None  # there is at least one generation
    return Found(progress, winner(trial, progress, options.finalists), stopped=False)
