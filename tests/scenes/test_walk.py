"""The walks of the X (T2012 Figure 9)."""

import numpy as np
import pytest
from staged import recording_of

from hydrostat.scenes import SCENES
from hydrostat.scenes.footsteps import Tracks, fewest_down, footsteps, greatest_slip, most_up
from hydrostat.scenes.measure import ALWAYS, verdicts

SECONDS = {"walk-x": 6.0, "walk-x-fast": 3.5}
DT = 1.0 / 60.0


@pytest.fixture(scope="module", params=SECONDS)
def walked(request, tmp_path_factory):
    """The first steps of a walk: name, what is measured, which demands hold."""
    name, folder = request.param, tmp_path_factory.mktemp("walk")
    with recording_of(name, folder, seconds=SECONDS[name]) as recording:
        yield name, SCENES[name].measure(recording), verdicts(SCENES[name], recording)


def test_demands_hold_but_for_the_distance(walked):
    name, measures, held = walked
    assert len(held) == len(SCENES[name].demands) + len(ALWAYS)
    assert [demand for demand, holds in held.items() if not holds] == ["lengths ≥ 2"]
    assert measures["speed"] > {"walk-x": 0.07, "walk-x-fast": 0.18}[name]
    assert measures["steps"] >= {"walk-x": 7, "walk-x-fast": 12}[name]


def test_feet_are_lifted_as_the_gait_says(walked):
    name, measures, _ = walked
    assert (measures["feet_down"], measures["feet_up"]) == {"walk-x": (3, 1), "walk-x-fast": (2, 2)}[name]


def tracks_of(way, height, load):
    """Tracks (f, 4, …) of a body whose first foot goes ``way`` (f,) m; the others stand."""
    count = len(way)
    places, heights, loads = np.zeros((count, 4, 2)), np.zeros((count, 4)), np.ones((count, 4))
    places[:, 0, 0], heights[:, 0], loads[:, 0] = way, height, load
    return Tracks(places, heights, loads, np.zeros((count, 3)), np.zeros((count, 3)))


WAY = 0.2 * np.clip((np.arange(60) - 20) / 20.0, 0.0, 1.0)
SWINGS = (WAY > 0.0) & (WAY < 0.2)


def test_a_foot_that_drags_makes_a_step_without_height():
    (lifted,) = footsteps(tracks_of(WAY, 0.05 * SWINGS, 1.0 * ~SWINGS), DT)
    assert (lifted.foot, lifted.height, lifted.loaded, lifted.whole) == (0, 0.05, 0.0, True)
    assert lifted.way == pytest.approx(0.2)
    (dragged,) = footsteps(tracks_of(WAY, 0.0, 1.0), DT)
    assert (dragged.height, dragged.loaded) == (0.0, 1.0)


def test_a_foot_that_slides_a_little_makes_no_step_but_slips():
    seen = tracks_of(0.1 * WAY, 0.0, 1.0)
    assert not footsteps(seen, DT)
    assert greatest_slip(seen, []) == pytest.approx(0.02)


def test_the_way_of_a_step_is_no_slip():
    seen = tracks_of(WAY, 0.1 * SWINGS, 1.0 * ~SWINGS)
    assert greatest_slip(seen, footsteps(seen, DT)) < 1e-9


def test_feet_are_counted_from_when_all_are_down():
    landing = np.where(np.arange(60) < 5, 0.1, 0.0)
    assert (fewest_down(tracks_of(WAY, landing, 1.0)), most_up(tracks_of(WAY, landing, 1.0))) == (4, 1)
    assert fewest_down(tracks_of(WAY, 0.1 * SWINGS, 1.0)) == 3
    assert fewest_down(tracks_of(WAY, 0.1, 1.0)) == 0


def test_a_step_that_the_end_cuts_off_is_told():
    (step,) = footsteps(tracks_of(WAY[:35], 0.05 * SWINGS[:35], 0.0), DT)
    assert not step.whole
