"""Recorded motions: moments, framing, arrows, grounds, and the files that come out."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import av
import numpy as np
import pytest
from PIL import Image
from show_shapes import WanderingBox

from hydrostat.errors import InputError
from hydrostat.show import colours
from hydrostat.show.recorded import (
    draw_frame,
    ground_from,
    moments,
    picture_of,
    render_movie,
    render_sheet,
)
from hydrostat.show.scene3d import HeightfieldGround, PlaneGround
from hydrostat.show.sheet import label_height
from hydrostat.show.stage import VIEWS, CameraOptions, Stage

SIZE = (96, 54)


def test_a_movie_shows_the_nearest_recorded_frame() -> None:
    times = np.array([0.0, 0.1, 0.2, 0.3, 0.4])
    assert moments(times, 10).tolist() == [0, 1, 2, 3, 4]
    assert moments(times, 20).tolist() == [0, 0, 1, 1, 2, 2, 3, 3, 4]
    assert moments(times, 10, speed=2.0).tolist() == [0, 2, 4]
    assert moments(times + 7.0, 5).tolist() == [0, 2, 4]
    assert moments(times[:1], 30).tolist() == [0]
    with pytest.raises(InputError, match="fps 0"):
        moments(times, 0)


@pytest.mark.parametrize("view", VIEWS)
def test_the_camera_sees_the_whole_motion(view: str) -> None:
    motion = WanderingBox(speed=4.0)
    stage = Stage.of(motion, CameraOptions(view), SIZE[0] / SIZE[1])
    assert not stage.path.any()
    for i in range(motion.frame_count):
        x, y, depth = stage.camera_at(i).project(motion.positions(i), SIZE).T
        assert depth.min() > 0
        assert 0 <= x.min() <= x.max() <= SIZE[0]
        assert 0 <= y.min() <= y.max() <= SIZE[1]


def test_the_camera_follows_a_body_that_travels_far_or_on_request() -> None:
    far = WanderingBox(speed=10.0)
    stage = Stage.of(far, CameraOptions(), 1.5)
    assert stage.path[:, 0] == pytest.approx(10.0 * far.times)
    assert stage.camera_at(4).position - stage.camera_at(0).position == pytest.approx([4.0, 0.0, 0.0])
    assert not Stage.of(far, CameraOptions(follow=False), 1.5).path.any()
    near = WanderingBox(speed=1.0)
    assert Stage.of(near, CameraOptions(follow=True), 1.5).path[:, 0] == pytest.approx(near.times)


def test_a_following_camera_is_nearer() -> None:
    motion = WanderingBox(speed=10.0)
    near, far = (Stage.of(motion, CameraOptions(follow=follow), 1.5) for follow in (True, False))
    assert near.camera.distance < 0.6 * far.camera.distance


def test_an_ordinary_force_is_easy_to_see_and_a_landing_stays_in_the_picture() -> None:
    motion = WanderingBox()
    stage = Stage.of(motion, CameraOptions(), 1.5)
    lengths = [float(np.linalg.norm(picture_of(motion, i, stage).arrows[0].vector)) for i in range(motion.frame_count)]
    assert lengths == pytest.approx([0.35, 0.35, 0.35, 0.35, 1.2])


def test_a_frame_shows_what_was_recorded() -> None:
    motion = WanderingBox()
    picture = picture_of(motion, 1, Stage.of(motion, CameraOptions(), 1.5))
    assert (picture.meshes[0].vertices == motion.positions(1)).all()
    assert (picture.tubes[0].points == motion.fibre_points(1)).all()
    assert picture.tubes[0].values.tolist() == [0.0, 1.0]
    assert picture.discs[0].colour == colours.CONTACT_MODES[1]
    assert [item.shape for item in picture.markers] == ["ball", "cross"]
    assert isinstance(picture.ground, PlaneGround)


def test_activation_is_dealt_out_to_the_fibres_in_order() -> None:
    motion = replace(WanderingBox(), fibres=(np.array([0, 1]), np.array([1, 2])))
    picture = picture_of(motion, 0, Stage.of(motion, CameraOptions(), 1.5))
    assert [tube.values.tolist() for tube in picture.tubes] == [[0.0], [1.0]]


def test_grounds_by_kind() -> None:
    plane = ground_from({"kind": "plane", "normal": [0.0, 2.0, 0.0], "offset": 1.0}, 0.5)
    assert isinstance(plane, PlaneGround)
    assert plane.heights(np.array([[3.0, 2.0, 1.0]])) == pytest.approx([1.5])
    hills = ground_from({"kind": "heightfield", "heights": [[0, 1], [2, 3]], "spacing": 2.0, "origin": [1, 5]}, 0.5)
    assert isinstance(hills, HeightfieldGround)
    assert hills.heights(np.array([[3.0, 4.0, 5.0]])) == pytest.approx([3.0])
    assert ground_from({}, 0.5) is None
    with pytest.raises(InputError, match="plane, heightfield"):
        ground_from({"kind": "water"}, 0.5)


def test_frames_by_index() -> None:
    motion = WanderingBox()
    last = draw_frame(motion, -1, size=SIZE)
    assert last.shape == (54, 96, 3)
    assert (last == draw_frame(motion, 4, size=SIZE)).all()
    assert (last != draw_frame(motion, 0, size=SIZE)).any()
    with pytest.raises(InputError, match="frame 5"):
        draw_frame(motion, 5, size=SIZE)


def test_views_by_name() -> None:
    with pytest.raises(InputError, match="three-quarter, front, side, top"):
        CameraOptions("back")


def test_a_motion_without_frames_is_refused() -> None:
    with pytest.raises(InputError, match="no frames"):
        Stage.of(WanderingBox(frame_count=0), CameraOptions(), 1.5)


def test_a_motion_without_muscles_contact_markers_and_ground() -> None:
    class Bare(WanderingBox):
        def activation(self, index: int, /) -> np.ndarray:
            return np.zeros(0)

        def outside(self, index: int, /) -> np.ndarray:
            return np.zeros((0, 2, 3))

        def markers(self, index: int, /) -> dict[str, np.ndarray]:
            return {}

    motion = Bare(fibres=(), ground={})
    picture = picture_of(motion, 0, Stage.of(motion, CameraOptions(), 1.5))
    assert picture.tubes == ()
    assert draw_frame(motion, 0, size=SIZE).shape == (54, 96, 3)


def test_a_movie_of_a_motion(tmp_path: Path) -> None:
    render_movie(WanderingBox(), tmp_path / "box.mp4", SIZE, 20)
    with av.open(str(tmp_path / "box.mp4")) as container:
        images = [frame.to_ndarray(format="rgb24") for frame in container.decode(video=0)]
    assert [image.shape for image in images] == [(54, 96, 3)] * 9


def test_a_sheet_of_a_motion(tmp_path: Path) -> None:
    render_sheet(WanderingBox(), tmp_path / "box.png", 2, 2, SIZE)
    with Image.open(tmp_path / "box.png") as image:
        assert image.size == (2 * (96 + 12) + 12, 2 * (54 + 12 + label_height(54)) + 12)
