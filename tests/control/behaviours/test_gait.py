"""Gaits: what swings when, where feet go, and where the weight has to be."""

from dataclasses import replace

import numpy as np
import pytest

from hydrostat.control.behaviours.gait import Gait, arc, crossed, ease

CREEP = Gait(((2,), (0,), (3,), (1,)), (0.3, 0.05, 0.3, 0.05), swing=0.4, stride=0.2, clearance=0.05, margin=0.06)
TROT = Gait(((0, 3), (1, 2)), (0.1, 0.1), swing=0.3, stride=0.2, clearance=0.05, margin=0.0)
HOMES = np.array([[0.35, -0.35], [0.35, 0.35], [-0.35, -0.35], [-0.35, 0.35]])
CLOCKS = np.arange(0.0, 12.0, 0.01)


@pytest.mark.parametrize(("gait", "together"), [(CREEP, 1), (TROT, 2)])
def test_feet_swing_in_order_and_pause_between(gait, together):
    seen = [gait.swinging(clock) for clock in CLOCKS]
    changes = [feet for before, feet in zip([(), *seen], seen, strict=False) if feet != before]
    assert changes[::2][: len(gait.order)] == list(gait.order)
    assert set(changes[1::2]) == {()}
    assert max(len(feet) for feet in seen) == together
    shares = [gait.share(clock) for clock in CLOCKS]
    assert max(shares) <= 1.0 + 1e-9
    assert all((share > 1e-8) == bool(feet) for share, feet in zip(shares, seen, strict=True))


@pytest.mark.parametrize("gait", [CREEP, TROT, replace(TROT, growing=3)])
def test_every_foot_makes_a_stride_a_cycle(gait):
    cycle = len(gait.order)
    for steps in range(12):
        before, after = gait.footholds(HOMES, steps), gait.footholds(HOMES, steps + 1)
        moved = np.flatnonzero(after[:, 0] > before[:, 0])
        assert set(moved) == set(gait.feet(steps))
    later = [gait.footholds(HOMES, cycle + gait.growing + k) for k in (0, cycle)]
    assert np.allclose(later[1] - later[0], [gait.stride, 0.0])


def test_weight_stays_within_the_standing_feet_and_moves_without_jumps():
    for clock in CLOCKS[CLOCKS > 3.0]:
        swinging = CREEP.swinging(clock)
        if swinging:
            step = CREEP.step_at(clock)
            standing = np.delete(CREEP.footholds(HOMES, step), swinging, axis=0)
            forward, _, aside = CREEP.weight(HOMES, clock)
            left, right = crossed(standing, forward)
            assert left + 0.5 * CREEP.margin < aside < right - 0.5 * CREEP.margin
    way = np.array([CREEP.weight(HOMES, clock) for clock in CLOCKS])
    assert np.abs(np.diff(way, axis=0)).max() < 0.011
    assert (np.diff(way[:, 0]) >= 0.0).all()
    assert np.ptp(way[:, 2]) < 2.0 * 0.1
    assert not way[:, 1].any()


def test_limbs_are_a_part_of_the_weight():
    """Seen from the limbs, the body goes evenly: while a foot swings forward and up, so does the weight."""
    gait = replace(CREEP, limbs=0.4)
    for share in (0.1, 0.4, 0.7):
        clock = gait.lift(5) + share * gait.swing
        even, whole = CREEP.weight(HOMES, clock), gait.weight(HOMES, clock)
        feet = np.mean([gait.on_the_way(HOMES, foot, clock) for foot in range(4)], axis=0)
        assert whole[:2] == pytest.approx(0.6 * even[:2] + 0.4 * feet[:2])
        assert whole[2] == even[2]
    assert gait.on_the_way(HOMES, 0, gait.lift(5))[1] == 0.0
    assert gait.on_the_way(HOMES, 0, gait.lift(5) + 0.45 * gait.swing)[1] == pytest.approx(gait.clearance)


def test_weight_of_a_trot_stays_over_the_line_between_the_standing_feet():
    for clock in CLOCKS[CLOCKS > 3.0]:
        if TROT.swinging(clock) and abs(TROT.share(clock) - 0.5) < 0.02:
            assert abs(TROT.weight(HOMES, clock)[2]) < 1e-9


def test_a_line_crosses_a_triangle_between_its_sides():
    assert crossed(np.array([[0.0, 0.0], [2.0, -1.0], [2.0, 3.0]]), 1.0) == pytest.approx((-0.5, 1.5))


def test_a_foot_rises_before_it_goes_and_is_there_before_it_lands():
    start, end = np.array([0.1, 0.0, 0.3]), np.array([0.4, 0.0, 0.3])
    way = np.array([arc(start, end, 0.05, share) for share in np.linspace(-0.1, 1.1, 121)])
    assert np.allclose(way[[0, -1]], [start, end])
    assert way[:, 1].max() == pytest.approx(0.05)
    near = way[:, 1] < 1e-3
    assert np.abs(np.diff(way[:, 0]))[near[1:]].max() < 1e-3
    assert [ease(share) for share in (-1.0, 0.0, 0.5, 1.0, 2.0)] == [0.0, 0.0, 0.5, 1.0, 1.0]
