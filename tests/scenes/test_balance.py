"""The balance of the I (T2012 Figure 5)."""

import numpy as np
import pytest
from staged import recording_of

from hydrostat.scenes import SCENES
from hydrostat.scenes.balance import Sole, lean, measure
from hydrostat.scenes.measure import verdicts
from hydrostat.scenes.scene import Settings


@pytest.fixture(scope="module")
def pushed(tmp_path_factory):
    with recording_of("balance-i", tmp_path_factory.mktemp("balance")) as recording:
        yield recording


def test_the_i_recovers(pushed):
    held = verdicts(SCENES["balance-i"], pushed)
    assert all(held.values()), held


def test_the_push_is_what_the_scene_says(pushed):
    push = pushed.metadata["details"]["push"]
    assert measure(pushed)["impulse"] == pytest.approx(push["impulse"], rel=1e-9)


def test_the_sole_of_a_body_at_rest_is_on_the_ground(pushed):
    sole = Sole.of(pushed)
    rest = pushed.rest_positions
    assert sole.area(rest) == pytest.approx(np.ptp(rest[:, 0]) * np.ptp(rest[:, 2]), rel=1e-6)
    assert sole.grounded(rest) == pytest.approx(1.0)
    turned = rest @ np.array([[0.8, 0.6, 0.0], [-0.6, 0.8, 0.0], [0.0, 0.0, 1.0]])
    assert sole.area(turned) == pytest.approx(0.8 * sole.area(rest))
    assert sole.grounded(turned - [0.0, turned[:, 1].min(), 0.0]) < 0.2


@pytest.mark.parametrize("controller", ["static", "none"])
def test_without_qpcc_it_falls(controller, tmp_path):
    with recording_of("balance-i", tmp_path, Settings(controller=controller), 3.0) as recording:
        assert lean(recording, len(recording) - 1) > 45.0
        assert not verdicts(SCENES["balance-i"], recording)["lean ≤ 5"]
