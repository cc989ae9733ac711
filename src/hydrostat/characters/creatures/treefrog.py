"""A treefrog that crouches: bulging eyes, a wide mouth, folded hind legs, and round pads on every toe."""

from __future__ import annotations

from hydrostat.characters.creatures.creature import Creature
from hydrostat.geometry.implicit import Blend, Carved, Ellipsoid, Mirrored, Point, Shape, Turned, ball, cone, tube


def _foot(ankle: Point, pads: tuple[Point, ...]) -> Shape:
    """Toes from the ankle, each with a round pad."""
    toes = [cone(ankle, pad, 0.040, 0.028) for pad in pads]
    discs = [Ellipsoid((x, 0.032, z), (0.052, 0.036, 0.052)) for x, _, z in pads]
    return Blend((Blend(tuple(toes), 0.02), Blend(tuple(discs))), 0.014)


def _shape() -> Shape:
    body = Turned(Ellipsoid((-0.06, 0.40, 0.0), (0.47, 0.215, 0.27)), (-0.06, 0.40, 0.0), (0.0, 0.0, 1.0), 24.0)
    head = Ellipsoid((0.37, 0.575, 0.0), (0.255, 0.155, 0.275))
    belly = Ellipsoid((0.10, 0.40, 0.0), (0.26, 0.20, 0.235))
    trunk = Blend((body, head, belly), 0.10)
    eyes = Mirrored(
        Blend((ball((0.42, 0.705, 0.185), 0.102), Ellipsoid((0.45, 0.71, 0.262), (0.034, 0.055, 0.034))), 0.006)
    )
    mouth = Mirrored(
        tube([(0.665, 0.545, 0.0), (0.60, 0.54, 0.15), (0.45, 0.53, 0.255), (0.33, 0.535, 0.30)], [0.015] * 4)
    )
    nostrils = Mirrored(ball((0.60, 0.645, 0.055), 0.016))
    front = Blend(
        (
            cone((0.22, 0.43, 0.17), (0.16, 0.25, 0.33), 0.085, 0.062),
            cone((0.16, 0.25, 0.33), (0.33, 0.07, 0.36), 0.058, 0.043),
            _foot(
                (0.33, 0.06, 0.36), ((0.49, 0.03, 0.25), (0.55, 0.03, 0.385), (0.48, 0.03, 0.52), (0.34, 0.03, 0.555))
            ),
        ),
        0.03,
    )
    hind = Blend(
        (
            # The thigh points forward, the shin back beneath it, the long foot forward again.
            cone((-0.36, 0.30, 0.12), (0.02, 0.31, 0.43), 0.125, 0.078),
            cone((0.02, 0.30, 0.44), (-0.38, 0.12, 0.40), 0.078, 0.055),
            cone((-0.38, 0.11, 0.40), (-0.14, 0.055, 0.52), 0.055, 0.045),
            _foot(
                (-0.14, 0.055, 0.52),
                ((0.11, 0.03, 0.49), (0.12, 0.03, 0.635), (0.0, 0.03, 0.735), (-0.145, 0.03, 0.735)),
            ),
        ),
        0.03,
    )
    frog = Blend((Blend((trunk, Mirrored(Blend((front, hind)))), 0.05), eyes), 0.018)
    return Carved(Carved(frog, mouth, 0.015), nostrils, 0.01)


CREATURE = Creature(
    name="treefrog",
    summary="a crouching frog with round toes",
    shape=_shape,
    tets=54_154,
    volume=0.232,
    thinnest=0.028,
    detail=0.02,
)
