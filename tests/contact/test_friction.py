"""Friction directions and coefficients."""

import numpy as np
import pytest

from hydrostat.contact.friction import Friction
from hydrostat.errors import InputError


def test_frames_are_right_handed_and_follow_the_heading():
    normals = np.array([[0.0, 1, 0], [0.6, 0.8, 0], [1, 0, 0]])
    frames = Friction(forward=(1.0, 0.0, 0.0)).frames(normals)
    assert np.allclose(frames @ frames.transpose(0, 2, 1), np.eye(3))
    assert np.allclose(np.linalg.det(frames), 1.0)
    assert np.allclose(frames[:, 0], normals)
    assert np.allclose(frames[0, 1], [1, 0, 0])
    assert np.allclose(frames[1, 1], [0.8, -0.6, 0])


def test_only_the_push_forward_is_scaled():
    coefficients = Friction(0.1, backward=1.0).coefficients(2)
    assert coefficients.shape == (2, 8)
    assert np.array_equal(coefficients[0], [1.0] + [0.1] * 7)
    assert np.array_equal(Friction(0.4).coefficients(1)[0], [0.4] * 8)


@pytest.mark.parametrize("change", [{"coefficient": -0.1}, {"backward": float("nan")}, {"forward": (0, 0, 0)}])
def test_friction_without_meaning_is_refused(change):
    with pytest.raises(InputError, match=next(iter(change))):
        Friction(**change)
