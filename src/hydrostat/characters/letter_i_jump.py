"""The I of T2012's jump: the I that balances, with four more longitudinal muscles and a radial one, 104 segments.

The longitudinal muscles squash it; the radial one, a cross at each of four heights, stretches it. Muscles of different
groups add up: that is why the four that are new, and the two arms of the crosses, are groups of their own.

It is deeper than the I that balances, so that it does not topple sideways on landing; its material is less damped, so
that a squash gives back its energy, and its muscles are stronger: to squash it by a quarter they must not give all
they have, or nothing is left to steer with.
"""

from __future__ import annotations

from hydrostat.actuation.muscles import Fibre, MuscleGroup, longitudinal, radial
from hydrostat.bodies.fem import Material
from hydrostat.characters.character import Character
from hydrostat.characters.meshes import shipped_mesh
from hydrostat.geometry.extrude import extrude
from hydrostat.geometry.letters import outline
from hydrostat.geometry.surfaces import Surface

TETS, DEPTH = 1080, 0.32
OFFSET, SIDE = 0.07, 0.085
HEIGHTS = (0.2, 0.4, 0.6, 0.8)
SPAN = 0.18


def _surface() -> Surface:
    """A quarter of the letter: a jump goes astray on a mesh that is not symmetric."""
    from shapely import affinity, box

    shape = outline("I")
    centred = affinity.translate(shape, -shape.bounds[2] / 2.0)
    quarter = extrude(centred.intersection(box(0.0, 0.0, 1.0, 1.0)), DEPTH / 2.0)
    return Surface(quarter.vertices + [0.0, 0.0, DEPTH / 4.0], quarter.faces)


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
    summary="the letter I with muscles for jumping: 1060 tets, 104 segments",
    height=1.0,
    mesh=lambda: shipped_mesh("i-jump"),
    groups=_groups,
    material=Material(poisson_ratio=0.47, stiffness_damping=0.03),
    stiffness=8e5,
    surface=_surface,
    tets=TETS,
    mirrors=(0, 2),
)
