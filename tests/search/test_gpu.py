"""Searches on a GPU without one: the CPU has the last word, and a missing GPU is said plainly."""

import sys

import numpy as np
import pytest

from hydrostat.bodies.reduced import ReducedOptions, Surroundings, reduce_body
from hydrostat.contact.ground import Plane
from hydrostat.errors import InputError
from hydrostat.geometry.primitives import box_tets
from hydrostat.geometry.tetrahedra import TetMesh
from hydrostat.search.finding import Workforce
from hydrostat.search.gpu import replayed, scores_of
from hydrostat.search.wishes import Wishes, trial_of


def test_the_best_of_a_generation_is_one_that_the_cpu_confirms():
    true, asked = np.array([-1.0, 5.0, -2.0, -4.0]), []

    def trial(candidate):
        asked.append(int(candidate[0]))
        return true[int(candidate[0])]

    candidates, seen = np.arange(4.0)[:, None], np.array([-1.1, -3.0, -2.2, -0.1])
    scores = replayed(trial, candidates, seen)
    assert asked == [1, 2]  # the first failed; the last, though good, was never suspected
    np.testing.assert_array_equal(scores, [-1.1, 5.0, -2.0, -0.1])
    np.testing.assert_array_equal(seen, [-1.1, -3.0, -2.2, -0.1])


class Played:
    """A batch that plays on the CPU."""

    def __init__(self, trial):
        self.trial = trial

    def outcomes(self, gaits):
        return [[[self.trial.tried(gait, start) for start in self.trial.starts] for gait in gaits[0]]]


def test_scores_are_those_of_the_trial():
    mesh = box_tets((0.6, 0.2, 0.3), (3, 2, 2))
    standing = TetMesh(mesh.vertices - [0.0, mesh.vertices[:, 1].min(), 0.0], mesh.tets)
    body = reduce_body(standing, ReducedOptions(modes=3, passive_clusters=4, samples=8))
    trial = trial_of(body, Wishes(seconds=0.5), Surroundings(ground=Plane()))
    candidates = np.random.default_rng(0).random((6, trial.space.dimension))
    scores = scores_of(trial, Played(trial), candidates)
    assert scores.tolist() == [trial(candidate) for candidate in candidates]
    assert scores.min() < 0.0 < scores.max()


@pytest.mark.parametrize(("missing", "words"), [(True, "without the package jax"), (False, "jax finds only cpu")])
def test_without_a_gpu_it_is_said_in_one_line_with_the_cure(missing, words, monkeypatch):
    if missing:
        monkeypatch.setitem(sys.modules, "jax", None)
    else:
        jax = pytest.importorskip("jax", reason="needs the package jax")
        monkeypatch.setattr(jax, "default_backend", lambda: "cpu")
    with pytest.raises(InputError, match=words) as caught:
        Workforce(device="gpu")
    assert "\n" not in str(caught.value) and "hydrostat[gpu]" in str(caught.value)


def test_a_gpu_and_a_cluster_exclude_each_other(monkeypatch):
    jax = pytest.importorskip("jax", reason="needs the package jax")
    monkeypatch.setattr(jax, "default_backend", lambda: "gpu")
    with pytest.raises(InputError, match="--cluster"):
        Workforce(cluster="tcp://127.0.0.1:1", device="gpu")
