"""Contact sheets: several moments of a motion on one page."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from hydrostat.arrays import Ints
from hydrostat.errors import InputError
from hydrostat.show.colours import TEXT

Bytes = NDArray[np.uint8]

_PAPER = (250, 250, 250)
_INK = tuple(round(255 * channel) for channel in TEXT)


def evenly_spaced(count: int, wanted: int) -> Ints:
    """Indices of at most ``wanted`` different moments among ``count``, the first and the last included."""
    if count < 1 or wanted < 1:
        raise InputError(f"{wanted} moments of {count} frames", "numbers ≥ 1", "record at least one frame")
    return np.unique(np.round(np.linspace(0, count - 1, min(wanted, count))).astype(np.int64))


def contact_sheet(images: Sequence[Bytes], columns: int, labels: Sequence[str] = (), margin: int = 12) -> Bytes:
    """``images``, all (h, w, 3), row by row on one page, with ``labels`` under them.

    Page width is columns · (w + margin) + margin; height is rows · (h + margin) + margin, and with labels
    each row is taller by the height of the letters, ``label_height(h)``.
    """
    if not images or columns < 1:
        raise InputError(f"{len(images)} images in {columns} columns", "at least one of each", "choose some moments")
    shapes = {image.shape for image in images}
    if len(shapes) > 1 or (labels and len(labels) != len(images)):
        raise InputError(
            f"images of shapes {sorted(shapes)} with {len(labels)} labels",
            f"one shape, and no label or {len(images)}",
            "draw all images at one size and name each",
        )
    height, width = images[0].shape[:2]
    below = label_height(height) if labels else 0
    rows = -(-len(images) // columns)
    page = Image.new("RGB", (columns * (width + margin) + margin, rows * (height + margin + below) + margin), _PAPER)
    pen = ImageDraw.Draw(page)
    for number, image in enumerate(images):
        left = margin + number % columns * (width + margin)
        top = margin + number // columns * (height + margin + below)
        page.paste(Image.fromarray(image), (left, top))
        if labels:
            place = (left + width / 2, top + height + below / 2)
            pen.text(place, labels[number], fill=_INK, font=ImageFont.load_default(0.7 * below), anchor="mm")
    return np.asarray(page)


def label_height(height: int) -> int:
    """Pixels that a label under an image ``height`` pixels high takes."""
    return max(12, round(0.085 * height))
