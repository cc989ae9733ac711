"""Block letters A to Z, as outlines and as solids, and a four-legged X."""

from __future__ import annotations

from os import PathLike
from typing import TYPE_CHECKING

import numpy as np

from hydrostat.arrays import Floats
from hydrostat.errors import InputError
from hydrostat.geometry.extrude import extrude
from hydrostat.geometry.glyphs import GLYPHS, drawn, middles
from hydrostat.geometry.repair import repair
from hydrostat.geometry.surfaces import Surface, triangulate

if TYPE_CHECKING:
    from shapely import Geometry, Polygon

STROKE = 0.22
STROKE_RANGE = (0.1, 0.26)
# Corners that the pen leaves open by less than this fraction of its width would only make small elements.
CLEANED = 0.05
# Outlines keep no corner that is less than this, m, off the straight line between its neighbours.
DETAIL = 1e-3


def outline(letter: str, stroke: float = STROKE) -> Polygon:
    """The outline of a capital letter, metres: 1 high, its lower left corner at the origin.

    ``stroke``: width of the pen, 0.1 to 0.26.
    """
    return _in_box(_drawn(letter, stroke), GLYPHS[letter].width)


def middle_lines(letter: str, stroke: float = STROKE) -> list[Floats]:
    """Where the middle of the pen goes in every stroke of the same ``outline``, (k, 2) m each."""
    x, y, left, bottom = _fit(_drawn(letter, stroke), GLYPHS[letter].width)
    return [line * [x, y] + [left, bottom] for line in middles(GLYPHS[letter], stroke)]


def outline_from_font(letter: str, path: str | PathLike[str]) -> Polygon:
    """The outline of one character of a TrueType or OpenType font, metres: 1 high, lower left at the origin.

    Needs the extra ``fonts``.
    """
    import shapely

    from hydrostat.geometry.fonts import contours

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
    left, _, right, _ = shape.bounds
    middle = (left + right) / 2
    solid = extrude(affine_transform(shape, (height, 0, 0, height, -height * middle, 0)), depth)
    x, y, z = solid.vertices.T
    placed = (x, z + depth / 2, height / 2 - y) if lying else (x, y, z)
    return Surface(np.column_stack(placed), solid.faces)


def quadruped_x_surface(span: float = 1.0, height: float = 0.45, limb: float = 0.2, foot: float = 0.2) -> Surface:
    """A four-legged X, metres: seen from above a letter X, its limbs slope from a raised middle to flat feet.

    ``span``: from a toe to the toe across. ``height``: of the back above the soles, which lie on y = 0.
    ``limb``: width of the limbs and thickness of the body. ``foot``: length of a sole.
    """
    if not (0 < limb < height and foot > 0 and limb / 2 + foot < span / 2):
        raise InputError(
            f"span is {span:g} m, height {height:g} m, limb {limb:g} m, foot {foot:g} m",
            "limb < height and limb/2 + foot < span/2",
            "make the limbs thinner or the span longer",
        )
    near, far = limb / 2, span / 2
    # One limb from the side, distance from the middle and height, around from the back to its toe.
    profile = [(near, height), (near, height - limb), (far - foot, 0.0), (far, 0.0), (far, near)]
    n = len(profile)
    one = np.array([(x, y, z) for z in (-near, near) for x, y in profile])
    # No wall between the first two corners, where the limb meets the middle.
    walls = [[(i + 1) % n, (i + 1) % n + n, i + n, i] for i in range(1, n)]
    sides = [list(range(n - 1, -1, -1)), list(range(n, 2 * n))]
    quarter_turn = np.array([[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]])
    limbs = [one @ np.linalg.matrix_power(quarter_turn, i).T for i in range(4)]
    polygons = [[corner + 2 * n * i for corner in polygon] for i in range(4) for polygon in walls + sides]
    back = [2 * n * i for i in range(4)]
    belly = [corner + 1 for corner in back[::-1]]
    points = np.vstack(limbs)
    faces, _ = triangulate(points, [*polygons, back, belly])
    # Neighbouring limbs share the corners of the middle.
    solid, _ = repair(Surface(points, faces))
    diagonal = np.array([[1.0, 0.0, 1.0], [0.0, np.sqrt(2.0), 0.0], [-1.0, 0.0, 1.0]]) / np.sqrt(2.0)
    return Surface(solid.vertices @ diagonal.T, solid.faces)


def _drawn(letter: str, stroke: float) -> Geometry:
    """The capital as its strokes are drawn, its smallest gaps closed."""
    if letter not in GLYPHS:
        raise InputError(
            f"letter is {letter!r}",
            "one of A to Z",
            "pass a capital letter, or a font file that has this sign",
        )
    low, high = STROKE_RANGE
    if not low <= stroke <= high:
        raise InputError(f"stroke is {stroke:g}", f"a width from {low:g} to {high:g}", f"pass stroke={STROKE}")
    shape = drawn(GLYPHS[letter], stroke)
    for distance in (CLEANED * stroke, -CLEANED * stroke):
        shape = shape.buffer(distance, join_style="mitre")
    return shape


def _fit(shape: Geometry, width: float) -> tuple[float, float, float, float]:
    """Scales along x and y, and shifts after them, that bring ``shape`` to (0, 0) … (width, 1) m."""
    left, bottom, right, top = shape.bounds
    x, y = width / (right - left), 1.0 / (top - bottom)
    return x, y, -x * left, -y * bottom


def _in_box(shape: Geometry, width: float) -> Polygon:
    """``shape`` moved and stretched to (0, 0) … (width, 1) m, without detail below a millimetre."""
    from shapely import Polygon
    from shapely.affinity import affine_transform

    if not isinstance(shape, Polygon):
        raise InputError("the letter falls into pieces", "one piece", "choose another letter or font")
    x, y, left, bottom = _fit(shape, width)
    fitted: Polygon = affine_transform(shape, (x, 0, 0, y, left, bottom)).simplify(DETAIL)
    return fitted
