"""The camera against closed form."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hydrostat.errors import InputError
from hydrostat.show.camera import Camera


def test_the_target_is_the_middle_and_the_field_of_view_is_vertical() -> None:
    camera = Camera(np.array([0.0, 1.0, 4.0]), np.array([0.0, 1.0, 0.0]), field_of_view=60.0)
    edge = 4.0 * np.tan(np.radians(30.0))
    seen = camera.project([[0, 1, 0], [0, 1 + edge, 0], [0, 1 - edge, 0], [edge, 1, 0]], (640, 480))
    assert np.allclose(seen, [[320, 240, 4], [320, 0, 4], [320, 480, 4], [560, 240, 4]])


def test_axes_are_right_up_and_forward() -> None:
    camera = Camera(np.array([3.0, 0.0, 0.0]), np.zeros(3))
    assert np.allclose(camera.axes, [[0, 0, -1], [0, 1, 0], [-1, 0, 0]])


@given(
    st.lists(st.floats(0.1, 5.0), min_size=3, max_size=3),
    st.tuples(st.floats(-1, 1), st.floats(-1, 1), st.floats(0.1, 1)),
    st.floats(0.5, 2.5),
)
@settings(deadline=None, max_examples=50)
def test_framing_just_fits_the_box(sides: list[float], direction: tuple[float, float, float], aspect: float) -> None:
    low = np.array([-1.0, 2.0, 0.5])
    bounds = np.stack([low, low + sides])
    camera = Camera.framing(bounds, direction, aspect=aspect, margin=1.0)
    corners = np.stack(np.meshgrid(*bounds.T), axis=-1).reshape(-1, 3)
    x, y, depth = camera.project(corners, (1000, 1000)).T
    reach = max(np.abs(y - 500).max() / 500, np.abs(x - 500).max() / (500 * aspect))
    assert depth.min() > 0
    assert reach == pytest.approx(1.0, abs=1e-9)


def test_a_camera_from_above_has_an_upright_picture() -> None:
    camera = Camera.framing([[-1, -1, -1], [1, 1, 1]], (0, 1, 0))
    assert np.allclose(camera.axes[:2], [[1, 0, 0], [0, 0, -1]])


@pytest.mark.parametrize(
    ("position", "up", "angle", "complaint"),
    [
        ((np.nan, 0, 0), (0, 1, 0), 30.0, "camera position"),
        ((0, 0, 0), (0, 1, 0), 30.0, "line of sight"),
        ((0, 3, 0), (0, 1, 0), 30.0, "along up"),
        ((0, 0, 3), (0, 1, 0), 180.0, "field_of_view"),
    ],
)
def test_cameras_that_cannot_see(
    position: tuple[float, ...], up: tuple[float, ...], angle: float, complaint: str
) -> None:
    with pytest.raises(InputError, match=complaint):
        Camera(np.array(position), np.zeros(3), np.array(up), angle)
