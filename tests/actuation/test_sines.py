"""Sums of sines against the formula, one by one."""

import numpy as np
import pytest

from hydrostat.actuation.sines import Sines
from hydrostat.errors import InputError


def test_values_are_the_sum_of_the_formula():
    """(6), a mode, a time and a sine at a time."""
    rng = np.random.default_rng(0)
    amplitudes, periods, phases = rng.normal(size=(3, 2)), rng.uniform(0.2, 0.6, size=(3, 2)), rng.uniform(size=(3, 2))
    times = np.array([0.0, 0.1, 0.37])
    got = Sines(amplitudes, periods, phases).values(times)
    assert got.shape == (3, 3)
    for row, time in enumerate(times):
        for mode in range(3):
            exact = sum(
                amplitudes[mode, j] * np.sin(2 * np.pi * (time / periods[mode, j] + phases[mode, j])) for j in range(2)
            )
            assert got[row, mode] == pytest.approx(exact, abs=1e-14)


def test_a_quarter_turn_begins_at_the_top_and_returns_after_a_period():
    got = Sines(np.array([[2.0]]), np.array([[0.5]]), np.array([[0.25]])).values(np.array([0.0, 0.25, 0.5]))
    assert got[:, 0] == pytest.approx([2.0, -2.0, 2.0])


def test_arrays_that_do_not_fit_are_refused():
    ones = np.ones((2, 1))
    with pytest.raises(InputError, match="shapes"):
        Sines(ones, ones, np.ones((2, 2)))
    with pytest.raises(InputError, match="period"):
        Sines(ones, 0.0 * ones, ones)
