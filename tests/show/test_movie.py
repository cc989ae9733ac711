"""Files: movies that read back, whole or not at all; sheets of the promised size."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import av
import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from hydrostat.errors import InputError
from hydrostat.show.movie import write_movie, write_png
from hydrostat.show.sheet import contact_sheet, evenly_spaced, label_height

Bytes = NDArray[np.uint8]


def frames(count: int, height: int = 48, width: int = 64) -> Iterator[Bytes]:
    """A red bar that walks over grey."""
    for i in range(count):
        image = np.full((height, width, 3), 200, np.uint8)
        image[:, 4 * i : 4 * i + 12] = (220, 30, 30)
        yield image


def reddest(image: Bytes) -> int:
    """The middle column of the bar."""
    red = image[image.shape[0] // 2].astype(int)
    return int(np.flatnonzero(red[:, 0] - red[:, 2] > 90).mean())


def test_an_mp4_reads_back_with_its_frames_size_and_rate(tmp_path: Path) -> None:
    path = tmp_path / "new folder" / "walk.mp4"
    write_movie(path, frames(10, 47, 63), 25)
    with av.open(str(path)) as container:
        stream = container.streams.video[0]
        assert (stream.codec_context.name, stream.average_rate, stream.pix_fmt) == ("h264", 25, "yuv420p")
        images = [frame.to_ndarray(format="rgb24") for frame in container.decode(stream)]
    assert [image.shape for image in images] == [(48, 64, 3)] * 10
    assert [abs(reddest(image) - (4 * i + 5)) <= 2 for i, image in enumerate(images)] == [True] * 10
    data = path.read_bytes()
    assert 0 < data.index(b"moov") < data.index(b"mdat"), "the index comes first, so that players start at once"


@pytest.mark.parametrize(("name", "format_name"), [("walk.webp", "WEBP"), ("walk.GIF", "GIF")])
def test_animated_images_read_back(tmp_path: Path, name: str, format_name: str) -> None:
    write_movie(tmp_path / name, frames(6), 10)
    with Image.open(tmp_path / name) as image:
        assert (image.format, image.n_frames, image.size) == (format_name, 6, (64, 48))
        assert image.info["loop"] == 0
        image.seek(4)
        assert abs(reddest(np.asarray(image.convert("RGB"))) - 21) <= 2
        assert image.info["duration"] == 100


def test_better_quality_takes_more_bytes(tmp_path: Path) -> None:
    noise = np.random.default_rng(3).integers(0, 255, (64, 64, 3), dtype=np.uint8)
    sizes = []
    for quality in (0.1, 0.9):
        write_movie(tmp_path / "noise.mp4", [noise] * 3, 30, quality)
        sizes.append((tmp_path / "noise.mp4").stat().st_size)
    assert sizes[0] < sizes[1]


@pytest.mark.parametrize("name", ["walk.mp4", "walk.webp", "walk.gif"])
def test_a_broken_run_leaves_what_was_there(tmp_path: Path, name: str) -> None:
    def broken() -> Iterator[Bytes]:
        yield from frames(3)
        raise RuntimeError("step 4 failed")

    (tmp_path / name).write_text("the movie of yesterday")
    with pytest.raises(RuntimeError, match="step 4"):
        write_movie(tmp_path / name, broken(), 30)
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert (tmp_path / name).read_text() == "the movie of yesterday"


def test_frames_are_taken_one_at_a_time(tmp_path: Path) -> None:
    held: list[int] = []

    def counted() -> Iterator[Bytes]:
        for i, frame in enumerate(frames(5)):
            held.append(i)
            yield frame

    stream = counted()
    assert held == []
    write_movie(tmp_path / "a.mp4", stream, 30)
    assert held == [0, 1, 2, 3, 4]


def test_what_cannot_be_a_movie_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"\.mp4, \.webp, \.gif"):
        write_movie(tmp_path / "walk.avi", frames(3), 30)
    with pytest.raises(InputError, match="without frames"):
        write_movie(tmp_path / "walk.mp4", [], 30)
    with pytest.raises(InputError, match="fps 0"):
        write_movie(tmp_path / "walk.mp4", frames(3), 0)
    with pytest.raises(InputError, match="frame 1"):
        write_movie(tmp_path / "walk.mp4", [*frames(1), *frames(1, 50)], 30)
    with pytest.raises(InputError, match="frame 0"):
        write_movie(tmp_path / "walk.mp4", [np.zeros((4, 4, 3))], 30)  # type: ignore[list-item]
    assert not [*tmp_path.iterdir()]


def test_a_png_reads_back_to_the_byte(tmp_path: Path) -> None:
    image = np.random.default_rng(0).integers(0, 255, (5, 7, 3), dtype=np.uint8)
    write_png(tmp_path / "noise.png", image)
    with Image.open(tmp_path / "noise.png") as back:
        assert (np.asarray(back) == image).all()


def test_a_sheet_holds_its_images_in_rows() -> None:
    images = [np.full((30, 40, 3), 10 * i, np.uint8) for i in range(5)]
    sheet = contact_sheet(images, 3, margin=4)
    assert sheet.shape == (2 * 34 + 4, 3 * 44 + 4, 3)
    for i in range(5):
        top, left = 4 + i // 3 * 34, 4 + i % 3 * 44
        assert (sheet[top : top + 30, left : left + 40] == 10 * i).all()
    assert (sheet[:4] == sheet[0, 0]).all()


def test_labels_make_rows_taller() -> None:
    images = [np.zeros((100, 120, 3), np.uint8)] * 2
    sheet = contact_sheet(images, 1, ["0.00 s", "1.00 s"], margin=10)
    below = label_height(100)
    assert sheet.shape == (2 * (110 + below) + 10, 140, 3)
    for row in range(2):
        strip = sheet[10 + row * (110 + below) + 100 :][:below]
        assert strip.min() < 120


def test_sheets_that_do_not_fit_are_refused() -> None:
    image = np.zeros((4, 4, 3), np.uint8)
    for images, columns, labels in (
        ([], 2, []),
        ([image], 0, []),
        ([image, image[:3]], 2, []),
        ([image], 1, ["a", "b"]),
    ):
        with pytest.raises(InputError):
            contact_sheet(images, columns, labels)


def test_moments_of_a_sheet_are_evenly_spaced() -> None:
    assert evenly_spaced(101, 5).tolist() == [0, 25, 50, 75, 100]
    assert evenly_spaced(3, 8).tolist() == [0, 1, 2]
    with pytest.raises(InputError):
        evenly_spaced(0, 4)


@pytest.mark.parametrize("name", ["folder.png", "folder.png/../folder.png", "file/picture.png"])
def test_a_place_that_cannot_be_written_is_refused(name, tmp_path):
    (tmp_path / "folder.png").mkdir()
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(InputError, match=r"cannot be written.*Cure"):
        write_png(tmp_path / name, np.zeros((2, 2, 3), dtype=np.uint8))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "folder.png"]


def test_a_picture_has_the_suffix_of_its_format(tmp_path):
    with pytest.raises(InputError, match=r"\.png"):
        write_png(tmp_path / "picture.jpg", np.zeros((2, 2, 3), dtype=np.uint8))
