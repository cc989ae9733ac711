"""Shapes as signed distances: primitives, and how they are blended, carved, mirrored and turned.

A distance is negative inside, in m; that of a blend or an ellipsoid is a little off away from the surface. Shapes are
plain numbers, so that their ``repr`` says all about them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

import numpy as np
from numba import njit

from hydrostat.arrays import Floats

Point: TypeAlias = tuple[float, float, float]


class Shape(Protocol):
    """Anything that knows how far points are from its surface, and a box that it does not leave."""

    def distance(self, points: Floats) -> Floats:
        """Signed distances, (n,) m, of ``points`` (n, 3) m."""

    def bounds(self) -> Floats:
        """Lowest and highest corner, (2, 3) m."""


# ---------------------------------------------------------------- primitives


@dataclass(frozen=True)
class Tube:
    """The hulls of balls that follow each other; a ball is x, y, z and its radius, m. One alone is allowed."""

    balls: tuple[tuple[float, float, float, float], ...]

    def distance(self, points: Floats) -> Floats:
        """See ``Shape``."""
        balls = np.array(self.balls)
        start, end = (balls[:-1], balls[1:]) if len(balls) > 1 else (balls, balls)
        way = end[:, :3] - start[:, :3]
        length = _norm(way)
        shrinks = start[:, 3] - end[:, 3]
        # Where one ball holds the other, the cone between them is that ball.
        inner = length <= np.abs(shrinks)
        first = np.where((inner & (shrinks < 0))[:, None], end, start)
        length, shrinks = np.where(inner, 0.0, length), np.where(inner, 0.0, shrinks)
        divisor = np.where(inner, 1.0, length)
        axis, sine = way / divisor[:, None], shrinks / divisor
        cones = np.column_stack([first, axis, length, first[:, 3] - shrinks, sine, np.sqrt(1.0 - sine**2)])
        return _to_cones(np.ascontiguousarray(points), cones)

    def bounds(self) -> Floats:
        """See ``Shape``."""
        balls = np.array(self.balls)
        return np.stack([(balls[:, :3] - balls[:, 3:]).min(axis=0), (balls[:, :3] + balls[:, 3:]).max(axis=0)])


@njit(cache=True)
def _to_cones(points: Floats, cones: Floats) -> Floats:
    """The distance of every point to the nearest of round cones.

    cones: (k, 11): middle and radius of the first ball, unit axis, length, radius of the last ball, sine and cosine
    of the slant. In the plane through the axis it is the distance to a slanted line between two circles.
    """
    result = np.empty(len(points))
    for i in range(len(points)):
        nearest = np.inf
        for c in range(len(cones)):
            cone = cones[c]
            x, y, z = points[i, 0] - cone[0], points[i, 1] - cone[1], points[i, 2] - cone[2]
            along = x * cone[4] + y * cone[5] + z * cone[6]
            square = x * x + y * y + z * z
            across = np.sqrt(max(square - along * along, 0.0))
            # Where the normal of the slanted side through the point meets the axis.
            foot = along - across * cone[9] / cone[10]
            if foot <= 0.0:
                distance = np.sqrt(square) - cone[3]
            elif foot < cone[7]:
                distance = across * cone[10] + along * cone[9] - cone[3]
            else:
                distance = np.sqrt(across * across + (along - cone[7]) ** 2) - cone[8]
            nearest = min(nearest, distance)
        result[i] = nearest
    return result


@dataclass(frozen=True)
class Ellipsoid:
    """A ball stretched along x, y and z, with three ``radii`` in m; its distance is right to first order."""

    centre: Point
    radii: Point

    def distance(self, points: Floats) -> Floats:
        """See ``Shape``."""
        scaled = (points - np.array(self.centre)) / np.array(self.radii)
        level = _norm(scaled)
        slope = _norm(scaled / np.array(self.radii))
        # In the middle, where the slope ends, the smallest radius is the depth.
        inside = np.full(len(points), -min(self.radii))
        return np.divide(level * (level - 1.0), slope, out=inside, where=slope > 1e-9)

    def bounds(self) -> Floats:
        """See ``Shape``."""
        return np.array(self.centre) + np.outer([-1.0, 1.0], self.radii)


@dataclass(frozen=True)
class Box:
    """A box between two corners, its edges rounded with a radius in m."""

    low: Point
    high: Point
    rounding: float = 0.0

    def distance(self, points: Floats) -> Floats:
        """See ``Shape``."""
        low, high = self.bounds()
        beyond = np.maximum(low + self.rounding - points, points - high + self.rounding)
        outside = _norm(np.maximum(beyond, 0.0))
        return outside + np.minimum(beyond.max(axis=1), 0.0) - self.rounding

    def bounds(self) -> Floats:
        """See ``Shape``."""
        return np.array([self.low, self.high])


@dataclass(frozen=True)
class Cylinder:
    """A cylinder between two points on its axis, its rims rounded; lengths in m."""

    start: Point
    end: Point
    radius: float
    rounding: float = 0.0

    def distance(self, points: Floats) -> Floats:
        """See ``Shape``."""
        start, axis = np.array(self.start), np.subtract(self.end, self.start)
        length = float(np.linalg.norm(axis))
        from_start = points - start
        along = from_start @ (axis / length)
        across = np.sqrt(np.maximum(np.einsum("ni,ni->n", from_start, from_start) - along**2, 0.0))
        beyond = np.stack([across - self.radius, np.maximum(-along, along - length)], axis=1) + self.rounding
        return _norm(np.maximum(beyond, 0.0)) + np.minimum(beyond.max(axis=1), 0.0) - self.rounding

    def bounds(self) -> Floats:
        """See ``Shape``."""
        ends = np.array([self.start, self.end])
        return np.stack([ends.min(axis=0) - self.radius, ends.max(axis=0) + self.radius])


@dataclass(frozen=True)
class Plate:
    """A triangle thickened by ``radius`` m to both sides."""

    corners: tuple[Point, Point, Point]
    radius: float

    def distance(self, points: Floats) -> Floats:
        """See ``Shape``."""
        a, b, c = np.array(self.corners)
        normal = np.cross(b - a, c - a)
        normal /= np.linalg.norm(normal)
        flat = np.abs((points - a) @ normal)
        nearest, inside = np.full(len(points), np.inf), np.ones(len(points), dtype=bool)
        for start, end in ((a, b), (b, c), (c, a)):
            side, from_start = end - start, points - start
            inside &= from_start @ np.cross(normal, side) >= 0.0
            share = np.clip(from_start @ (side / (side @ side)), 0.0, 1.0)
            nearest = np.minimum(nearest, _norm(from_start - share[:, None] * side))
        return np.where(inside, flat, nearest) - self.radius

    def bounds(self) -> Floats:
        """See ``Shape``."""
        corners = np.array(self.corners)
        return np.stack([corners.min(axis=0) - self.radius, corners.max(axis=0) + self.radius])


# ---------------------------------------------------------------- shapes made of shapes


@dataclass(frozen=True)
class Blend:
    """The union of shapes; where two are nearer than ``width`` m to each other, the corner between them is filled."""

    parts: tuple[Shape, ...]
    width: float = 0.0

    def distance(self, points: Floats) -> Floats:
        """See ``Shape``. A part is asked only about the points that it can matter to."""
        distance = self.parts[0].distance(points)
        for part in self.parts[1:]:
            low, high = part.bounds()
            to_box = _norm(np.maximum(np.maximum(low - points, points - high), 0.0))
            near = np.flatnonzero(to_box < distance + self.width)
            distance[near] = _smooth_minimum(distance[near], part.distance(points[near]), self.width)
        return distance

    def bounds(self) -> Floats:
        """See ``Shape``; blending adds less than a quarter of the width a part."""
        boxes = np.array([part.bounds() for part in self.parts])
        return np.stack([boxes[:, 0].min(axis=0) - self.width, boxes[:, 1].max(axis=0) + self.width])


@dataclass(frozen=True)
class Carved:
    """``body`` without ``tool``; the edge of the cut is rounded over ``width`` m."""

    body: Shape
    tool: Shape
    width: float = 0.0

    def distance(self, points: Floats) -> Floats:
        """See ``Shape``."""
        return -_smooth_minimum(-self.body.distance(points), self.tool.distance(points), self.width)

    def bounds(self) -> Floats:
        """See ``Shape``."""
        return self.body.bounds()


@dataclass(frozen=True)
class Grown:
    """``part`` thickened by ``by`` m everywhere."""

    part: Shape
    by: float

    def distance(self, points: Floats) -> Floats:
        """See ``Shape``."""
        return self.part.distance(points) - self.by

    def bounds(self) -> Floats:
        """See ``Shape``."""
        return self.part.bounds() + [[-self.by], [self.by]]


@dataclass(frozen=True)
class Mirrored:
    """``part`` and its mirror image on the other side of the plane z = 0."""

    part: Shape

    def distance(self, points: Floats) -> Floats:
        """See ``Shape``."""
        flipped = points * np.array([1.0, 1.0, -1.0])
        return np.minimum(self.part.distance(points), self.part.distance(flipped))

    def bounds(self) -> Floats:
        """See ``Shape``."""
        low, high = self.part.bounds()
        width = max(-low[2], high[2])
        return np.array([[*low[:2], -width], [*high[:2], width]])


@dataclass(frozen=True)
class Turned:
    """``part`` turned by ``degrees`` about ``axis`` through the point ``about`` (m)."""

    part: Shape
    about: Point
    axis: Point
    degrees: float

    def distance(self, points: Floats) -> Floats:
        """See ``Shape``."""
        return self.part.distance((points - np.array(self.about)) @ self._turn() + np.array(self.about))

    def bounds(self) -> Floats:
        """See ``Shape``."""
        box = self.part.bounds()
        corners = np.stack(np.meshgrid(*box.T), axis=-1).reshape(-1, 3) - np.array(self.about)
        turned = corners @ self._turn().T + np.array(self.about)
        return np.stack([turned.min(axis=0), turned.max(axis=0)])

    def _turn(self) -> Floats:
        """The rotation, (3, 3), from the part as it is to the part turned (Rodrigues)."""
        x, y, z = np.array(self.axis) / np.linalg.norm(self.axis)
        cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
        angle = np.radians(self.degrees)
        return np.eye(3) + np.sin(angle) * cross + (1.0 - np.cos(angle)) * cross @ cross


def ball(centre: Point, radius: float) -> Tube:
    """A ball; lengths in m."""
    return Tube(((*centre, radius),))


def cone(start: Point, end: Point, start_radius: float, end_radius: float) -> Tube:
    """The hull of two balls; lengths in m."""
    return Tube(((*start, start_radius), (*end, end_radius)))


def capsule(start: Point, end: Point, radius: float) -> Tube:
    """All points nearer than ``radius`` m to the line from ``start`` to ``end``."""
    return cone(start, end, radius, radius)


def tube(points: Sequence[Point], radii: Sequence[float], pieces: int = 8) -> Tube:
    """A bent tube through ``points`` with a radius at each, m: a Catmull–Rom curve in ``pieces`` a span."""
    nodes = np.column_stack([np.array(points, dtype=np.float64), radii])
    padded = np.vstack([2 * nodes[0] - nodes[1], nodes, 2 * nodes[-1] - nodes[-2]])
    before, start, end, after = padded[:-3], padded[1:-2], padded[2:-1], padded[3:]
    s = np.linspace(0.0, 1.0, pieces, endpoint=False)[:, None, None]
    curve = start + s / 2 * (end - before + s * (2 * before - 5 * start + 4 * end - after))
    curve += s**3 / 2 * (3 * start - before - 3 * end + after)
    balls = np.vstack([curve.transpose(1, 0, 2).reshape(-1, 4), nodes[-1:]])
    # The curve may overshoot where the radius changes quickly; the tube is never thinner than its thinnest place.
    balls[:, 3] = np.maximum(balls[:, 3], min(radii))
    # Rounded, so that the shape is described by the same text on every machine.
    return Tube(tuple((x, y, z, radius) for x, y, z, radius in balls.round(6).tolist()))


def _smooth_minimum(a: Floats, b: Floats, width: float) -> Floats:
    """The smaller of two distances, rounded off by a parabola where they differ by less than ``width``."""
    smaller = np.minimum(a, b)
    if width > 0.0:
        smaller -= np.maximum(width - np.abs(a - b), 0.0) ** 2 / (4.0 * width)
    return smaller


def _norm(vectors: Floats) -> Floats:
    """Lengths, (n,), of ``vectors`` (n, 3)."""
    length: Floats = np.sqrt(np.einsum("ni,ni->n", vectors, vectors))
    return length
