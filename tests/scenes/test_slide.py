"""The F is dragged over slippery ground (T2012 Figure 6)."""

import numpy as np
import pytest
from staged import recording_of

from hydrostat.scenes import SCENES
from hydrostat.scenes.measure import verdicts
from hydrostat.scenes.scene import Settings
from hydrostat.scenes.slide import LATE, LEFT, RIGHT, TIPPED, Parts, measure

NAMES = ("slide-f-right", "slide-f-left", "slide-f-late")


@pytest.fixture(scope="module", params=NAMES)
def dragged(request, tmp_path_factory):
    with recording_of(request.param, tmp_path_factory.mktemp("slide")) as recording:
        yield request.param, recording


def test_the_f_leans_slides_and_stays_up(dragged):
    name, recording = dragged
    held = verdicts(SCENES[name], recording)
    assert all(held.values()), held
    if name == "slide-f-late":
        assert measure(recording)["hops"] >= 1


@pytest.mark.parametrize(("name", "drag"), list(zip(NAMES, (RIGHT, LEFT, LATE), strict=True)))
def test_without_control_it_tips_at_the_force_that_the_scene_states(name, drag, tmp_path):
    seconds = drag.start + (drag.endured - abs(drag.first)) / abs(drag.rate) + 0.3
    with recording_of(name, tmp_path, Settings(controller="none"), seconds) as recording:
        parts = Parts.of(recording)
        leans = np.abs([parts.stem(recording.positions(index)) for index in range(len(recording))])
        tipped = np.abs(recording.outside(int(np.argmax(leans > TIPPED)))[0, 1, 0])
    assert leans.max() > TIPPED
    assert tipped == pytest.approx(drag.endured, rel=0.02)


def test_a_demand_would_notice_a_fall(tmp_path):
    scene = SCENES["slide-f-left"]
    with recording_of(scene.name, tmp_path, Settings(controller="none"), 3.0) as recording:
        held = verdicts(scene, recording)
    assert not held["tilt ≤ 30"] and not held["leaning ≥ 5"]
