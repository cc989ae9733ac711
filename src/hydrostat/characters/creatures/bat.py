"""A bat that walks on its wrists and feet, wings half spread: large ears, fingers that stretch a thick skin."""

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
# It leans on its wrists: the arms go up and out to the elbows, and down again to the ground.
SHOULDER, ELBOW, WRIST = (0.08, 0.36, 0.12), (-0.02, 0.46, 0.37), (0.24, 0.035, 0.44)
# The ends of the fingers from the outermost, and where the skin comes back between them; the last is at the hip.
FINGERS: tuple[Point, ...] = ((-0.02, 0.62, 0.84), (-0.30, 0.44, 0.80), (-0.46, 0.22, 0.56))
BAYS: tuple[Point, ...] = ((-0.10, 0.44, 0.72), (-0.28, 0.27, 0.58), (-0.32, 0.22, 0.34))
HIP: Point = (-0.26, 0.24, 0.10)


def _wing() -> Shape:
    arm = tube([SHOULDER, ELBOW, WRIST], [0.060, 0.050, 0.045])
    bones = [tube([WRIST, _bowed(WRIST, tip), tip], [0.036, 0.029, 0.024]) for tip in FINGERS]
    thumb = cone(WRIST, (0.35, 0.03, 0.45), 0.042, 0.028)
    fan: list[Shape] = []
    for i, tip in enumerate(FINGERS):
        after = FINGERS[i + 1] if i + 1 < len(FINGERS) else HIP
        root = WRIST if i + 1 < len(FINGERS) else ELBOW
        fan += [Plate((WRIST, tip, BAYS[i]), SKIN), Plate((root, BAYS[i], after), SKIN)]
    fan += [Plate((WRIST, BAYS[2], ELBOW), SKIN), Plate((ELBOW, HIP, SHOULDER), SKIN)]
    return Blend((Blend(tuple(fan), 0.004), arm, *bones, thumb), 0.02)


def _bowed(start: Point, end: Point) -> Point:
    """The middle between two points, a little further up and out."""
    return ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2 + 0.03, (start[2] + end[2]) / 2 + 0.02)


def _head() -> Shape:
    skull = Blend(
        (Ellipsoid((0.33, 0.52, 0.0), (0.125, 0.125, 0.125)), Ellipsoid((0.435, 0.48, 0.0), (0.07, 0.055, 0.06))), 0.04
    )
    ear = Carved(
        Plate(((0.30, 0.56, 0.012), (0.30, 0.54, 0.125), (0.29, 0.77, 0.145)), 0.030),
        Plate(((0.34, 0.60, 0.055), (0.34, 0.59, 0.105), (0.33, 0.73, 0.130)), 0.016),
        0.012,
    )
    nose = Blend((ball((0.50, 0.495, 0.0), 0.024), cone((0.49, 0.505, 0.0), (0.485, 0.545, 0.0), 0.018, 0.012)), 0.01)
    eyes = Mirrored(ball((0.432, 0.555, 0.056), 0.026))
    fangs = Mirrored(cone((0.472, 0.45, 0.026), (0.478, 0.415, 0.026), 0.016, 0.010))
    return Blend((skull, Mirrored(ear), nose, eyes, fangs), 0.012)


def _shape() -> Shape:
    # Chest before belly, low over the ground.
    body = tube([(0.12, 0.36, 0.0), (-0.06, 0.30, 0.0), (-0.24, 0.22, 0.0)], [0.165, 0.150, 0.115])
    leg = tube([(-0.24, 0.20, 0.09), (-0.20, 0.17, 0.20), (-0.32, 0.045, 0.22)], [0.07, 0.055, 0.042])
    toes = [capsule((-0.32, 0.04, 0.22), (-0.21, 0.026, z), 0.027) for z in (0.16, 0.22, 0.28)]
    heel = capsule((-0.32, 0.04, 0.22), (-0.39, 0.027, 0.22), 0.028)
    legs = Mirrored(Blend((leg, *toes, heel), 0.015))
    trunk = Blend((body, _head()), 0.05)
    return Blend((trunk, Mirrored(_wing()), legs), 0.03)


CREATURE = Creature(
    name="bat",
    summary="a bat on wrists and feet, wings half spread",
    shape=_shape,
    tets=34_720,
    volume=0.113,
    thinnest=0.021,
    detail=0.018,
)
