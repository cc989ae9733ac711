"""How the letters are drawn: paths of a broad pen, one line of a table each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from hydrostat.arrays import Floats

if TYPE_CHECKING:
    from shapely import Geometry

# Arcs are polylines with one corner per 11.25°: 32 to the circle.
ARC_STEP = 360.0 / 32.0

Point: TypeAlias = tuple[float, float]


@dataclass(frozen=True)
class Bar:
    """A pen stroke along a polyline, with square ends."""

    points: tuple[Point, ...]

    def middle(self, corner: Floats, box: Floats) -> Floats:
        """Where the middle of the pen goes, (k, 2) m; corner and size of the box: (2,) m."""
        return corner + box * np.array(self.points)

    def drawn(self, corner: Floats, box: Floats, stroke: float) -> Geometry:
        """The area that a pen of width ``stroke`` covers; corner and size of the box: (2,) m."""
        import shapely

        path = shapely.LineString(self.middle(corner, box))
        return path.buffer(stroke / 2, cap_style="square", join_style="mitre")


@dataclass(frozen=True)
class Slant:
    """A straight stroke with horizontal ends; its heights 0 and 1 are those of the letter, not of the box."""

    start: Point
    end: Point

    def middle(self, corner: Floats, box: Floats) -> Floats:
        """Where the middle of the pen goes, (2, 2) m; corner and size of the box: (2,) m."""
        (start, foot), (end, head) = self.start, self.end
        start, end = corner[0] + box[0] * np.array([start, end])
        return np.array([[start, foot], [end, head]])

    def drawn(self, corner: Floats, box: Floats, stroke: float) -> Geometry:
        """A parallelogram, ``stroke`` wide across; corner and size of the box: (2,) m."""
        import shapely

        (start, foot), (end, head) = self.middle(corner, box)
        half = stroke / 2 * np.hypot(1.0, (end - start) / (head - foot))
        sides = [(start - half, foot), (start + half, foot), (end + half, head), (end - half, head)]
        return shapely.Polygon(sides)


@dataclass(frozen=True)
class Arc:
    """A pen stroke along part of an ellipse; degrees, counter-clockwise from the right."""

    centre: Point
    radii: Point
    start: float
    end: float

    def middle(self, corner: Floats, box: Floats) -> Floats:
        """Where the middle of the pen goes, (k, 2) m; corner and size of the box: (2,) m."""
        return corner + box * self.centre + box * self.radii * self._circle()

    def _circle(self) -> Floats:
        """Directions from the centre, (k, 2), on the circle that becomes the ellipse."""
        steps = max(2, round((self.end - self.start) / ARC_STEP))
        angles = np.radians(np.linspace(self.start, self.end, steps + 1))
        return np.column_stack([np.cos(angles), np.sin(angles)])

    def drawn(self, corner: Floats, box: Floats, stroke: float) -> Geometry:
        """The area that a pen of width ``stroke`` covers; corner and size of the box: (2,) m."""
        import shapely

        middle = self.middle(corner, box)
        across = self._circle() / (box * self.radii)
        across *= stroke / 2 / np.linalg.norm(across, axis=1, keepdims=True)
        outer, inner = middle + across, middle - across
        if self.end - self.start == 360.0:
            return shapely.Polygon(outer[:-1], [inner[:-1]])
        return shapely.Polygon(np.vstack([outer, inner[::-1]]))


Stroke: TypeAlias = Bar | Slant | Arc


@dataclass(frozen=True)
class Glyph:
    """``width`` m for height 1 m, and the paths of the pen.

    Paths are in units of the box in which the middle of the pen moves: 0 is left and bottom, 1 right and top.
    """

    width: float
    strokes: tuple[Stroke, ...]


def _bar(*points: Point) -> Bar:
    return Bar(points)


_LEFT = _bar((0, 0), (0, 1))
_RIGHT = _bar((1, 0), (1, 1))
_TOP = _bar((0, 1), (1, 1))
_BOTTOM = _bar((0, 0), (1, 0))
# The corners of the O stand beside its lowest point, so that it rests on an edge.
_RING = Arc((0.5, 0.5), (0.5, 0.5), ARC_STEP / 2, 360 + ARC_STEP / 2)
_P_BOWL = (
    _bar((0, 1), (0.55, 1)),
    _bar((0, 0.45), (0.55, 0.45)),
    Arc((0.55, 0.725), (0.45, 0.275), -90, 90),
)

GLYPHS: dict[str, Glyph] = {
    "A": Glyph(0.90, (Slant((0, 0), (0.5, 1)), Slant((1, 0), (0.5, 1)), _bar((0.3, 0.28), (0.7, 0.28)))),
    "B": Glyph(
        0.75,
        (
            _LEFT,
            _bar((0, 0), (0.5, 0)),
            _bar((0, 0.5), (0.5, 0.5)),
            _bar((0, 1), (0.5, 1)),
            Arc((0.5, 0.25), (0.5, 0.25), -90, 90),
            Arc((0.5, 0.75), (0.5, 0.25), -90, 90),
        ),
    ),
    "C": Glyph(0.90, (Arc((0.5, 0.5), (0.5, 0.5), 45, 315),)),
    "D": Glyph(
        0.80,
        (_LEFT, _bar((0, 0), (0.35, 0)), _bar((0, 1), (0.35, 1)), Arc((0.35, 0.5), (0.65, 0.5), -90, 90)),
    ),
    "E": Glyph(0.70, (_LEFT, _BOTTOM, _bar((0, 0.5), (0.85, 0.5)), _TOP)),
    "F": Glyph(0.70, (_LEFT, _bar((0, 0.5), (0.85, 0.5)), _TOP)),
    "G": Glyph(
        0.95,
        (Arc((0.5, 0.5), (0.5, 0.5), 45, 360), _bar((1, 0.12), (1, 0.45)), _bar((0.65, 0.45), (1, 0.45))),
    ),
    "H": Glyph(0.80, (_LEFT, _RIGHT, _bar((0, 0.5), (1, 0.5)))),
    "I": Glyph(0.46, (_bar((0.5, 0), (0.5, 1)), _BOTTOM, _TOP)),
    "J": Glyph(0.65, (_bar((1, 0.35), (1, 1)), Arc((0.5, 0.35), (0.5, 0.35), 180, 360))),
    "K": Glyph(0.80, (_LEFT, Slant((0.09, 0.42), (1, 1)), Slant((1, 0), (0.3, 0.6)))),
    "L": Glyph(0.65, (_LEFT, _BOTTOM)),
    "M": Glyph(1.00, (_LEFT, _RIGHT, Slant((0.5, 0.15), (0.03, 1)), Slant((0.5, 0.15), (0.97, 1)))),
    "N": Glyph(0.85, (_LEFT, _RIGHT, Slant((0.95, 0), (0.05, 1)))),
    "O": Glyph(1.00, (_RING,)),
    "P": Glyph(0.75, (_LEFT, *_P_BOWL)),
    "Q": Glyph(1.00, (_RING, Slant((0.95, 0), (0.6, 0.42)))),
    "R": Glyph(0.75, (_LEFT, *_P_BOWL, Slant((1, 0), (0.5, 0.45)))),
    "S": Glyph(
        0.75,
        (
            Arc((0.5, 0.75), (0.5, 0.25), 30, 270),
            Arc((0.5, 0.25), (0.5, 0.25), -150, 90),
        ),
    ),
    "T": Glyph(0.80, (_TOP, _bar((0.5, 0), (0.5, 1)))),
    "U": Glyph(0.80, (_bar((0, 0.5), (0, 1)), _bar((1, 0.5), (1, 1)), Arc((0.5, 0.5), (0.5, 0.5), 180, 360))),
    "V": Glyph(0.90, (Slant((0.5, 0), (0, 1)), Slant((0.5, 0), (1, 1)))),
    "W": Glyph(
        1.25,
        (
            Slant((0.25, 0), (0, 1)),
            Slant((0.25, 0), (0.5, 1)),
            Slant((0.75, 0), (0.5, 1)),
            Slant((0.75, 0), (1, 1)),
        ),
    ),
    "X": Glyph(0.90, (Slant((0, 0), (1, 1)), Slant((1, 0), (0, 1)))),
    # Two slants make the stem of the Y, because its top must be as wide as the foot of the fork.
    "Y": Glyph(
        0.90,
        (
            Slant((0.5, 0), (0.47, 0.36)),
            Slant((0.5, 0), (0.53, 0.36)),
            Slant((0.5, 0.35), (0, 1)),
            Slant((0.5, 0.35), (1, 1)),
        ),
    ),
    "Z": Glyph(0.80, (_TOP, _BOTTOM, Slant((0.05, 0), (0.95, 1)))),
}


def middles(glyph: Glyph, stroke: float) -> list[Floats]:
    """The middle lines of the strokes of a pen of width ``stroke`` m, each (k, 2) m."""
    return [part.middle(*_box(glyph, stroke)) for part in glyph.strokes]


def drawn(glyph: Glyph, stroke: float) -> Geometry:
    """The area that a pen of width ``stroke`` m covers."""
    import shapely

    corner, box = _box(glyph, stroke)
    return shapely.union_all([part.drawn(corner, box, stroke) for part in glyph.strokes])


def _box(glyph: Glyph, stroke: float) -> tuple[Floats, Floats]:
    """Corner and size of the box in which the middle of the pen moves, (2,) m each."""
    return np.full(2, stroke / 2), np.array([glyph.width, 1.0]) - stroke
