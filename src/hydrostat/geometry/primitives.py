"""Simple solids: closed surfaces, and structured tetrahedra for tests and first experiments.

All are centred on the origin; round ones turn about the y axis.
"""

from __future__ import annotations

from itertools import permutations

import numpy as np

from hydrostat.arrays import Floats
from hydrostat.errors import InputError
from hydrostat.geometry.surfaces import Surface
from hydrostat.geometry.tetrahedra import TetMesh, signed_volumes


def box(size: tuple[float, float, float] = (1.0, 1.0, 1.0)) -> Surface:
    """A box with edges of ``size`` m along x, y and z: 12 triangles."""
    _above_zero(size=min(size))
    return box_tets(size).surface


def sphere(radius: float = 0.5, segments: int = 32) -> Surface:
    """A ball of ``radius`` m, ``segments`` around its equator."""
    _above_zero(radius=radius)
    return _turned(_half_circle(radius, segments), segments)


def cylinder(radius: float = 0.5, height: float = 1.0, segments: int = 32) -> Surface:
    """A cylinder along y, lengths in m."""
    _above_zero(radius=radius, height=height)
    top = height / 2
    return _turned(np.array([(0, -top), (radius, -top), (radius, top), (0, top)]), segments)


def capsule(radius: float = 0.25, height: float = 1.0, segments: int = 32) -> Surface:
    """A cylinder along y with half balls as ends; ``height`` m over all."""
    _above_zero(radius=radius, **{"height − 2 radius": height - 2 * radius})
    profile = _half_circle(radius, segments)
    middle = len(profile) // 2
    # The equator of the ball becomes the two rims of the cylinder.
    profile = np.vstack([profile[: middle + 1], profile[middle:]])
    profile[:, 1] += np.where(np.arange(len(profile)) > middle, 1, -1) * (height / 2 - radius)
    return _turned(profile, segments)


