"""A seal ashore: it lies on its belly with the head up, on two front flippers, the hind flippers trailing."""

from __future__ import annotations

from hydrostat.characters.creatures.creature import Creature
from hydrostat.geometry.implicit import Blend, Ellipsoid, Mirrored, Plate, Shape, ball, cone, tube


def _shape() -> Shape:
    body = tube(
        [(-0.78, 0.075, 0), (-0.50, 0.15, 0), (-0.15, 0.235, 0), (0.22, 0.27, 0), (0.44, 0.42, 0), (0.53, 0.66, 0)],
        [0.06, 0.145, 0.235, 0.265, 0.215, 0.15],
    )
    head = Blend(
        (
            Ellipsoid((0.57, 0.82, 0.0), (0.165, 0.145, 0.145)),
            Ellipsoid((0.70, 0.785, 0.0), (0.105, 0.08, 0.095)),
        ),
        0.05,
    )
    pads = Mirrored(ball((0.765, 0.77, 0.036), 0.048))
    face = Blend((head, pads), 0.015)
    eyes = Mirrored(ball((0.665, 0.865, 0.098), 0.034))
    nose = Ellipsoid((0.792, 0.825, 0.0), (0.03, 0.024, 0.036))
    flipper = Blend(
        (
            cone((0.26, 0.20, 0.19), (0.24, 0.10, 0.33), 0.085, 0.06),
            Plate(((0.30, 0.045, 0.34), (0.16, 0.04, 0.36), (0.20, 0.025, 0.62)), 0.032),
            Plate(((0.16, 0.04, 0.36), (0.20, 0.025, 0.62), (0.06, 0.025, 0.56)), 0.032),
        ),
        0.06,
    )
    hind = Blend(
        (
            Plate(((-0.74, 0.07, 0.02), (-1.02, 0.075, 0.06), (-1.06, 0.07, 0.25)), 0.034),
            Plate(((-0.74, 0.07, 0.02), (-1.06, 0.07, 0.25), (-0.90, 0.06, 0.22)), 0.034),
        ),
        0.03,
    )
    limbs = Mirrored(Blend((flipper, hind), 0.02))
    return Blend((Blend((Blend((body, face), 0.10), limbs), 0.06), eyes, nose), 0.012)


CREATURE = Creature(
    name="seal",
    summary="a seal on its belly, head up",
    shape=_shape,
    tets=30_000,
    volume=0.26,
    thinnest=0.034,
    detail=0.02,
    # It goes far with little; with more it turns away from some poses.
    strain=0.1,
)
