"""The Arc de Triomphe, a fiftieth of its size, once in coarse and once in ten times finer tetrahedra."""

from __future__ import annotations

from hydrostat.characters.creatures.creature import Creature
from hydrostat.geometry.implicit import Blend, Box, Carved, Cylinder, Mirrored, Shape


def _opening(half_width: float, spring: float, along_x: bool) -> Shape:
    """A vaulted passage through the middle: ``half_width`` m to each side, straight up to ``spring`` m."""
    far = 1.0
    if along_x:
        walls = Box((-far, -far, -half_width), (far, spring, half_width))
        return Blend((walls, Cylinder((-far, spring, 0.0), (far, spring, 0.0), half_width)))
    walls = Box((-half_width, -far, -far), (half_width, spring, far))
    return Blend((walls, Cylinder((0.0, spring, -far), (0.0, spring, far), half_width)))


def _shape() -> Shape:
    depth, width, edge = 0.22, 0.45, 0.012
    block = Box((-depth, -0.2, -width), (depth, 0.94, width), edge)
    # The great cornice, the attic above it with its own rim, and the band where the vaults of the sides end.
    cornice = Box((-depth - 0.045, 0.735, -width - 0.045), (depth + 0.045, 0.785, width + 0.045), 0.015)
    rim = Box((-depth - 0.025, 0.945, -width - 0.025), (depth + 0.025, 1.0, width + 0.025), 0.015)
    band = Box((-depth - 0.02, 0.375, -width - 0.02), (depth + 0.02, 0.41, width + 0.02), 0.012)
    plinth = Box((-depth - 0.03, -0.2, -width - 0.03), (depth + 0.03, 0.07, width + 0.03), 0.012)
    # Groups of statues before the piers, and panels above them.
    statue = Blend(
        (
            Box((depth - 0.05, 0.05, 0.225), (depth + 0.055, 0.13, 0.375), 0.015),
            Box((depth - 0.05, 0.12, 0.25), (depth + 0.05, 0.33, 0.35), 0.035),
        ),
        0.02,
    )
    panel = Box((depth - 0.05, 0.46, 0.225), (depth + 0.025, 0.63, 0.375), 0.012)
    front = Blend((statue, panel))
    back = Blend(
        tuple(
            Box((-part.high[0], part.low[1], part.low[2]), (-part.low[0], part.high[1], part.high[2]), part.rounding)
            for part in (*statue.parts, panel)
            if isinstance(part, Box)
        )
    )
    body = Blend((block, cornice, rim, band, plinth, Mirrored(front), Mirrored(back)), 0.012)
    return Carved(Carved(body, _opening(0.146, 0.44, True), 0.012), _opening(0.085, 0.29, False), 0.012)


# It stands on two broad feet and turns on either at a hard touch: it takes small steps, tried from many poses.
STRAIN, STARTS = 0.05, 8

COARSE = Creature(
    name="arc-coarse",
    summary="the Arc de Triomphe, coarse",
    shape=_shape,
    tets=5_000,
    volume=0.31,
    thinnest=0.065,
    detail=0.022,
    strain=STRAIN,
    starts=STARTS,
)
FINE = Creature(
    name="arc-fine",
    summary="the Arc de Triomphe, ten times finer",
    shape=_shape,
    tets=50_000,
    volume=0.31,
    thinnest=0.065,
    detail=0.022,
    strain=STRAIN,
    starts=STARTS,
)
