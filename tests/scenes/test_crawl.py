"""The worm crawls (T2012 section 7): three cycles of each scene."""

import numpy as np
import pytest
from staged import recording_of

from hydrostat.io.reader import open_recording
from hydrostat.scenes import SCENES
from hydrostat.scenes.crawl import EARTHWORM, INCHWORM, Track, slip
from hydrostat.scenes.measure import ALWAYS, verdicts
from hydrostat.scenes.scene import Settings

CYCLES = 3
NAMES = ("crawl-earthworm", "crawl-earthworm-equal", "crawl-inchworm")


@pytest.fixture(scope="module")
def paths(tmp_path_factory):
    folder = tmp_path_factory.mktemp("crawl")
    for name in NAMES:
        with recording_of(name, folder, seconds=CYCLES * EARTHWORM.period):
            pass
    return {name: folder / f"{name}.vtkhdf" for name in NAMES}


@pytest.fixture(scope="module")
def measures(paths):
    found = {}
    for name, path in paths.items():
        with open_recording(path) as recording:
            found[name] = SCENES[name].measure(recording)
    return found


@pytest.mark.parametrize("name", NAMES)
def test_demands_hold(name, paths):
    """All but the way of ten cycles."""
    with open_recording(paths[name]) as recording:
        held = verdicts(SCENES[name], recording)
    assert len(held) > len(ALWAYS) + 2
    assert [demand for demand, holds in held.items() if not holds and "travel" not in demand] == []


def test_friction_alone_makes_the_way(measures):
    assert measures["crawl-earthworm"]["travel"] > 0.1 * CYCLES
    assert abs(measures["crawl-earthworm-equal"]["travel"]) < 0.1
    assert measures["crawl-inchworm"]["travel"] > 0.1 * CYCLES


def test_strides_are_those_of_the_behaviour(measures):
    assert measures["crawl-earthworm"]["travel"] <= CYCLES * EARTHWORM.stride
    assert measures["crawl-inchworm"]["travel"] <= CYCLES * INCHWORM.stride


def test_front_and_rear_hold_by_turns(measures):
    modes = measures["crawl-earthworm"]
    assert modes["lengthening front stick"] < 0.1 < 0.4 < modes["shortening front stick"]
    assert modes["shortening rear stick"] < 0.1 < 0.4 < modes["lengthening rear stick"]
    assert measures["crawl-earthworm-equal"]["shortening front slide"] > 0.8


def test_only_the_inchworm_arches(measures):
    assert measures["crawl-earthworm"]["flat"] < 0.02 < 0.1 < measures["crawl-inchworm"]["arch"]


def test_the_upper_muscles_of_the_inchworm_rest(paths):
    with open_recording(paths["crawl-inchworm"]) as recording:
        muscles = recording.metadata["muscles"]
        upper = np.array(muscles["owner"]) == muscles["groups"].index("upper")
        activations = np.array([recording.activation(index) for index in range(0, len(recording), 9)])
    assert activations[:, upper].max() < 1e-9
    assert activations[:, ~upper].max() > 0.3


def test_without_muscle_nothing_moves(tmp_path):
    with recording_of("crawl-earthworm", tmp_path, Settings(controller="none"), seconds=1.5) as recording:
        measured = SCENES["crawl-earthworm"].measure(recording)
    assert abs(measured["travel"]) < 1e-3


def test_slip_is_the_way_back_over_the_way_forth():
    rear = np.array([0.0, 0.1, 0.2, 0.2, 0.19])
    front = np.array([1.0, 1.0, 0.98, 1.1, 1.28])
    flat = np.zeros(5)
    track = Track(np.stack([front, flat, flat], axis=1), np.stack([rear, flat, flat], axis=1), flat, flat)
    assert slip(track) == pytest.approx((0.02 + 0.01) / (0.2 + 0.3))
