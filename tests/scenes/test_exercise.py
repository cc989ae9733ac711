"""The exercise of the H (T2012 Figure 4)."""

import pytest
from staged import recording_of

from hydrostat.scenes import SCENES
from hydrostat.scenes.measure import summary


@pytest.fixture(scope="module")
def exercise(tmp_path_factory):
    two_swings = 4.8  # the feet rock in between
    with recording_of("exercise-h", tmp_path_factory.mktemp("exercise"), seconds=two_swings) as recording:
        yield summary(recording) | {"measures": SCENES["exercise-h"].measure(recording)}


def test_exercise_h_swings_as_far_as_it_should(exercise):
    measures = exercise["measures"]
    assert measures["amplitude"] >= 0.1
    assert measures["tracking_rms"] <= 0.1 * measures["amplitude"]
    assert exercise["tets"] == pytest.approx(1901, rel=0.05)
    assert exercise["segments"] == 52


def test_exercise_h_squashes_and_stretches(exercise):
    inner, outer = exercise["measures"]["inner_leg"], exercise["measures"]["outer_leg"]
    assert inner["length"] < 0.98 < 1.0 < outer["length"]
    assert outer["thickness"] < 0.98 < 1.0 < inner["thickness"]


def test_exercise_h_keeps_its_volume_and_its_feet_where_they_are(exercise):
    volume = exercise["volume_ratio"]
    assert 0.9 < volume["min"] <= volume["max"] < 1.1
    assert exercise["inverted_elements"] == 0
    assert max(exercise["residual_max"].values()) < 1e-8
    assert {mode for modes in exercise["contact_modes"] for mode in modes} <= {"stick", "slide"}
    assert exercise["measures"]["slipped"] < 0.01
