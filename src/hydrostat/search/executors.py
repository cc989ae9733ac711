"""Who computes the scores of candidates: this process, or several processes of this machine."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager

import numpy as np

from hydrostat.arrays import Floats
from hydrostat.errors import HydrostatError, InputError
from hydrostat.search.evolution import Evaluate
from hydrostat.solvers.threads import one_blas_thread

# What turns a candidate (d,) into its score. It travels to other processes once, so it must be possible to pickle.
Score = Callable[[Floats], float]

# Workers that die this often in a row without one score in between die of what they are given.
LOST_IN_A_ROW = 3


@contextmanager
def in_this_process(score: Score) -> Iterator[Evaluate]:
    """Scores one after another, here."""

    def evaluate(candidates: Floats) -> Floats:
        with one_blas_thread():
            return np.array([score(candidate) for candidate in candidates])

    yield evaluate


@contextmanager
def in_processes(score: Score, workers: int | None = None) -> Iterator[Evaluate]:
    """Scores by ``workers`` processes, by default one for each core that this process may use.

    A worker that is killed loses nothing: what has no score yet is done again by new workers.
    """
    count = cores() if workers is None else workers
    if count < 1:
        raise InputError(f"{workers} workers", "at least 1", "leave the number out to use all cores")
    pool = _Pool(score, count)
    try:
        yield pool.evaluate
    finally:
        pool.close()


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class _Pool:
    """Worker processes that are replaced when one of them dies."""

    def __init__(self, score: Score, workers: int) -> None:
        self._score, self._workers = score, workers
        self._processes: ProcessPoolExecutor | None = None

    def evaluate(self, candidates: Floats) -> Floats:
        """Scores (k,) of candidates (k, d), in their order whoever is done first."""
        scores = np.full(len(candidates), np.nan)
        missing, lost = list(range(len(candidates))), 0
        while missing:
            done = self._attempt(candidates, missing, scores)
            missing = [index for index in missing if index not in done]
            lost = lost + 1 if missing and not done else 0
            if lost == LOST_IN_A_ROW:
                raise HydrostatError(
                    f"the workers of the search died {lost} times without a score; they may lack memory: use fewer"
                )
        return scores

    def close(self) -> None:
        """Send the workers home."""
        if self._processes is not None:
            self._processes.shutdown(wait=True, cancel_futures=True)
            self._processes = None

    def _attempt(self, candidates: Floats, missing: list[int], scores: Floats) -> set[int]:
        """Fill in the ``missing`` scores; those that were, before a worker died."""
        done: set[int] = set()
        futures: dict[Future[float], int] = {}
        try:
            processes = self._started()
            for index in missing:
                futures[processes.submit(_scored, candidates[index])] = index
            for future in as_completed(futures):
                scores[futures[future]] = future.result()
                done.add(futures[future])
        except BrokenProcessPool:
            self.close()
        return done

    def _started(self) -> ProcessPoolExecutor:
        if self._processes is None:
            # Spawned, not forked: a fork of a process with threads may hang.
            context = multiprocessing.get_context("spawn")
            self._processes = ProcessPoolExecutor(
                self._workers, mp_context=context, initializer=_begin, initargs=(self._score,)
            )
        return self._processes


_scores: list[Score] = []  # of a worker: what it was started with


def _begin(score: Score) -> None:
    """What a worker does first."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C goes to all processes; the first decides what happens
    _scores.append(score)


def _scored(candidate: Floats) -> float:
    with one_blas_thread():
        return _scores[0](candidate)
