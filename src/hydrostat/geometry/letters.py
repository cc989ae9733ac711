"""Block letters A to Z, as outlines and as solids, and a four-legged X."""

from __future__ import annotations

from dataclasses import dataclass
from os import PathLike
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from hydrostat.arrays import Floats
from hydrostat.errors import InputError
from hydrostat.geometry.extrude import extrude
from hydrostat.geometry.surfaces import Surface, triangulate

if TYPE_CHECKING:
    from shapely import Geometry, Polygon

STROKE = 0.22
STROKE_RANGE = (0.08, 0.28)
# Arcs are polylines with one corner per 11.25°: 32 to the circle.
ARC_STEP = 360.0 / 32.0
# Strokes meet with rounding errors; corners closer than this are one corner.
PRECISION = 1e-6

Point: TypeAlias = tuple[float, float]


@dataclass(frozen=True)
class Bar:
    """A pen stroke along a polyline, with square ends."""

    points: tuple[Point, ...]


@dataclass(frozen=True)
class Slant:
    """A straight stroke that the horizontal lines through its ends cut off."""

    start: Point
    end: Point


@dataclass(frozen=True)
class Arc:
    """A pen stroke along part of an ellipse; degrees, counter-clockwise from the right."""

    centre: Point
    radii: Point
    start: float
    end: float


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
        0.95, (Arc((0.5, 0.5), (0.5, 0.5), 45, 360), _bar((1, 0.12), (1, 0.45)), _bar((0.65, 0.45), (1, 0.45)))
    ),
    "H": Glyph(0.80, (_LEFT, _RIGHT, _bar((0, 0.5), (1, 0.5)))),
    "I": Glyph(0.46, (_bar((0.5, 0), (0.5, 1)), _BOTTOM, _TOP)),
    "J": Glyph(0.65, (_bar((1, 0.4), (1, 1)), Arc((0.5, 0.4), (0.5, 0.4), 180, 360))),
    "K": Glyph(0.80, (_LEFT, Slant((0.1, 0.42), (1, 1)), Slant((1, 0), (0.3, 0.6)))),
    "L": Glyph(0.65, (_LEFT, _BOTTOM)),
    "M": Glyph(1.00, (_LEFT, _RIGHT, Slant((0.5, 0.15), (0, 1)), Slant((0.5, 0.15), (1, 1)))),
    "N": Glyph(0.85, (_LEFT, _RIGHT, Slant((1, 0), (0, 1)))),
    "O": Glyph(1.00, (_RING,)),
    "P": Glyph(0.75, (_LEFT, *_P_BOWL)),
    "Q": Glyph(1.00, (_RING, Slant((1, 0), (0.55, 0.45)))),
    "R": Glyph(0.75, (_LEFT, *_P_BOWL, Slant((1, 0), (0.5, 0.45)))),
    "S": Glyph(
        0.75,
        (
            Arc((0.5, 0.75), (0.5, 0.25), 30, 270),
            Arc((0.5, 0.25), (0.5, 0.25), -150, 90),
        ),
    ),
    "T": Glyph(0.80, (_TOP, _bar((0.5, 0), (0.5, 1)))),
    "U": Glyph(
        0.80, (_bar((0, 0.5), (0, 1)), _bar((1, 0.5), (1, 1)), Arc((0.5, 0.5), (0.5, 0.5), 180, 360))
    ),
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
    "Y": Glyph(0.90, (_bar((0.5, 0), (0.5, 0.4)), Slant((0.5, 0.35), (0, 1)), Slant((0.5, 0.35), (1, 1)))),
    "Z": Glyph(0.80, (_TOP, _BOTTOM, Slant((0, 0), (1, 1)))),
}


def outline(letter: str, stroke: float = STROKE) -> Polygon:
    """The outline of a capital letter, metres: 1 high, its lower left corner at the origin.

    ``stroke``: width of the pen, 0.08 to 0.28.
    """
    import shapely

    if letter not in GLYPHS:
        raise InputError(
            f"letter is {letter!r}", "one of A to Z", "pass a capital letter, or a font file that has this sign"
        )
    low, high = STROKE_RANGE
    if not low <= stroke <= high:
        raise InputError(f"stroke is {stroke:g}", f"a width from {low:g} to {high:g}", f"pass stroke={STROKE}")
    glyph = GLYPHS[letter]
    shape = shapely.union_all([_drawn(part, glyph.width, stroke) for part in glyph.strokes])
    # Corners that the pen leaves open by less than a tenth of its width would only make small elements.
    shape = shape.buffer(stroke / 20, join_style="mitre").buffer(-stroke / 20, join_style="mitre")
    return _in_box(shape, glyph.width)


