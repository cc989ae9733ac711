"""Friction against its closed forms."""

import numpy as np
import pytest
from staged import measures_of

from hydrostat.scenes import load_scene
from hydrostat.scenes.scene import Settings


def test_a_block_below_the_friction_angle_stays(tmp_path):
    assert np.tan(load_scene("ramp-stick").build(Settings()).details["angle"]) > 0.94 * 0.5
    assert measures_of("ramp-stick", tmp_path)["crept"] < 1e-5


def test_a_block_above_the_friction_angle_slides_as_newton_says(tmp_path):
    angle = load_scene("ramp-slide").build(Settings()).details["angle"]
    assert np.tan(angle) < 1.07 * 0.5
    expected = 9.81 * (np.sin(angle) - 0.5 * np.cos(angle))
    measures = measures_of("ramp-slide", tmp_path)
    assert measures["acceleration"] == pytest.approx(expected, rel=0.02)
    assert measures["expected_acceleration"] == pytest.approx(expected, rel=1e-12)


def test_a_sliding_block_stops_after_the_closed_form(tmp_path):
    measures = measures_of("ramp-stop", tmp_path)
    assert measures["distance"] == pytest.approx(2.0**2 / (2.0 * 0.5 * 9.81), rel=0.02)
    assert measures["expected_distance"] == pytest.approx(2.0**2 / (2.0 * 0.5 * 9.81), rel=1e-12)
    assert measures["crept"] < 1e-5
