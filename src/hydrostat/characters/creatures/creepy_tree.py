"""A creepy tree: bare, crooked, with a face in its trunk, branches like clawed hands, and roots to walk on."""

from __future__ import annotations

import numpy as np

from hydrostat.arrays import Floats
from hydrostat.characters.creatures.creature import Creature
from hydrostat.geometry.implicit import Blend, Carved, Ellipsoid, Point, Shape, Tube, Turned, capsule, tube

# Directions of the roots, degrees from +x towards +z, and how long they are, m: pairs that can step in turns.
ROOTS = ((32.0, 0.66), (90.0, 0.68), (148.0, 0.66), (212.0, 0.66), (270.0, 0.68), (328.0, 0.66))


def _root(degrees: float, length: float) -> Shape:
    """A root that lifts the trunk off the ground like a leg, and ends in a fork."""

    def at(out: float, height: float, turn: float) -> Point:
        angle = np.radians(degrees + turn)
        return (length * out * float(np.cos(angle)), height, length * out * float(np.sin(angle)))

    bow = tube(
        [at(0.08, 0.44, 0), at(0.28, 0.37, 4), at(0.52, 0.24, -5), at(0.76, 0.08, 7), at(0.98, 0.028, 0)],
        [0.12, 0.095, 0.078, 0.060, 0.036],
        pieces=4,
    )
    fork = tube([at(0.56, 0.21, -4), at(0.74, 0.08, -14), at(0.90, 0.028, -23)], [0.062, 0.050, 0.034], 4)
    return Blend((bow, fork), 0.02)


def _branch(points: list[Point], radii: list[float], *fingers: list[Point]) -> Shape:
    twigs: list[Tube] = [tube(finger, np.linspace(0.034, 0.022, len(finger)).tolist(), 4) for finger in fingers]
    return Blend((tube(points, radii, 4), *twigs), 0.025)


def _shape() -> Shape:
    trunk = tube(
        [(0, 0.36, 0), (0.03, 0.52, 0.02), (-0.03, 0.78, -0.02), (0.03, 1.04, 0.03), (-0.03, 1.30, 0.0)],
        [0.17, 0.165, 0.145, 0.12, 0.085],
    )
    # Two arms that reach forward and sideways, bent at an elbow, with three crooked fingers each.
    right = _branch(
        [(0.0, 0.88, 0.05), (0.06, 1.02, 0.26), (0.10, 0.99, 0.44), (0.22, 1.14, 0.58)],
        [0.075, 0.062, 0.052, 0.042],
        [(0.20, 1.12, 0.57), (0.33, 1.20, 0.60), (0.43, 1.14, 0.57)],
        [(0.20, 1.12, 0.57), (0.27, 1.28, 0.66), (0.38, 1.34, 0.65)],
        [(0.20, 1.12, 0.57), (0.24, 1.20, 0.74), (0.34, 1.16, 0.82)],
    )
    left = _branch(
        [(0.0, 0.98, -0.03), (0.04, 1.16, -0.22), (0.10, 1.10, -0.42), (0.20, 1.22, -0.56)],
        [0.075, 0.060, 0.050, 0.042],
        [(0.18, 1.20, -0.55), (0.32, 1.26, -0.54), (0.42, 1.19, -0.50)],
        [(0.18, 1.20, -0.55), (0.25, 1.36, -0.60), (0.36, 1.43, -0.57)],
        [(0.18, 1.20, -0.55), (0.23, 1.29, -0.72), (0.33, 1.26, -0.80)],
    )
    # The crown: three crooked boughs with twigs.
    crown = Blend(
        (
            _branch(
                [(-0.03, 1.24, 0.02), (0.02, 1.44, 0.16), (-0.04, 1.58, 0.30), (0.02, 1.72, 0.42)],
                [0.065, 0.052, 0.04, 0.024],
                [(-0.02, 1.54, 0.25), (0.10, 1.66, 0.24), (0.15, 1.76, 0.30)],
            ),
            _branch(
                [(-0.03, 1.26, 0.0), (-0.08, 1.48, -0.10), (-0.02, 1.66, -0.24), (-0.07, 1.82, -0.30)],
                [0.065, 0.052, 0.04, 0.024],
                [(-0.06, 1.52, -0.12), (0.08, 1.60, -0.14), (0.13, 1.72, -0.10)],
                [(-0.03, 1.62, -0.22), (0.0, 1.66, -0.38), (0.05, 1.75, -0.45)],
            ),
            _branch(
                [(-0.05, 1.15, 0.0), (-0.22, 1.30, 0.06), (-0.34, 1.28, -0.02), (-0.46, 1.42, 0.02)],
                [0.06, 0.048, 0.038, 0.024],
                [(-0.30, 1.29, 0.01), (-0.40, 1.22, 0.12), (-0.50, 1.28, 0.18)],
            ),
        )
    )
    roots = Blend(tuple(_root(*root) for root in ROOTS), 0.03)
    wood = Blend((trunk, roots, right, left, crown), 0.06)
    nose = tube([(0.10, 0.77, 0.0), (0.18, 0.70, 0.0), (0.215, 0.66, 0.01)], [0.04, 0.04, 0.03])
    brows = Blend(
        (
            capsule((0.125, 0.85, 0.025), (0.09, 0.91, 0.115), 0.026),
            capsule((0.125, 0.85, -0.025), (0.075, 0.91, -0.12), 0.026),
        )
    )
    eyes = Blend(
        tuple(
            Turned(
                Ellipsoid((0.13, 0.80, side * 0.066), (0.075, 0.040, 0.046)),
                (0.13, 0.80, side * 0.066),
                (1.0, 0.0, 0.0),
                -side * 28.0,
            )
            for side in (-1.0, 1.0)
        )
    )
    # A wide mouth, its corners drawn up.
    mouth = tube(
        [
            (0.08, 0.645, -0.135),
            (0.155, 0.565, -0.075),
            (0.185, 0.545, 0.0),
            (0.165, 0.565, 0.075),
            (0.10, 0.645, 0.135),
        ],
        [0.026, 0.045, 0.052, 0.045, 0.026],
    )
    face = Blend((Blend((wood, nose), 0.03), brows), 0.02)
    return Carved(Carved(face, eyes, 0.015), mouth, 0.015)


def _feet(points: Floats) -> Floats:
    """How far ``points`` belong to each of the roots: to the one nearest in direction, away from the trunk."""
    x, height, z = points.T
    outward = np.clip((np.hypot(x, z) - 0.15) / 0.15, 0.0, 1.0) * (height < 0.42)
    directions = np.radians([degrees for degrees, _ in ROOTS])[:, None]
    nearest = np.cos(np.arctan2(z, x) - directions).argmax(axis=0)
    memberships: Floats = outward * (nearest == np.arange(len(ROOTS))[:, None])
    return memberships


CREATURE = Creature(
    name="creepy-tree",
    summary="a bare tree with a face, on six roots",
    shape=_shape,
    tets=200_487,
    volume=0.182,
    thinnest=0.023,
    detail=0.018,
    parts=_feet,
)
