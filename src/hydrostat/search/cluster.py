"""Scores by the workers of a dask cluster, which may be on many machines."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from hydrostat.arrays import Floats
from hydrostat.errors import InputError
from hydrostat.search.evolution import Evaluate
from hydrostat.search.executors import Score
from hydrostat.solvers.threads import one_blas_thread

# How long to wait for the scheduler and for its first worker, s.
PATIENCE = 10.0


@contextmanager
def on_cluster(score: Score, address: str) -> Iterator[Evaluate]:
    """Scores by the workers of the dask scheduler at ``address``, like tcp://127.0.0.1:8786.

    This side only calls the scheduler: it listens on no port. The workers need the same version of hydrostat. What a
    worker that is killed had not finished goes to the others, or waits until there are new ones.
    """
    client = _connected(address)
    try:
        # Sent as a task, not as data: data die with the worker that holds them, tasks are done again.
        shared = client.submit(pickle.loads, pickle.dumps(score), pure=False)

        def evaluate(candidates: Floats) -> Floats:
            futures = [client.submit(_scored, shared, candidate, pure=False) for candidate in candidates]
            return np.array(client.gather(futures))

        yield evaluate
    finally:
        client.close()


def _connected(address: str) -> Any:
    """A client of the scheduler, which has a worker."""
    try:
        from distributed import Client
    except ImportError as error:
        raise InputError(
            "a cluster without the package distributed", "that package", "install hydrostat[cluster]"
        ) from error
    try:
        client = Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError) as error:
        raise InputError(
            f"no scheduler answers at {address!r} ({type(error).__name__})",
            "the address of a dask scheduler, like tcp://127.0.0.1:8786",
            "start one with `dask scheduler --host 127.0.0.1`",
        ) from error
    try:
        client.wait_for_workers(1, timeout=PATIENCE)
    except OSError as error:
        client.close()
        raise InputError(
            f"the scheduler at {address} has no workers", "at least one", f"start one with `dask worker {address}`"
        ) from error
    return client


def _scored(score: Score, candidate: Floats) -> float:
    with one_blas_thread():
        return score(candidate)
