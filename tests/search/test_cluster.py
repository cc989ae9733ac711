"""A dask cluster of two workers, one of which is killed in the middle."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from scores import slow_sphere, sphere

from hydrostat.errors import InputError
from hydrostat.search.cluster import on_cluster

distributed = pytest.importorskip("distributed", reason="the extra `cluster` is not installed")

CANDIDATES = np.random.default_rng(0).random((60, 4))


def dask(*arguments):
    # Workers import the scores of these tests.
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(Path(__file__).parent), *sys.path])}
    return subprocess.Popen(
        [sys.executable, "-m", "dask", *arguments],
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


@pytest.fixture
def scheduler(tmp_path):
    file = tmp_path / "scheduler.json"
    process = dask("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(file))
    until = time.monotonic() + 30
    while not file.exists() and time.monotonic() < until:
        time.sleep(0.05)
    yield json.loads(file.read_text())["address"]
    process.kill()
    process.wait()


@pytest.fixture
def workers(scheduler, tmp_path):
    options = ["--nthreads", "1", "--no-nanny", "--no-dashboard", "--host", "127.0.0.1"]
    folder = ["--local-directory", str(tmp_path)]
    processes = [dask("worker", scheduler, *options, *folder) for _ in range(2)]
    with distributed.Client(scheduler, set_as_default=False) as client:
        client.wait_for_workers(2, timeout=30)
    yield processes
    for process in processes:
        process.kill()
        process.wait()


def test_a_worker_killed_in_the_middle_loses_nothing(scheduler, workers):
    with on_cluster(slow_sphere, scheduler) as evaluate:
        assert evaluate(CANDIDATES[:4]).tobytes() == np.array([sphere(c) for c in CANDIDATES[:4]]).tobytes()
        killer = threading.Timer(0.5, workers[0].send_signal, [signal.SIGKILL])
        killer.start()
        scores = evaluate(CANDIDATES)
        assert not killer.is_alive(), "it was over before the kill"
    assert workers[0].wait() == -signal.SIGKILL
    assert workers[1].poll() is None
    assert scores.tobytes() == np.array([sphere(candidate) for candidate in CANDIDATES]).tobytes()


def test_no_scheduler_and_no_workers_are_named(scheduler, monkeypatch):
    monkeypatch.setattr("hydrostat.search.cluster.PATIENCE", 0.5)
    with pytest.raises(InputError, match="no scheduler answers"), on_cluster(sphere, "tcp://127.0.0.1:9"):
        pass
    with pytest.raises(InputError, match="no workers"), on_cluster(sphere, scheduler):
        pass
