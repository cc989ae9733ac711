"""An octopus: a bulging mantle, two eyes, and eight tentacles that lie on the ground and curl up at their ends."""

from __future__ import annotations

import numpy as np

from hydrostat.arrays import Floats
from hydrostat.characters.creatures.creature import Creature
from hydrostat.geometry.implicit import (
    Blend,
    Carved,
    Ellipsoid,
    Mirrored,
    Point,
    Shape,
    Turned,
    ball,
    capsule,
    cone,
    tube,
)

# Along a tentacle: distance from the axis, height and radius, m, and how far it is turned about the axis, degrees.
TENTACLE = (
    (0.08, 0.30, 0.115, 0.0),
    (0.24, 0.175, 0.098, 0.0),
    (0.42, 0.075, 0.085, 3.0),
    (0.62, 0.055, 0.068, 9.0),
    (0.80, 0.060, 0.054, 13.0),
    (0.93, 0.125, 0.045, 11.0),
    (0.94, 0.225, 0.039, 7.0),
    (0.87, 0.255, 0.036, 4.0),
)


def _tentacle(degrees: float, stretch: float, swirl: float) -> Shape:
    points: list[Point] = []
    for out, height, _, turn in TENTACLE:
        angle = np.radians(degrees + swirl * turn)
        points.append((stretch * out * float(np.cos(angle)), height, stretch * out * float(np.sin(angle))))
    return tube(points, [radius for _, _, radius, _ in TENTACLE], pieces=4)


def _shape() -> Shape:
    mantle = Blend(
        (
            Turned(Ellipsoid((-0.10, 0.74, 0.0), (0.25, 0.33, 0.24)), (-0.10, 0.74, 0.0), (0.0, 0.0, 1.0), 22.0),
            cone((0.0, 0.52, 0.0), (0.0, 0.28, 0.0), 0.17, 0.17),
        ),
        0.12,
    )
    # No two side by side lie alike.
    forms = [(22.5, 1.0, 1.0), (67.5, 0.94, -1.2), (112.5, 1.02, 1.1), (157.5, 0.95, -0.9)]
    arms = Blend(tuple(_tentacle(*form) for form in forms), 0.05)
    brow = cone((0.06, 0.53, 0.10), (0.125, 0.56, 0.125), 0.085, 0.082)
    eye = ball((0.165, 0.545, 0.155), 0.062)
    # A pupil that lies flat.
    pupil = capsule((0.235, 0.545, 0.178), (0.19, 0.545, 0.226), 0.013)
    skin = Blend((mantle, Mirrored(arms)), 0.07)
    return Carved(Blend((Blend((skin, Mirrored(brow)), 0.04), Mirrored(eye)), 0.01), Mirrored(pupil), 0.01)


def _tentacles(points: Floats) -> Floats:
    """How far ``points`` belong to each of the eight tentacles: an eighth of the circle each, away from the mantle."""
    x, height, z = points.T
    outward = np.clip((np.hypot(x, z) - 0.25) / 0.15, 0.0, 1.0) * (height < 0.4)
    eighth = (np.degrees(np.arctan2(z, x)) % 360.0 // 45.0).astype(int)
    memberships: Floats = outward * (eighth == np.arange(8)[:, None])
    return memberships


CREATURE = Creature(
    name="octopus",
    summary="an octopus on eight tentacles",
    shape=_shape,
    tets=48_514,
    volume=0.25,
    thinnest=0.036,
    detail=0.022,
    parts=_tentacles,
    # A tentacle is moved by its own two modes alone: each has to bend it further than one of ten bends a whole body.
    strain=0.3,
)
