"""Outcomes of motions that are known by construction, and their scores."""

import numpy as np
import pytest

from hydrostat.errors import InputError
from hydrostat.search.objectives import BLOWN_UP, Objective
from hydrostat.search.outcomes import Outcome, jitter, outcome_of

X = np.array([1.0, 0.0, 0.0])
FRAMES = 31


def about(axis, angles):
    """Rotations by ``angles`` about a coordinate axis, (f, 3, 3)."""
    i, j = [(1, 2), (2, 0), (0, 1)][axis]
    rotations = np.tile(np.eye(3), (len(angles), 1, 1))
    rotations[:, i, i] = rotations[:, j, j] = np.cos(angles)
    rotations[:, j, i], rotations[:, i, j] = np.sin(angles), -np.sin(angles)
    return rotations


def moved(gradients, end=(2.0, 0.0, 0.5), work=0.0, spread=1.0):
    centres = np.linspace([0.0, 1.0, 0.0], [end[0], 1.0 + end[1], end[2]], FRAMES)
    return outcome_of(centres, gradients, np.linspace(1.0, spread, FRAMES), np.full(FRAMES - 1, work / (FRAMES - 1)), X)


def test_straight_ahead():
    outcome = moved(about(1, np.zeros(FRAMES)), (2.0, 0.4, 0.5), work=3.0)
    assert outcome == Outcome(2.0, pytest.approx(0.2), 1.0, 1.0, pytest.approx(3.0), False)
    assert Objective().score(outcome) == -2.0
    assert Objective("jump").score(outcome) == pytest.approx(-0.2)
    assert Objective(price=0.25).score(outcome) == pytest.approx(-2.0 + 0.75)


@pytest.mark.parametrize("sign", [-1, 1])
@pytest.mark.parametrize("stretch", [np.eye(3), np.diag([0.7, 1.2, 1.4])])
def test_alignment_is_the_cosine_of_the_largest_turn(sign, stretch):
    turns = sign * 0.7 * np.sin(np.linspace(0.0, np.pi, FRAMES))
    outcome = moved(about(1, turns) @ stretch)
    assert outcome.alignment == pytest.approx(np.cos(0.7))
    assert outcome.uprightness == pytest.approx(1.0)
    assert Objective().score(outcome) == pytest.approx(-2.0 * np.cos(0.7))
    assert Objective(straightness=3.0).score(outcome) == pytest.approx(-2.0 * np.cos(0.7) ** 3)


def test_shear_neither_turns_nor_topples():
    """Swinging legs and bending to both sides leave heading and posture alone."""
    shear = np.tile(np.eye(3), (FRAMES, 1, 1))
    shear[:, 0, 1] = 1.0  # the top runs ahead of the feet
    outcome = moved(shear)
    assert (outcome.alignment, outcome.uprightness) == (1.0, 1.0)


@pytest.mark.parametrize("axis", [0, 2])
def test_uprightness_is_the_cosine_of_the_largest_lean(axis):
    assert moved(about(axis, np.linspace(0.0, 0.9, FRAMES))).uprightness == pytest.approx(np.cos(0.9))


@pytest.mark.parametrize("gradients", [about(1, np.full(FRAMES, 2.0)), about(0, np.full(FRAMES, 1.2))])
@pytest.mark.parametrize("way", [-3.0, 3.0])
def test_turned_away_or_toppled_is_as_standing_still(gradients, way):
    assert Objective().score(moved(gradients, (way, 0.0, 0.0))) == 0.0


def test_backward_is_worse_than_standing_still():
    assert Objective().score(moved(about(1, np.zeros(FRAMES)), (-1.0, 0.0, 0.0))) == 1.0


@pytest.mark.parametrize(("entry", "spread"), [(np.nan, 1.0), (np.inf, 1.0), (0.0, 5.0), (0.0, np.nan)])
def test_what_blows_up_is_worst(entry, spread):
    gradients = about(1, np.zeros(FRAMES))
    gradients[7, 1, 2] = entry
    outcome = moved(gradients, spread=spread)
    assert outcome.blown_up
    assert Objective(price=1.0).score(outcome) == BLOWN_UP


def test_jitter_is_what_shakes_fast():
    times = np.arange(300) / 60.0

    def shaking(frequency, size=1.0):
        return size * np.sin(2 * np.pi * frequency * times)[:, None, None] * np.ones((1, 4, 3))

    assert jitter(shaking(2.0), 1 / 60) < 0.02
    assert jitter(shaking(20.0), 1 / 60) > 0.98
    # Of the same velocity; of the fast one differences over 1/60 s see a part.
    seen = np.sin(20.0 * np.pi / 60) / (20.0 * np.pi / 60)
    assert jitter(shaking(2.0) + shaking(20.0, 0.1), 1 / 60) == pytest.approx(seen / np.hypot(1.0, seen), abs=0.01)
    drifting = shaking(2.0) + 10.0 * times[:, None, None]
    assert jitter(drifting, 1 / 60) == pytest.approx(jitter(shaking(2.0), 1 / 60))
    assert jitter(np.zeros((300, 4, 3)), 1 / 60) == 0.0


@pytest.mark.parametrize("wrong", [{"gain": "fly"}, {"price": -1.0}, {"price": np.nan}, {"straightness": -1.0}])
def test_objectives_that_mean_nothing_are_refused(wrong):
    with pytest.raises(InputError):
        Objective(**wrong)