def outline_from_font(letter: str, path: str | PathLike[str]) -> Polygon:
    """The outline of one character of a TrueType or OpenType font, metres: 1 high, lower left at the origin.

    Needs the extra ``fonts``.
    """
    from hydrostat.geometry.fonts import contours

    import shapely

    rings = [shapely.Polygon(contour) for contour in contours(letter, path)]
    # Outer contours and holes wind in opposite directions; which is which depends on the kind of font.
    largest = max(rings, key=lambda ring: ring.area)
    outside = largest.exterior.is_ccw
    solid = shapely.union_all([ring.buffer(0) for ring in rings if ring.exterior.is_ccw == outside])
    holes = shapely.union_all([ring.buffer(0) for ring in rings if ring.exterior.is_ccw != outside])
    shape = solid.difference(holes)
    left, bottom, right, top = shape.bounds
    return _in_box(shape, (right - left) / (top - bottom))


def letter_surface(
    letter: str,
    height: float = 1.0,
    depth: float = 0.25,
    stroke: float = STROKE,
    font: str | PathLike[str] | None = None,
    lying: bool = False,
) -> Surface:
    """A solid letter of ``height`` and ``depth``, metres, on y = 0, its middle at x = 0 and z = 0.

    It stands and faces +z; a ``lying`` one lies on its back and is read from above, its top toward −z.
    ``stroke`` is a fraction of the height; a ``font`` file has its own.
    """
    from shapely.affinity import affine_transform

    if not height > 0:
        raise InputError(f"height is {height:g} m", "a length above 0", "pass height=1.0, for example")
    shape = outline(letter, stroke) if font is None else outline_from_font(letter, font)
    left, bottom, right, top = shape.bounds
    middle = (left + right) / 2
    solid = extrude(affine_transform(shape, (height, 0, 0, height, -height * middle, 0)), depth)
    x, y, z = solid.vertices.T
    placed = (x, z + depth / 2, height / 2 - y) if lying else (x, y, z)
    return Surface(np.column_stack(placed), solid.faces)


def quadruped_x_surface(
    span: float = 1.0, height: float = 0.45, limb: float = 0.2, foot: float = 0.2
) -> Surface:
    """A four-legged X, metres: seen from above a letter X, its limbs slope from a raised middle to flat feet.

    ``span``: from a toe to the toe across, in the xz-plane. ``height``: of the back above the soles, which lie
    on y = 0. ``limb``: width of the limbs and thickness of the body. ``foot``: length of a sole.
    """
    if not (0 < limb < height and 0 < foot and limb / 2 + foot < span / 2):
        raise InputError(
            f"span is {span:g} m, height {height:g} m, limb {limb:g} m, foot {foot:g} m",
            "limb < height and limb/2 + foot < span/2",
            "make the limbs thinner or the span longer",
        )
    near, far, toe = limb / 2, span / 2, limb / 2
    # One limb from the side: distance from the middle, height; counter-clockwise from the back.
    profile = np.array([(near, height), (near, height - limb), (far - foot, 0), (far, 0), (far, toe)])
    along = np.column_stack([profile[:, 0], profile[:, 1], np.zeros(len(profile))])
    right, left = along + [0, 0, near], along - [0, 0, near]
    ring = np.arange(len(profile))
    following = np.roll(ring, -1)
    n = len(ring)
    # The first side of the profile is where the limb meets the body: no wall there.
    walls = np.column_stack([ring, following, following + n, ring + n])[1:, ::-1]
    limb_polygons = [ring[::-1].tolist(), (ring + n).tolist(), *walls.tolist()]
    vertices, polygons = [], []
    for quarter in range(4):
        angle = np.pi / 4 + quarter * np.pi / 2
        turn = np.array([[np.cos(angle), 0, -np.sin(angle)], [0, 1, 0], [np.sin(angle), 0, np.cos(angle)]])
        vertices.append(np.vstack([left, right]) @ turn.T)
        polygons += [[corner + 2 * n * quarter for corner in polygon] for polygon in limb_polygons]
    back = [2 * n * quarter for quarter in range(4)]
    polygons += [back, [corner + 1 for corner in back[::-1]]]
    points = np.vstack(vertices)
    faces, _ = triangulate(points, polygons)
    return repair(Surface(points, faces))[0]


def _drawn(part: Stroke, width: float, stroke: float) -> Geometry:
    """The area that the pen covers, metres."""
    import shapely

    corner, reach = np.full(2, stroke / 2), np.array([width, 1.0]) - stroke
    if isinstance(part, Bar):
        path = shapely.LineString(corner + reach * np.array(part.points))
        return path.buffer(stroke / 2, cap_style="square", join_style="mitre")
    if isinstance(part, Arc):
        steps = max(2, round((part.end - part.start) / ARC_STEP))
        angles = np.radians(np.linspace(part.start, part.end, steps + 1))
        points = np.array(part.centre) + np.array(part.radii) * np.column_stack([np.cos(angles), np.sin(angles)])
        path = shapely.LineString(corner + reach * points)
        return path.buffer(stroke / 2, cap_style="flat", join_style="mitre")
    return shapely.Polygon(_slanted(part, corner, reach))


def _slanted(part: Slant, corner: Floats, reach: Floats) -> Floats:
    """The parallelogram of a slant, (4, 2) m; its horizontal ends reach as far as a bar's square ends would."""
    ...
