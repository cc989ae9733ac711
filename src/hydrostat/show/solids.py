"""Triangles of the solid things in a picture: tubes, arrows, discs, balls, crosses."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from hydrostat.arrays import Floats, Ints
from hydrostat.show.colours import activation_colours, srgb_to_linear
from hydrostat.show.normals import corner_normals
from hydrostat.show.scene3d import ArrowItem, Colour, DiscItem, MarkerItem, MeshItem, Picture, TubeItem

_SIDES = 10
_CREASE = (0.45, 0.80)  # cosines between faces: an edge below the first, smooth above the second


@dataclass(frozen=True)
class Triangles:
    """Triangles ready to be drawn.

    vertices: (n, 3) m. normals: (n, 3), unit. light: (n, 3), linear colour. faces: (f, 3) indices.
    """

    vertices: Floats
    normals: Floats
    light: Floats
    faces: Ints

    @classmethod
    def joined(cls, parts: Iterable[Triangles]) -> Triangles:
        """All ``parts`` as one."""
        listed = [*parts]
        if not listed:
            return cls(np.zeros((0, 3)), np.zeros((0, 3)), np.zeros((0, 3)), np.zeros((0, 3), dtype=np.int64))
        starts = np.cumsum([0] + [len(part.vertices) for part in listed[:-1]])
        return cls(
            np.concatenate([part.vertices for part in listed]),
            np.concatenate([part.normals for part in listed]),
            np.concatenate([part.light for part in listed]),
            np.concatenate([part.faces + start for part, start in zip(listed, starts, strict=True)]),
        )


def solids(picture: Picture) -> Triangles:
    """Everything in ``picture`` that nothing shows through."""
    return Triangles.joined(
        [mesh(item) for item in picture.meshes if item.opacity == 1.0]
        + [tube(item) for item in picture.tubes if len(item.points) > 1]
        + [disc(item) for item in picture.discs]
        + [arrow(item) for item in picture.arrows if np.any(item.vector)]
        + [marker(item) for item in picture.markers]
    )


def mesh(item: MeshItem) -> Triangles:
    """The mesh with its corners apart, (3 f) vertices: on an edge a vertex has several normals."""
    normals = corner_normals(item.vertices, item.faces, *_CREASE).reshape(-1, 3)
    count = len(normals)
    return Triangles(
        item.vertices[item.faces].reshape(-1, 3),
        _unit(normals),
        _painted(count, item.colour),
        np.arange(count).reshape(-1, 3),
    )


def tube(item: TubeItem) -> Triangles:
    """The fibre as a tube with round ends; the middle of every piece shows its value, the joints blend."""
    points, values = item.points, item.values
    tangents = _without_gaps(_unit(np.diff(points, axis=0)))
    joints = np.concatenate([tangents[:1], tangents[:-1] + tangents[1:], tangents[-1:]])
    at_joints = _without_gaps(_unit(joints))
    joint_values = np.concatenate([values[:1], 0.5 * (values[:-1] + values[1:]), values[-1:]])
    middles = 0.5 * (points[:-1] + points[1:])
    start, end = item.radius * at_joints[0], item.radius * at_joints[-1]
    rings = [
        points[:1] - start,
        points[:1] - 0.7 * start,
        _interleaved(points, middles),
        points[-1:] + 0.7 * end,
        points[-1:] + end,
    ]
    widths = np.r_[0.0, 0.7, np.ones(2 * len(points) - 1), 0.7, 0.0]
    tilts = np.r_[-1.0, -0.7, np.zeros(2 * len(points) - 1), 0.7, 1.0]
    directions = _interleaved(at_joints, tangents)
    directions = np.concatenate([directions[[0, 0]], directions, directions[[-1, -1]]])
    shown = _interleaved(joint_values[:, None], values[:, None])[:, 0]
    light = srgb_to_linear(activation_colours(np.r_[shown[0], shown[0], shown, shown[-1], shown[-1]]))
    return _turned(np.concatenate(rings), directions, item.radius * widths, tilts, light)


def arrow(item: ArrowItem) -> Triangles:
    """A shaft and a cone; a short arrow is all head, and a thin one, so that lengths stay comparable."""
    length = float(np.linalg.norm(item.vector))
    direction = item.vector / length
    head = min(5.0 * item.radius, length)
    wide, thin = 0.44 * head, min(item.radius, 0.2 * head)
    along = np.array([0.0, 0.0, length - head, length - head, length - head, length])
    # The rings where the surface turns sharply appear twice, with the normals of either side.
    widths = np.array([0.0, thin, thin, wide, wide, 0.0])
    tilts = np.array([-1.0, 0.0, 0.0, -1.0, 0.4, 0.4])
    light = np.broadcast_to(srgb_to_linear(item.colour), (len(along), 3))
    return _turned(item.origin + along[:, None] * direction, np.tile(direction, (len(along), 1)), widths, tilts, light)


def disc(item: DiscItem) -> Triangles:
    """A coin whose rim lies on the plane and whose middle stands a little above, so it never flickers."""
    normal = _unit(item.normal[None])[0]
    lifts = np.array([0.0, 0.06, 0.06]) * item.radius
    widths = np.array([1.0, 0.92, 0.0]) * item.radius
    light = np.broadcast_to(srgb_to_linear(item.colour), (3, 3))
    return _turned(
        item.centre + lifts[:, None] * normal,
        np.tile(normal, (3, 1)),
        widths,
        np.array([0.7, 1.0, 1.0]),
        light,
        20,
    )


def marker(item: MarkerItem) -> Triangles:
    """A ball, or three crossing bars."""
    if item.shape == "ball":
        return _ball(item.position, item.radius, item.colour)
    bars = []
    for axis in np.eye(3):
        ends = np.array([-1.0, -1.0, 1.0, 1.0])[:, None] * item.radius * axis + item.position
        widths = np.array([0.0, 0.22, 0.22, 0.0]) * item.radius
        light = np.broadcast_to(srgb_to_linear(item.colour), (4, 3))
        bars.append(_turned(ends, np.tile(axis, (4, 1)), widths, np.array([-0.7, -0.2, 0.2, 0.7]), light))
    return Triangles.joined(bars)


def _ball(centre: Floats, radius: float, colour: Colour) -> Triangles:
    angles = np.linspace(0.0, np.pi, 11)
    up = np.array([0.0, 1.0, 0.0])
    light = np.broadcast_to(srgb_to_linear(colour), (len(angles), 3))
    return _turned(
        centre - radius * np.cos(angles)[:, None] * up,
        np.tile(up, (len(angles), 1)),
        radius * np.sin(angles),
        -np.cos(angles),
        light,
        20,
    )


def _turned(
    centres: Floats, directions: Floats, widths: Floats, tilts: Floats, light: Floats, sides: int = _SIDES
) -> Triangles:
    """A surface of rings round ``centres`` (r, 3), across unit ``directions`` (r, 3), with radii ``widths``
    (r,).

    tilts: (r,) sine of the angle of the surface normal towards the direction. light: (r, 3).
    """
    rings = len(centres)
    first, second = _carried_frames(directions)
    angles = 2.0 * np.pi * np.arange(sides) / sides
    spokes = first[:, None] * np.cos(angles)[:, None] + second[:, None] * np.sin(angles)[:, None]
    flat = np.sqrt(1.0 - tilts**2)
    normals = flat[:, None, None] * spokes + (tilts[:, None] * directions)[:, None]
    vertices = centres[:, None] + widths[:, None, None] * spokes
    here = np.arange(sides)
    after = (here + 1) % sides
    strip = np.concatenate(
        [np.stack([here, after, here + sides], 1), np.stack([after, after + sides, here + sides], 1)]
    )
    faces = (strip[None] + sides * np.arange(rings - 1)[:, None, None]).reshape(-1, 3)
    return Triangles(vertices.reshape(-1, 3), normals.reshape(-1, 3), np.repeat(light, sides, axis=0), faces)


def _carried_frames(directions: Floats) -> tuple[Floats, Floats]:
    """Two unit vectors across each direction (r, 3), carried along so that rings do not twist."""
    first = np.empty_like(directions)
    carried = np.eye(3)[np.argmin(np.abs(directions[0]))]
    for i, direction in enumerate(directions):
        across = _square_part(carried, direction)
        if across @ across < 1e-12:  # a fold turns the line towards the carried vector itself
            across = _square_part(np.eye(3)[np.argmin(np.abs(direction))], direction)
        carried = across / np.sqrt(across @ across)
        first[i] = carried
    return first, np.cross(directions, first)


def _without_gaps(directions: Floats) -> Floats:
    """Unit rows; a zero row (an empty piece, a fold) takes the direction before it, or the first."""
    known = np.linalg.norm(directions, axis=1) > 0.5
    if not known.any():
        return np.tile([1.0, 0.0, 0.0], (len(directions), 1))
    source = np.maximum.accumulate(np.where(known, np.arange(len(directions)), np.argmax(known)))
    return directions[source]


def _square_part(vector: Floats, direction: Floats) -> Floats:
    """What of ``vector`` (3,) stands square on the unit ``direction`` (3,)."""
    part: Floats = vector - (vector @ direction) * direction
    return part


def _interleaved(joints: Floats, middles: Floats) -> Floats:
    """joint 0, middle 0, joint 1, …, last joint: (2 k + 1, …) from (k + 1, …) and (k, …)."""
    both = np.empty((len(joints) + len(middles), *joints.shape[1:]))
    both[::2], both[1::2] = joints, middles
    return both


def _painted(count: int, colour: Colour) -> Floats:
    """``count`` rows of one colour in linear light."""
    return np.tile(srgb_to_linear(colour), (count, 1))


def _unit(vectors: Floats) -> Floats:
    """Rows of length one; zero rows stay zero."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors / np.where(lengths > 0.0, lengths, 1.0)
