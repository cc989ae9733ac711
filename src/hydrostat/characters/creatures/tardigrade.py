"""A tardigrade, or water bear: a plump body in segments on eight stubby legs with claws."""

from __future__ import annotations

from hydrostat.characters.creatures.creature import Creature
from hydrostat.geometry.implicit import (
    Blend,
    Carved,
    Ellipsoid,
    Mirrored,
    Point,
    Shape,
    ball,
    capsule,
    cone,
)

# x, height of the middle and radius of the segments, from behind; the last is the head. m
SEGMENTS = (
    (-0.52, 0.47, 0.235),
    (-0.30, 0.53, 0.30),
    (-0.03, 0.555, 0.325),
    (0.24, 0.55, 0.305),
    (0.47, 0.52, 0.24),
    (0.66, 0.485, 0.175),
)


def _leg(x: float, lean: float) -> Shape:
    """A leg with three claws; ``lean``: how far its foot stands before its hip, m."""
    hip, foot = (x, 0.42, 0.17), (x + lean, 0.085, 0.285)
    claws = [(0.105, -0.055), (0.135, 0.02), (0.095, 0.09)]
    toes: list[Shape] = []
    for ahead, out in claws:
        tip: Point = (foot[0] + ahead, 0.028, foot[2] + out)
        toes.append(cone((foot[0] + 0.3 * ahead, 0.075, foot[2] + 0.5 * out), tip, 0.042, 0.024))
    return Blend((Blend((cone(hip, foot, 0.155, 0.088),)), *toes), 0.02)


def _shape() -> Shape:
    segments = [Ellipsoid((x, y, 0.0), (0.19, radius, 1.05 * radius)) for x, y, radius in SEGMENTS]
    body = Blend(tuple(segments), 0.035)
    snout = Carved(
        capsule((0.74, 0.47, 0.0), (0.885, 0.455, 0.0), 0.095),
        ball((0.985, 0.453, 0.0), 0.062),
        0.02,
    )
    eyes = Mirrored(ball((0.765, 0.575, 0.115), 0.038))
    legs = Mirrored(Blend((_leg(-0.58, -0.05), _leg(-0.22, 0.0), _leg(0.13, 0.03), _leg(0.46, 0.06))))
    return Blend((Blend((body, snout), 0.06), eyes, legs), 0.03)


CREATURE = Creature(
    name="tardigrade",
    summary="a water bear on eight stubby legs",
    shape=_shape,
    tets=40_000,
    volume=0.443,
    thinnest=0.07,
    detail=0.022,
)
