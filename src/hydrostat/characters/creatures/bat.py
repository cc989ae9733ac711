"""A bat that stands upright with its wings spread: large ears, fingers that stretch a thick skin, clawed feet."""

from __future__ import annotations

from hydrostat.characters.creatures.creature import Creature
from hydrostat.geometry.implicit import (
    Blend,
    Carved,
    Ellipsoid,
    Mirrored,
    Plate,
    Point,
    Shape,
    ball,
    capsule,
    cone,
    tube,
)

SKIN = 0.021
SHOULDER, ELBOW, WRIST = (-0.02, 0.50, 0.10), (-0.08, 0.42, 0.34), (-0.04, 0.74, 0.52)
# The ends of the fingers from the outermost, and where the skin comes back up between them; the last is at the hip.
FINGERS: tuple[Point, ...] = ((-0.14, 0.50, 1.02), (-0.14, 0.17, 0.80), (-0.12, 0.09, 0.46))
BAYS: tuple[Point, ...] = ((-0.11, 0.42, 0.80), (-0.11, 0.27, 0.58), (-0.10, 0.24, 0.29))
HIP: Point = (-0.06, 0.20, 0.08)


def _wing() -> Shape:
    arm = tube([SHOULDER, ELBOW, WRIST], [0.052, 0.038, 0.034])
    bones = [tube([WRIST, _bowed(WRIST, tip), tip], [0.032, 0.027, 0.024]) for tip in FINGERS]
    thumb = cone(WRIST, (0.04, 0.83, 0.53), 0.032, 0.022)
    fan: list[Shape] = []
    for i, tip in enumerate(FINGERS):
        after = FINGERS[i + 1] if i + 1 < len(FINGERS) else HIP
        root = WRIST if i + 1 < len(FINGERS) else ELBOW
        fan += [Plate((WRIST, tip, BAYS[i]), SKIN), Plate((root, BAYS[i], after), SKIN)]
    fan += [Plate((WRIST, BAYS[2], ELBOW), SKIN), Plate((ELBOW, HIP, SHOULDER), SKIN)]
    # The skin before the elbow.
    fan.append(Plate((SHOULDER, ELBOW, (-0.06, 0.58, 0.43)), SKIN))
    return Blend((Blend(tuple(fan), 0.004), arm, *bones, thumb), 0.02)


def _bowed(start: Point, end: Point) -> Point:
    """The middle between two points, a little further up and out."""
    return ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2 + 0.03, (start[2] + end[2]) / 2 + 0.02)


def _head() -> Shape:
    skull = Blend(
        (Ellipsoid((0.03, 0.76, 0.0), (0.125, 0.125, 0.125)), Ellipsoid((0.135, 0.72, 0.0), (0.07, 0.055, 0.06))), 0.04
    )
    ear = Carved(
        Plate(((0.0, 0.80, 0.012), (0.0, 0.78, 0.125), (-0.01, 0.99, 0.135)), 0.030),
        Plate(((0.04, 0.84, 0.055), (0.04, 0.83, 0.105), (0.03, 0.955, 0.125)), 0.016),
        0.012,
    )
    nose = Blend((ball((0.20, 0.735, 0.0), 0.024), cone((0.19, 0.745, 0.0), (0.185, 0.785, 0.0), 0.018, 0.012)), 0.01)
    eyes = Mirrored(ball((0.132, 0.795, 0.056), 0.026))
    fangs = Mirrored(cone((0.172, 0.69, 0.026), (0.178, 0.655, 0.026), 0.016, 0.010))
    return Blend((skull, Mirrored(ear), nose, eyes, fangs), 0.012)


def _shape() -> Shape:
    body = Blend(
        (
            Ellipsoid((0.0, 0.50, 0.0), (0.145, 0.19, 0.155)),
            Ellipsoid((0.0, 0.32, 0.0), (0.12, 0.17, 0.125)),
        ),
        0.08,
    )
    leg = cone((0.0, 0.24, 0.075), (0.01, 0.06, 0.11), 0.062, 0.042)
    toes = [capsule((0.01, 0.05, 0.11), (0.105, 0.026, z), 0.027) for z in (0.06, 0.11, 0.16)]
    heel = capsule((0.01, 0.05, 0.11), (-0.06, 0.027, 0.11), 0.028)
    legs = Mirrored(Blend((leg, *toes, heel), 0.015))
    trunk = Blend((body, _head()), 0.05)
    return Blend((trunk, Mirrored(_wing()), legs), 0.03)


CREATURE = Creature(
    name="bat",
    summary="a bat upright with spread wings",
    shape=_shape,
    tets=34_720,
    volume=0.076,
    thinnest=0.021,
    detail=0.018,
)