def torus(radius: float = 0.35, tube: float = 0.15, segments: int = 32) -> Surface:
    """A ring about y: the middle of its tube has ``radius`` m, the tube itself ``tube`` m."""
    _above_zero(tube=tube, **{"radius − tube": radius - tube})
    around = max(3, segments // 2)
    angles = 2 * np.pi * np.arange(around) / around
    circle = np.column_stack([radius + tube * np.cos(angles), tube * np.sin(angles)])
    return _turned(circle, segments, closed=True)


def tetrahedron() -> TetMesh:
    """One tetrahedron: the origin and the ends of the three unit vectors, volume 1/6 m³."""
    return TetMesh(np.vstack([np.zeros(3), np.eye(3)]), np.array([[0, 1, 2, 3]]))


def box_tets(size: tuple[float, float, float] = (1.0, 1.0, 1.0), cells: tuple[int, int, int] = (1, 1, 1)) -> TetMesh:
    """A box of ``size`` m as a grid of ``cells`` along x, y and z, each six tetrahedra around its diagonal.

    Every order in which the three axes can be walked from the low corner of a cell to the high one gives a
    tetrahedron; cells side by side agree on the diagonals of their common faces.
    """
    _above_zero(size=min(size), cells=min(cells))
    counts = np.array(cells) + 1
    grid = np.stack(np.meshgrid(*(np.arange(n) for n in counts), indexing="ij"), axis=-1).reshape(-1, 3)
    vertices = (grid / np.array(cells) - 0.5) * np.array(size)
    strides = np.array([counts[1] * counts[2], counts[2], 1])
    low = grid[(grid < np.array(cells)).all(axis=1)] @ strides
    tets = []
    for order in permutations(range(3)):
        walk = np.concatenate([[0], np.cumsum(strides[list(order)])])
        # Odd orders run around the diagonal the other way.
        if np.linalg.det(np.eye(3)[list(order)]) < 0:
            walk = walk[[0, 2, 1, 3]]
        tets.append(low[:, None] + walk)
    return TetMesh(vertices, np.stack(tets, axis=1).reshape(-1, 4))


def ring_tets(inner: float, outer: float, depth: float, cells: tuple[int, int, int]) -> TetMesh:
    """A flat ring about z between two radii, lengths in m: ``cells`` outward, around and along z.

    Around, their number is even, and one cell has its middle lowest: the ring rests on an edge. Every cell is one
    tetrahedron in the middle and one at every second corner, neighbours the other way around. Two cells further the
    ring is the same again; with odd numbers outward and along z also half a turn about y changes nothing.
    """
    _above_zero(inner=inner, depth=depth, cells=min(cells), **{"outer − inner": outer - inner})
    across, around, along = cells
    if around % 2 or around < 4:
        raise InputError(f"{around} cells around", "an even number from 4", f"pass {max(4, around + around % 2)}")
    angles = 2.0 * np.pi * (np.arange(around) + 0.5) / around - np.pi / 2
    r, angle, z = np.meshgrid(
        np.linspace(inner, outer, across + 1), angles, np.linspace(-depth / 2, depth / 2, along + 1), indexing="ij"
    )
    vertices = np.stack([r * np.cos(angle), r * np.sin(angle), z], axis=-1).reshape(-1, 3)
    cell = np.stack(np.meshgrid(*(np.arange(n) for n in cells), indexing="ij"), axis=-1).reshape(-1, 1, 3)
    corner = cell + np.array([[i, j, k] for i in (0, 1) for j in (0, 1) for k in (0, 1)])
    index = (corner[..., 0] * around + corner[..., 1] % around) * (along + 1) + corner[..., 2]
    # Corners are numbered 4i + 2j + k; the second kind of cell is the first one seen in a mirror along i.
    first = np.array([[0, 3, 5, 6], [1, 0, 3, 5], [2, 0, 6, 3], [4, 0, 5, 6], [7, 3, 6, 5]])
    even = (cell.sum(axis=2) % 2 == 0)[..., None]
    tets = np.where(even, index[:, first], index[:, first ^ 4]).reshape(-1, 4)
    backward = signed_volumes(vertices, tets) < 0
    return TetMesh(vertices, np.where(backward[:, None], tets[:, [0, 2, 1, 3]], tets))


def _half_circle(radius: float, segments: int) -> Floats:
    """From pole to pole, (k, 2) m as distance from the axis and height; k is odd."""
    rings = 2 * max(1, segments // 4)
    angles = np.linspace(-np.pi / 2, np.pi / 2, rings + 1)
    profile = radius * np.column_stack([np.cos(angles), np.sin(angles)])
    profile[[0, -1], 0] = 0.0
    return profile


def _turned(profile: Floats, segments: int, closed: bool = False) -> Surface:
    """The surface that ``profile`` (k, 2) m, distance from the axis and height, sweeps about the y axis.

    An open profile runs upward from the axis to the axis; a ``closed`` one counter-clockwise beside it.
    """
    if segments < 3:
        raise InputError(f"segments is {segments}", "3 or more", "pass segments=32, for example")
    rings = profile if closed else profile[1:-1]
    angles = 2 * np.pi * np.arange(segments) / segments
    x, z = (np.outer(rings[:, 0], wave(angles)) for wave in (np.cos, np.sin))
    y = np.repeat(rings[:, 1:], segments, axis=1)
    vertices = np.stack([x, y, z], axis=-1).reshape(-1, 3)
    low = np.arange(len(rings) if closed else len(rings) - 1)[:, None] * segments
    here, after = np.arange(segments), np.roll(np.arange(segments), -1)
    high = (low + segments) % len(vertices)
    a, b, c, d = low + here, low + after, high + after, high + here
    faces = [np.stack(corners, axis=-1).reshape(-1, 3) for corners in ((a, d, c), (a, c, b))]
    if not closed:
        bottom, top = len(vertices), len(vertices) + 1
        vertices = np.vstack([vertices, [0, profile[0, 1], 0], [0, profile[-1, 1], 0]])
        last = (len(rings) - 1) * segments
        faces.append(np.column_stack([here, after, np.full(segments, bottom)]))
        faces.append(last + np.column_stack([after, here, np.full(segments, top - last)]))
    return Surface(vertices, np.vstack(faces))


def _above_zero(**lengths: float) -> None:
    for name, value in lengths.items():
        if not value > 0:
            raise InputError(f"{name} is {value:g}", "a number above 0", f"pass a larger {name}")
