"""Write pictures and movies: PNG, MP4 (H.264), animated WebP and GIF. Movies are written frame by frame."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from pathlib import Path
from typing import Any

import av
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from hydrostat.errors import InputError
from hydrostat.show.files import written_whole

Bytes = NDArray[np.uint8]


def write_png(path: str | Path, image: Bytes) -> None:
    """Write ``image`` (h, w, 3) sRGB bytes to ``path``, which ends in .png."""
    target = Path(path)
    if target.suffix.lower() != ".png":
        raise InputError(f"a picture named {target}", "a name that ends in .png", "rename it")
    with written_whole(target) as part:
        Image.fromarray(image).save(part, format="PNG")


def _true_colour(image: Bytes) -> av.VideoFrame:
    """The image as it is; the encoder converts it."""
    return av.VideoFrame.from_ndarray(np.ascontiguousarray(image), format="rgb24")


def _even(image: Bytes) -> av.VideoFrame:
    """The image, its last row or column repeated where its size is odd, as 4:2:0 colour needs."""
    height, width = image.shape[:2]
    return _true_colour(np.pad(image, ((0, height % 2), (0, width % 2), (0, 0)), mode="edge"))


def _palette(image: Bytes) -> av.VideoFrame:
    """The image in its best 255 colours."""
    indexed = Image.fromarray(image).quantize(255, dither=Image.Dither.NONE)
    chosen = np.array(indexed.getpalette("RGB")).reshape(-1, 3)
    palette = np.zeros((256, 4), dtype=np.uint8)  # alpha, red, green, blue
    palette[:, 0] = 255
    palette[: len(chosen), 1:] = chosen
    # PyAV takes pal8 as such a pair, though its annotation does not say so.
    pair: Any = (np.asarray(indexed), palette)
    return av.VideoFrame.from_ndarray(pair, format="pal8")


@dataclass(frozen=True)
class _Format:
    """How frames become a file: libav's names, the conversion, options for a quality from 0 to 1."""

    container: str
    codec: str
    pixels: str
    convert: Callable[[Bytes], av.VideoFrame]
    container_options: dict[str, str]
    codec_options: Callable[[float], dict[str, str]]


_FORMATS = {
    ".mp4": _Format(
        "mp4",
        "libx264",
        "yuv420p",
        _even,
        {"movflags": "+faststart"},
        lambda quality: {"crf": f"{34.0 - 20.0 * quality:.1f}", "preset": "medium"},
    ),
    ".webp": _Format(
        "webp",
        "libwebp_anim",
        "yuv420p",
        _true_colour,
        {"loop": "0"},
        lambda quality: {"quality": f"{100 * quality:.0f}"},
    ),
    ".gif": _Format("gif", "gif", "pal8", _palette, {"loop": "0"}, lambda _: {}),
}


def write_movie(path: str | Path, frames: Iterable[Bytes], fps: float, quality: float = 0.8) -> None:
    """Write ``frames``, all (h, w, 3) sRGB bytes, as .mp4, .webp or .gif, by the suffix of ``path``.

    fps: frames a second. quality: 0 to 1 (a GIF has only one). Frames are taken one at a time; when taking
    one fails, no file is left behind, and one that stood there stays.
    """
    target = Path(path)
    style = _FORMATS.get(target.suffix.lower())
    if style is None:
        raise InputError(f"a movie named {target.name}", f"a name that ends in {', '.join(_FORMATS)}", "rename it")
    if not 0.0 < fps < np.inf or not 0.0 <= quality <= 1.0:
        raise InputError(f"fps {fps} and quality {quality}", "fps > 0 and quality 0 to 1", "30 and 0.8 are usual")
    pending = iter(frames)
    first = next(pending, None)
    if first is None:
        raise InputError("a movie without frames", "at least one", "record at least one frame")
    with written_whole(target) as part:
        _encode(part, style, _of_one_shape(chain([first], pending)), fps, quality)


def _of_one_shape(frames: Iterator[Bytes]) -> Iterator[Bytes]:
    """The frames, checked against the first."""
    shape: tuple[int, ...] | None = None
    for number, frame in enumerate(frames):
        shape = shape or frame.shape
        if frame.dtype != np.uint8 or frame.ndim != 3 or frame.shape[2] != 3 or frame.shape != shape:
            raise InputError(
                f"frame {number} of shape {frame.shape} and type {frame.dtype}",
                f"bytes of shape {shape if len(shape) == 3 else '(h, w, 3)'}",
                "draw all frames at one size",
            )
        yield frame


def _encode(part: Path, style: _Format, frames: Iterator[Bytes], fps: float, quality: float) -> None:
    """Encode all ``frames`` into the file ``part``."""
    rate = Fraction(fps).limit_denominator(1001)
    with av.open(str(part), "w", format=style.container, options=style.container_options) as container:
        stream = container.add_stream(style.codec, rate=rate, options=style.codec_options(quality))
        assert isinstance(stream, av.VideoStream)
        stream.pix_fmt = style.pixels
        for number, image in enumerate(frames):
            frame = style.convert(image)
            frame.pts = number
            if number == 0:
                stream.width, stream.height = frame.width, frame.height
            container.mux(stream.encode(frame))
        container.mux(stream.encode())
