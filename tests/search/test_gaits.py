"""Points of the cube and gaits within limits."""

import numpy as np
import pytest

from hydrostat.errors import InputError
from hydrostat.search.gaits import GaitSpace

LARGEST = np.array([0.1, 0.4, 0.2])
SPACE = GaitSpace(LARGEST, sinusoids=2, periods=(0.3, 0.7), phases=(-0.25, 0.75), common_period=False)


def test_corners_and_middle_of_the_cube_are_the_limits_and_rest():
    lowest, middle, highest = (SPACE.gait(np.full(SPACE.dimension, share)) for share in (0.0, 0.5, 1.0))
    assert SPACE.dimension == 18
    np.testing.assert_allclose(lowest.amplitudes, -np.tile(LARGEST[:, None], 2))
    np.testing.assert_allclose(highest.amplitudes, np.tile(LARGEST[:, None], 2))
    assert (middle.amplitudes == 0.0).all()
    assert (lowest.periods == 0.3).all() and (highest.periods == 0.7).all()
    assert (lowest.phases == -0.25).all() and (highest.phases == 0.75).all()


def test_every_number_of_a_point_has_one_place_in_the_gait():
    start = np.full(SPACE.dimension, 0.5)
    changed = set()
    for index in range(SPACE.dimension):
        gait, at_rest = SPACE.gait(start + 0.1 * (np.arange(SPACE.dimension) == index)), SPACE.gait(start)
        for name in ("amplitudes", "periods", "phases"):
            changed |= {(name, *place) for place in np.argwhere(getattr(gait, name) != getattr(at_rest, name)).tolist()}
        assert len(changed) == index + 1


def test_a_common_period_makes_gaits_repeat():
    space = GaitSpace(LARGEST, sinusoids=3)
    gait = space.gait(np.random.default_rng(0).random(space.dimension))
    assert space.dimension == 19
    period = gait.periods[0, 0]
    assert 0.2 <= period <= 0.6
    np.testing.assert_allclose(gait.periods, np.tile(period / np.array([1, 2, 3]), (3, 1)))
    times = np.linspace(0.0, 1.0, 9)
    np.testing.assert_allclose(gait.values(times + period), gait.values(times), atol=1e-12)


def test_the_modes_with_the_highest_shares_move():
    space = GaitSpace(LARGEST, chosen=2)
    assert space.dimension == 7 + 3
    point = np.concatenate([np.ones(7), [0.2, 0.9, 0.4]])
    assert space.moving(point).tolist() == [False, True, True]
    np.testing.assert_allclose(space.gait(point).amplitudes[:, 0], [0.0, 0.4, 0.2])
    ties = np.concatenate([np.ones(7), [0.5, 0.5, 0.5]])
    assert space.moving(ties).tolist() == [True, True, False]
    assert SPACE.moving(np.ones(18)).all()


@pytest.mark.parametrize(
    "wrong",
    [
        {"amplitudes": np.empty(0)},
        {"amplitudes": np.array([0.1, np.inf])},
        {"sinusoids": 0},
        {"periods": (0.6, 0.2)},
        {"periods": (0.0, 0.2)},
        {"phases": (1.0, 0.0)},
        {"chosen": 0},
        {"chosen": 4},
    ],
)
def test_limits_that_hold_no_gait_are_refused(wrong):
    with pytest.raises(InputError):
        GaitSpace(**({"amplitudes": LARGEST} | wrong))
