"""A bearded dragon: a flat lizard with a wedge of a head, a spiny beard, spines along its flanks, and a long tail."""

from __future__ import annotations

import numpy as np

from hydrostat.characters.creatures.creature import Creature
from hydrostat.geometry.implicit import Blend, Carved, Ellipsoid, Mirrored, Point, Shape, ball, capsule, cone, tube


def _head() -> Shape:
    skull = Blend(
        (
            Ellipsoid((0.72, 0.375, 0.0), (0.15, 0.085, 0.145)),
            Ellipsoid((0.86, 0.36, 0.0), (0.115, 0.062, 0.085)),
        ),
        0.05,
    )
    beard = Ellipsoid((0.70, 0.265, 0.0), (0.135, 0.095, 0.135))
    brows = Mirrored(capsule((0.76, 0.445, 0.075), (0.84, 0.425, 0.06), 0.024))
    eyes = Mirrored(ball((0.80, 0.405, 0.092), 0.033))
    mouth = Mirrored(capsule((0.975, 0.338, 0.0), (0.78, 0.328, 0.14), 0.014))
    spines: list[Shape] = []
    # Around the jaw from the cheek to the throat, and a row behind it.
    for ring, (x, height, out, length) in enumerate(((0.655, 0.335, 0.135, 0.07), (0.56, 0.36, 0.12, 0.075))):
        for angle in np.radians((8.0, -22.0, -50.0, -76.0)):
            up, side = float(np.sin(angle)), float(np.cos(angle))
            root: Point = (x + 0.03 * ring, height + 0.10 * up, out * side)
            spines.append(cone(root, (x - 0.055, root[1] + length * up, root[2] + length * side), 0.032, 0.012))
    head = Blend((Blend((skull, beard), 0.04), brows, eyes, Mirrored(Blend(tuple(spines)))), 0.014)
    return Carved(head, mouth, 0.016)


def _leg(hip: Point, knee: Point, ankle: Point, toes: tuple[Point, ...]) -> Shape:
    limb = Blend((cone(hip, knee, 0.085, 0.062), cone(knee, ankle, 0.060, 0.043)), 0.03)
    return Blend((limb, *(cone(ankle, toe, 0.036, 0.022) for toe in toes)), 0.016)


def _shape() -> Shape:
    body = Blend(
        (
            Ellipsoid((0.08, 0.255, 0.0), (0.46, 0.135, 0.23)),
            Ellipsoid((0.36, 0.28, 0.0), (0.22, 0.13, 0.175)),
            cone((0.40, 0.30, 0.0), (0.66, 0.345, 0.0), 0.13, 0.105),
        ),
        0.06,
    )
    tail = tube(
        [(-0.25, 0.245, 0.0), (-0.50, 0.18, 0.0), (-0.78, 0.095, 0.04), (-1.06, 0.05, 0.02), (-1.32, 0.034, -0.08)],
        [0.135, 0.105, 0.072, 0.048, 0.028],
    )
    spines: list[Shape] = []
    for i, x in enumerate(np.linspace(-0.27, 0.43, 10).tolist()):
        half = 0.225 * float(np.sqrt(1.0 - ((x - 0.08) / 0.48) ** 2)) + 0.005
        rise = 0.012 * (i % 2)
        spines.append(cone((x, 0.265, half - 0.03), (x - 0.045, 0.285 + rise, half + 0.062), 0.033, 0.011))
    legs = Mirrored(
        Blend(
            (
                _leg(
                    (0.36, 0.25, 0.13),
                    (0.30, 0.24, 0.36),
                    (0.42, 0.06, 0.44),
                    ((0.56, 0.022, 0.41), (0.56, 0.022, 0.47), (0.51, 0.022, 0.53), (0.42, 0.022, 0.55)),
                ),
                _leg(
                    (-0.24, 0.23, 0.12),
                    (-0.10, 0.23, 0.36),
                    (-0.24, 0.06, 0.45),
                    ((-0.10, 0.022, 0.45), (-0.12, 0.022, 0.53), (-0.19, 0.022, 0.58), (-0.28, 0.022, 0.58)),
                ),
            )
        )
    )
    trunk = Blend((body, tail, legs), 0.06)
    return Blend((Blend((trunk, _head()), 0.04), Mirrored(Blend(tuple(spines)))), 0.012)


CREATURE = Creature(
    name="bearded-dragon",
    summary="a spiny lizard on four splayed legs",
    shape=_shape,
    tets=180_406,
    volume=0.142,
    thinnest=0.024,
    detail=0.018,
)
