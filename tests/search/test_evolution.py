"""The search finds minima, always the same, and goes on where it stopped."""

import numpy as np
import pytest
from scores import sphere

from hydrostat.errors import HydrostatError, InputError
from hydrostat.search.evolution import Progress, SearchOptions, search
from hydrostat.search.saved import load_scores, save_search

OPTIONS = SearchOptions(generations=30, population=8, seed=5)


def evaluate(candidates):
    return np.array([sphere(candidate) for candidate in candidates])


def last(*arguments):
    return list(search(*arguments))[-1]


def test_a_minimum_inside_and_one_on_the_border_are_found():
    assert last(6, evaluate, SearchOptions(100, 12)).best == pytest.approx(0.3, abs=1e-3)
    assert last(6, lambda c: c.sum(axis=1), SearchOptions(100, 12)).best == pytest.approx(0.0, abs=1e-3)


def test_candidates_stay_in_the_cube():
    seen = []
    last(4, lambda c: seen.append(c) or c.sum(axis=1), OPTIONS)
    assert np.min(seen) >= 0.0 and np.max(seen) <= 1.0


def test_the_seed_and_nothing_else_decides():
    first = last(5, evaluate, OPTIONS)
    again = last(5, evaluate, OPTIONS)
    other = last(5, evaluate, SearchOptions(30, 8, seed=6))
    assert first.scores.tobytes() == again.scores.tobytes()
    assert first.best.tobytes() == again.best.tobytes()
    assert first.scores.tobytes() != other.scores.tobytes()


@pytest.mark.parametrize("stopped", [1, 13, 30])
def test_resumed_is_as_uninterrupted_to_the_byte(stopped, tmp_path):
    whole, kept = last(5, evaluate, OPTIONS), tmp_path / "kept.npz"
    for progress in search(5, evaluate, OPTIONS):
        save_search(kept, "sphere", progress)
        if len(progress.scores) == stopped:
            break
    asked = []
    resumed = last(5, lambda c: asked.append(c) or evaluate(c), OPTIONS, load_scores(kept, "sphere"))
    assert len(asked) == OPTIONS.generations - stopped
    assert resumed.scores.tobytes() == whole.scores.tobytes()
    assert (resumed.best.tobytes(), resumed.best_score) == (whole.best.tobytes(), whole.best_score)
    save_search(tmp_path / "resumed.npz", "sphere", resumed)
    save_search(tmp_path / "whole.npz", "sphere", whole)
    assert (tmp_path / "resumed.npz").read_bytes() == (tmp_path / "whole.npz").read_bytes()


def test_the_best_ever_is_kept():
    scores = [np.arange(8.0), np.arange(8.0) - 3.0, np.arange(8.0) + 5.0]
    asked = []
    progress = list(search(3, lambda c: asked.append(c) or scores[len(asked) - 1], SearchOptions(3, 8)))
    assert [p.best_score for p in progress] == [0.0, -3.0, -3.0]
    assert progress[-1].best.tobytes() == asked[1][0].tobytes()


def test_generations_without_any_difference_do_not_end_it():
    assert len(last(3, lambda c: np.zeros(len(c)), OPTIONS).scores) == OPTIONS.generations


@pytest.mark.parametrize("wrong", [np.nan, np.inf])
def test_a_score_that_is_no_number_is_refused(wrong):
    with pytest.raises(HydrostatError, match="finite score"):
        last(3, lambda c: np.where(np.arange(len(c)) == 2, wrong, 0.0), OPTIONS)


def test_a_file_of_another_search_is_refused(tmp_path):
    path = tmp_path / "kept.npz"
    save_search(path, "seal, seed 1", Progress(np.zeros((2, 8)), np.zeros((2, 3)), np.zeros(3), 0.0))
    with pytest.raises(InputError, match="another search"):
        load_scores(path, "seal, seed 2")
    path.write_bytes(path.read_bytes()[:200])
    with pytest.raises(InputError, match="stopped"):
        load_scores(path, "seal, seed 1")
    with pytest.raises(InputError, match="stopped"):
        load_scores(tmp_path / "none.npz", "seal, seed 1")


@pytest.mark.parametrize("wrong", [{"generations": 0}, {"population": 3}, {"seed": -1}, {"spread": 0.0}])
def test_options_that_mean_nothing_are_refused(wrong):
    with pytest.raises(InputError):
        SearchOptions(**wrong)
