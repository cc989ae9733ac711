"""The jumps of the I and of the T (T2012 Figures 7 and 8)."""

import numpy as np
import pytest
from staged import recording_of

from hydrostat.geometry.primitives import box_tets
from hydrostat.scenes import SCENES
from hydrostat.scenes.jump import flights, turn
from hydrostat.scenes.measure import verdicts
from hydrostat.scenes.scene import Settings

NAMES = ("jump-i-forward", "jump-i-place", "jump-t-twist")


@pytest.fixture(scope="module", params=NAMES)
def jumped(request, tmp_path_factory):
    with recording_of(request.param, tmp_path_factory.mktemp("jump")) as recording:
        yield SCENES[request.param], recording


def test_demands_hold(jumped):
    scene, recording = jumped
    assert [demand for demand, held in verdicts(scene, recording).items() if not held] == []


def test_flights_are_ballistic(jumped):
    """Nothing but gravity moves the centre of mass in flight, and nothing turns the body."""
    _, recording = jumped
    centres = np.array([recording.markers(index)["centre of mass"] for index in range(len(recording))])
    for start, end in flights(recording):
        falls = np.diff(centres[start:end], 2, axis=0) / recording.dt**2
        assert np.allclose(falls, [0.0, -9.81, 0.0], atol=1e-6)


def test_without_muscles_nothing_jumps(tmp_path):
    with recording_of("jump-i-forward", tmp_path, Settings(controller="none"), seconds=1.5) as recording:
        measures = SCENES["jump-i-forward"].measure(recording)
        assert measures["jumps"] == 0
        assert measures["clearance"] == measures["flight"] == 0.0
        assert measures["lean"] < 5.0


class Turning:
    """What ``turn`` needs of a recording: a body that turns by a known angle a frame about y."""

    def __init__(self, degrees):
        mesh = box_tets((0.4, 0.6, 0.3), (2, 2, 2))
        self.rest_positions, self.tets = mesh.vertices, mesh.tets
        self.metadata = {"mass": 1.0}
        self.angle = np.radians(degrees)

    def positions(self, index):
        c, s = np.cos(index * self.angle), np.sin(index * self.angle)
        return self.rest_positions @ np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]]).T + [index, 0.0, 0.0]


def test_turn_adds_up_beyond_half_a_turn():
    assert turn(Turning(25.0), 0, 10) == pytest.approx(250.0)
    assert turn(Turning(-10.0), 2, 5) == pytest.approx(-30.0)
