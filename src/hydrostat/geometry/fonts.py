"""Characters of font files as closed polylines."""

from __future__ import annotations

from os import PathLike, fspath
from typing import Any

import numpy as np

from hydrostat.arrays import Floats
from hydrostat.errors import InputError

# Straight pieces per curve segment of a font; capitals have two to four segments a quarter circle at most.
PIECES = 6


def contours(character: str, path: str | PathLike[str]) -> list[Floats]:
    """Closed contours (k, 2) of one character, in the units of the font; curves as polylines."""
    try:
        from fontTools.pens.recordingPen import DecomposingRecordingPen
        from fontTools.ttLib import TTFont, TTLibError
    except ImportError:
        raise InputError(
            "fontTools is not installed",
            "the extra `fonts` for letters from font files",
            "run pip install 'hydrostat[fonts]', or leave out font to use the built-in letters",
        ) from None
    try:
        font = TTFont(path, fontNumber=0)
    except (OSError, TTLibError) as error:
        raise InputError(
            f"{fspath(path)} cannot be read as a font ({error})",
            "a TrueType or OpenType file",
            "check the path",
        ) from None
    glyphs, name = font.getGlyphSet(), (font.getBestCmap() or {}).get(ord(character))
    pen = DecomposingRecordingPen(glyphs)
    if name is not None:
        glyphs[name].draw(pen)
    found = flattened(pen.value)
    if not found:
        raise InputError(
            f"{fspath(path)} has no outline for {character!r}",
            "a character that the font draws",
            "choose another character or font",
        )
    return found


def flattened(commands: list[tuple[str, tuple[Any, ...]]]) -> list[Floats]:
    """The contours that a pen was told to draw, curves as polylines."""
    found: list[Floats] = []
    points: list[Any] = []
    for command, operands in commands:
        if command in ("closePath", "endPath"):
            if len(points) >= 3:
                found.append(np.array(points, dtype=np.float64))
            points = []
        else:
            points += _SEGMENTS[command](points, operands)
    return found


def _straight(_points: list[Any], operands: tuple[Any, ...]) -> list[Any]:
    return [operands[0]]


def _cubic(points: list[Any], operands: tuple[Any, ...]) -> list[Any]:
    return _bezier([points[-1], *operands])


def _quadratic(points: list[Any], operands: tuple[Any, ...]) -> list[Any]:
    """A TrueType spline; without a last point it is closed and starts between its first and last handle."""
    from fontTools.pens.basePen import decomposeQuadraticSegment

    *handles, last = operands
    if last is None:
        start = tuple((np.array(handles[0]) + handles[-1]) / 2)
        points, handles, last = [start], handles, start
    drawn = list(points[-1:])
    for handle, end in decomposeQuadraticSegment([*handles, last]):
        drawn += _bezier([drawn[-1], handle, end])
    return drawn[1:]


def _bezier(corners: list[Any]) -> list[Any]:
    """The points after the first of a Bézier curve with two or three handles' worth of ``corners``."""
    level = np.array(corners, dtype=np.float64)[:, None, :]
    t = np.linspace(0.0, 1.0, PIECES + 1)[1:, None]
    while len(level) > 1:
        level = (1 - t) * level[:-1] + t * level[1:]
    return [tuple(point) for point in level[0].tolist()]


_SEGMENTS = {"moveTo": _straight, "lineTo": _straight, "curveTo": _cubic, "qCurveTo": _quadratic}
