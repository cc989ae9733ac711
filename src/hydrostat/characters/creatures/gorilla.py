"""A gorilla that stands on its knuckles: huge arms and shoulders, short legs, a crested head with a heavy brow."""

from __future__ import annotations

from hydrostat.characters.creatures.creature import Creature
from hydrostat.geometry.implicit import (
    Blend,
    Carved,
    Ellipsoid,
    Mirrored,
    Shape,
    Turned,
    ball,
    capsule,
    cone,
    tube,
)


def _head() -> Shape:
    skull = Blend(
        (
            Ellipsoid((0.55, 0.99, 0.0), (0.135, 0.145, 0.115)),
            # The crest.
            Ellipsoid((0.47, 1.10, 0.0), (0.12, 0.10, 0.065)),
            # The muzzle.
            Ellipsoid((0.66, 0.905, 0.0), (0.10, 0.092, 0.098)),
        ),
        0.05,
    )
    brow = capsule((0.665, 1.035, -0.062), (0.665, 1.035, 0.062), 0.032)
    nostrils = Mirrored(Ellipsoid((0.735, 0.952, 0.026), (0.028, 0.022, 0.026)))
    ears = Mirrored(Ellipsoid((0.51, 1.0, 0.118), (0.035, 0.045, 0.026)))
    eyes = Mirrored(ball((0.682, 0.993, 0.046), 0.021))
    mouth = capsule((0.77, 0.888, -0.045), (0.77, 0.888, 0.045), 0.016)
    face = Blend((Blend((skull, brow), 0.03), nostrils, eyes, ears), 0.014)
    return Carved(face, mouth, 0.012)


def _arm() -> Shape:
    arm = tube(
        [(0.33, 0.80, 0.20), (0.35, 0.62, 0.315), (0.37, 0.42, 0.345), (0.40, 0.24, 0.315), (0.41, 0.11, 0.30)],
        [0.135, 0.12, 0.098, 0.092, 0.068],
    )
    fist = Blend(
        tuple(capsule((0.40, 0.085, z), (0.475, 0.055, z), 0.041) for z in (0.245, 0.295, 0.345)),
        0.012,
    )
    return Blend((arm, fist), 0.04)


def _leg() -> Shape:
    thigh = cone((-0.33, 0.46, 0.13), (-0.22, 0.28, 0.24), 0.155, 0.105)
    shin = cone((-0.22, 0.28, 0.24), (-0.34, 0.09, 0.225), 0.098, 0.066)
    foot = cone((-0.36, 0.06, 0.225), (-0.19, 0.045, 0.25), 0.066, 0.055)
    toes = Blend(tuple(capsule((-0.19, 0.042, z), (-0.115, 0.034, z + 0.01), 0.034) for z in (0.205, 0.25, 0.295)))
    return Blend((Blend((thigh, shin, foot), 0.06), toes), 0.02)


def _shape() -> Shape:
    back = Turned(Ellipsoid((0.02, 0.66, 0.0), (0.46, 0.245, 0.245)), (0.02, 0.66, 0.0), (0.0, 0.0, 1.0), 27.0)
    shoulders = Ellipsoid((0.27, 0.82, 0.0), (0.20, 0.20, 0.30))
    rump = ball((-0.32, 0.50, 0.0), 0.20)
    belly = ball((-0.02, 0.52, 0.0), 0.22)
    neck = cone((0.34, 0.90, 0.0), (0.50, 0.97, 0.0), 0.165, 0.11)
    trunk = Blend((back, shoulders, rump, belly, neck), 0.10)
    limbs = Mirrored(Blend((_arm(), _leg())))
    return Blend((Blend((trunk, limbs), 0.06), _head()), 0.05)


CREATURE = Creature(
    name="gorilla",
    summary="a gorilla on feet and knuckles",
    shape=_shape,
    tets=50_000,
    volume=0.29,
    thinnest=0.055,
    detail=0.02,
)
