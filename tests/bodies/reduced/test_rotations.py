"""Best rotations against singular values, far and near, flat and inverted."""

import numpy as np
import pytest
from full_space import best_rotation
from scipy.spatial.transform import Rotation

from hydrostat.bodies.reduced.rotations import lanes_of, read_quaternions, turn_to_best


def turned(covariances, starts):
    """Rotations that the kernel finds for a list of covariances, and its quaternions."""
    quaternions = np.array([start.as_quat(scalar_first=True) for start in starts])
    rotations = np.empty((3, 3 * len(starts)))
    lanes = lanes_of(quaternions)
    turn_to_best(np.hstack(covariances), lanes, rotations)
    read_quaternions(lanes, quaternions)
    return np.split(rotations, len(starts), axis=1), quaternions


@pytest.mark.parametrize(
    "stretches",
    [(1.2, 1.0, 0.9), (3.0, 1.0, 0.2), (1.0, 1.0, 0.0), (1.0, 0.8, -0.5), (1e-6, 0.9e-6, 0.5e-6), (1e9, 8e8, 5e8)],
    ids=str,
)
@pytest.mark.parametrize("angle", [0.0, 0.02, 0.4, 1.5, 3.1])
def test_the_best_rotation_is_found_from_anywhere(stretches, angle):
    rng = np.random.default_rng(5)
    left, right = Rotation.random(6, random_state=rng), Rotation.random(6, random_state=rng)
    covariances = [a @ np.diag(stretches) @ b.T for a, b in zip(left.as_matrix(), right.as_matrix(), strict=True)]
    best = [best_rotation(h) for h in covariances]
    axes = rng.normal(size=(6, 3))
    away = Rotation.from_rotvec(angle * axes / np.linalg.norm(axes, axis=1, keepdims=True))
    found, quaternions = turned(covariances, Rotation.from_matrix(best) * away)
    assert np.allclose(found, best, atol=2e-4)  # one call goes to the square of a hundredth
    again, _ = turned(covariances, Rotation.from_quat(quaternions, scalar_first=True))
    assert np.allclose(again, best, atol=1e-7)


def test_rotations_stay_rotations():
    rng = np.random.default_rng(6)
    found, _ = turned(list(rng.normal(size=(20, 3, 3))), Rotation.random(20, random_state=rng))
    for rotation in found:
        assert np.allclose(rotation.T @ rotation, np.eye(3), atol=1e-14)
        assert np.linalg.det(rotation) == pytest.approx(1.0, abs=1e-14)
