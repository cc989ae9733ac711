"""A couch for two: rolled arms, two seat cushions, two back cushions, on four stout feet."""

from __future__ import annotations

from hydrostat.characters.creatures.creature import Creature
from hydrostat.geometry.implicit import Blend, Box, Cylinder, Ellipsoid, Mirrored, Shape, Turned, cone


def _cushion(low: tuple[float, float, float], high: tuple[float, float, float]) -> Shape:
    """A box that bulges upward."""
    middle = ((low[0] + high[0]) / 2, high[1] - 0.035, (low[2] + high[2]) / 2)
    bulge = Ellipsoid(middle, ((high[0] - low[0]) / 2.3, 0.075, (high[2] - low[2]) / 2.3))
    return Blend((Box(low, high, 0.055), bulge), 0.04)


def _shape() -> Shape:
    base = Box((-0.40, 0.17, -0.80), (0.40, 0.36, 0.80), 0.04)
    back = Turned(
        Blend(
            (
                Box((-0.46, 0.20, -0.74), (-0.27, 0.88, 0.74), 0.06),
                Cylinder((-0.38, 0.87, -0.70), (-0.38, 0.87, 0.70), 0.10, 0.03),
            ),
            0.03,
        ),
        (-0.36, 0.25, 0.0),
        (0.0, 0.0, 1.0),
        8.0,
    )
    arm = Blend(
        (
            Box((-0.44, 0.17, 0.70), (0.43, 0.60, 0.88), 0.04),
            Cylinder((-0.44, 0.60, 0.815), (0.45, 0.60, 0.815), 0.125, 0.03),
        ),
        0.03,
    )
    # Fills what the cushions would close off.
    core = Box((-0.38, 0.30, -0.72), (-0.16, 0.62, 0.72), 0.02)
    seat = _cushion((-0.30, 0.34, 0.012), (0.46, 0.52, 0.70))
    pillow = Turned(_cushion((-0.33, 0.53, 0.02), (-0.13, 0.86, 0.69)), (-0.25, 0.5, 0.0), (0.0, 0.0, 1.0), 12.0)
    feet = Blend(
        (
            cone((0.32, 0.24, 0.72), (0.35, 0.05, 0.76), 0.105, 0.085),
            cone((-0.32, 0.24, 0.72), (-0.35, 0.05, 0.76), 0.105, 0.085),
        )
    )
    return Blend((base, core, back, Mirrored(Blend((arm, seat, pillow, feet), 0.01))), 0.02)


CREATURE = Creature(
    name="couch",
    summary="a couch with rolled arms on four feet",
    shape=_shape,
    tets=64_154,
    volume=0.845,
    thinnest=0.085,
    detail=0.024,
)
