"""The rolling O (T2012 section 7)."""

import numpy as np
import pytest
from staged import recording_of

from hydrostat.scenes import SCENES
from hydrostat.scenes.measure import summary, verdicts
from hydrostat.scenes.roll import ROLLING, SETTLED, turned
from hydrostat.scenes.scene import Settings


@pytest.fixture(scope="module")
def away(tmp_path_factory):
    with recording_of("roll-o", tmp_path_factory.mktemp("roll")) as recording:
        yield recording


@pytest.fixture(scope="module")
def measures(away):
    return SCENES["roll-o"].measure(away)


def angles(recording):
    return turned(recording, np.array([recording.positions(index) for index in range(len(recording))]))


def test_roll_o_holds_its_demands(away):
    assert [demand for demand, held in verdicts(SCENES["roll-o"], away).items() if not held] == []


def test_roll_o_is_the_papers_in_size(away):
    whole = summary(away)
    assert whole["tets"] == pytest.approx(911, rel=0.05)
    assert whole["tets"] >= 911
    assert whole["segments"] == 40


def test_roll_o_leans_and_is_round_again(measures):
    assert measures["out_of_round_most"] > 0.12
    assert measures["out_of_round_end"] < measures["out_of_round_standing"] + 0.01


def test_roll_o_rolls_on_without_muscles(away):
    phases = [int(away.state(index)["memory.phase"][0]) for index in range(len(away))]
    coasting = phases.index(max(phases))
    assert all(away.activation(index).max() < 1e-12 for index in range(coasting, len(away)))
    assert angles(away)[-1] - angles(away)[coasting] > 2.0


def test_roll_o_gains_its_speed_while_it_leans(away):
    pushed = round((SETTLED + ROLLING) / away.dt)
    assert angles(away)[pushed] > 0.25 * 2.0 * np.pi


def test_roll_o_falls_forward_over_what_it_stands_on(away):
    """While it gains speed the ground pushes behind the centre of mass."""
    behind = []
    for index in range(round(1.0 / away.dt), round(1.5 / away.dt)):
        contacts = away.contacts(index)
        load = contacts.impulses[:, 1]
        behind.append(away.markers(index)["centre of mass"][0] - load @ contacts.positions[:, 0] / load.sum())
    assert 0.03 < np.mean(behind) < 0.12


def test_roll_o_turn_comes_back(tmp_path):
    with recording_of("roll-o-turn", tmp_path) as recording:
        assert [demand for demand, held in verdicts(SCENES["roll-o-turn"], recording).items() if not held] == []
        angle, times = angles(recording), recording.times
        speed = np.gradient(angle, times)
        turning = int(angle.argmax())
    fastest = int(speed[:turning].argmax())
    assert times[turning] - times[fastest] > 0.3  # it slows down before it stops
    assert speed[:turning].max() > 2.0
    assert speed[turning:].min() < -2.0


def test_with_static_contacts_it_never_rolls(tmp_path):
    """While it should gain speed it stays where it is; where it has leant, it then swings upright, and no farther."""
    with recording_of("roll-o", tmp_path, Settings("static"), seconds=4.0) as recording:
        angle, pushed = angles(recording) / (2.0 * np.pi), recording.times < SETTLED + ROLLING
    assert np.abs(angle[pushed]).max() < 0.03
    assert np.abs(angle).max() < 0.1


def test_without_muscles_it_stays(tmp_path):
    with recording_of("roll-o-turn", tmp_path, Settings("none"), seconds=3.0) as recording:
        assert np.abs(angles(recording)).max() < 0.02 * 2.0 * np.pi
