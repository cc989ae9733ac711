"""Whoever computes the scores, they are the same; killed workers lose none."""

import numpy as np
import pytest
from scores import Deadly, slow_sphere, sphere

from hydrostat.errors import HydrostatError, InputError
from hydrostat.search.evolution import SearchOptions, search
from hydrostat.search.executors import in_processes, in_this_process

CANDIDATES = np.random.default_rng(0).random((12, 4))
EXPECTED = np.array([sphere(candidate) for candidate in CANDIDATES])


def test_any_number_of_workers_gives_the_same_search():
    outcomes = set()
    for executor in (in_this_process(sphere), in_processes(sphere, 1), in_processes(sphere, 3)):
        with executor as evaluate:
            progress = list(search(4, evaluate, SearchOptions(5, 8)))[-1]
            outcomes.add((progress.scores.tobytes(), progress.best.tobytes()))
    assert len(outcomes) == 1


def test_a_killed_worker_loses_nothing(tmp_path):
    score = Deadly(tmp_path / "killed")
    with in_processes(score, 2) as evaluate:
        assert evaluate(CANDIDATES).tobytes() == EXPECTED.tobytes()
        assert score.mark.exists()
        assert evaluate(CANDIDATES[:3]).tobytes() == EXPECTED[:3].tobytes()


def test_workers_that_always_die_are_an_error(tmp_path):
    deadly = Deadly(tmp_path / "killed", always=True)
    with in_processes(deadly, 1) as evaluate, pytest.raises(HydrostatError, match="died 3 times"):
        evaluate(CANDIDATES[:2])


def test_no_workers_are_refused():
    with pytest.raises(InputError, match="0 workers"), in_processes(slow_sphere, 0):
        pass
