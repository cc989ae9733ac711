"""Lines of text in the corners of an image, in the font that comes with Pillow."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from hydrostat.show.scene3d import Label

Bytes = NDArray[np.uint8]


def write_labels(image: Bytes, labels: Sequence[Label]) -> Bytes:
    """``image`` (h, w, 3) with ``labels`` in their corners, one below the other where they share one."""
    if not labels:
        return image
    height, width = image.shape[:2]
    page = Image.fromarray(image)
    pen = ImageDraw.Draw(page)
    taken: dict[str, float] = {}
    for label in labels:
        size = max(label.height * height, 6.0)
        inset = 0.03 * height + taken.get(label.corner, 0.0)
        taken[label.corner] = taken.get(label.corner, 0.0) + 1.3 * size
        upper, left = "upper" in label.corner, "left" in label.corner
        place = (0.03 * height if left else width - 0.03 * height, inset if upper else height - inset)
        anchor = ("l" if left else "r") + ("a" if upper else "d")
        ink = tuple(round(255 * channel) for channel in label.colour)
        pen.text(place, label.text, fill=ink, font=ImageFont.load_default(size), anchor=anchor)
    return np.asarray(page)
