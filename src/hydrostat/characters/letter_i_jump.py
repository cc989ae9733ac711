"""The I of T2012's jump: the I that balances, with four more longitudinal muscles and a radial one, 104 segments.

The longitudinal muscles squash it; the radial one, a cross at each of four heights, stretches it. Muscles of different
groups add up: that is why the four that are new, and the two arms of the crosses, are groups of their own.
"""

from __future__ import annotations

from hydrostat.actuation.muscles import Fibre, MuscleGroup, longitudinal, radial
from hydrostat.characters.character import Character
from hydrostat.characters.meshes import shipped_mesh

OFFSET, SIDE = 0.07, 0.085
HEIGHTS = (0.2, 0.4, 0.6, 0.8)
SPAN = 0.18


def _groups() -> list[MuscleGroup]:
    corners = [(x, z) for x in (-OFFSET, OFFSET) for z in (-OFFSET, OFFSET)]
    sides = [(-SIDE, 0.0), (SIDE, 0.0), (0.0, -SIDE), (0.0, SIDE)]
    return [
        MuscleGroup("corners", [_upright(x, z) for x, z in corners]),
        MuscleGroup("sides", [_upright(x, z) for x, z in sides]),
        MuscleGroup("radial x", _across((SPAN, 0.0, 0.0))),
        MuscleGroup("radial z", _across((0.0, 0.0, SPAN))),
    ]


def _upright(x: float, z: float) -> Fibre:
    return longitudinal((x, 0.04, z), (x, 0.96, z), segments=12)


def _across(span: tuple[float, float, float]) -> list[Fibre]:
    return [fibre for y in HEIGHTS for fibre in radial((0.0, y, 0.0), spans=[span])]


CHARACTER = Character(
    name="i-jump",
    summary="the letter I with muscles for jumping: 1066 tets, 104 segments",
    height=1.0,
    mesh=lambda: shipped_mesh("i"),
    groups=_groups,
)
