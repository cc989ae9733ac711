"""The flat I of T2012's crawling: it lies along x, head toward +x; four longitudinal muscles and a radial one.

The upper pair and the lower pair are groups of their own, each over its half of the thickness: an inchworm is a worm
whose upper pair may not contract. So are the two arms of the radial muscle, because different groups add up.
"""

from __future__ import annotations

import numpy as np

from hydrostat.actuation.muscles import Fibre, MuscleGroup, longitudinal, radial
from hydrostat.characters.character import Character
from hydrostat.characters.meshes import shipped_mesh
from hydrostat.contact.patches import PatchOptions
from hydrostat.geometry.extrude import extrude
from hydrostat.geometry.glyphs import GLYPHS
from hydrostat.geometry.letters import outline
from hydrostat.geometry.surfaces import Surface

TETS = 620
THICKNESS = 0.13
# The fibres lie this far from the middle line sideways and from the two faces, m.
SIDE, BELOW = 0.055, 0.02
# How much of the middle the radial muscle spans, sideways and upright, m.
WIDE, HIGH = 0.18, 0.1
# A pair leaves elements alone that are farther away: about those of the other half, m.
REACH = 0.065


def _surface() -> Surface:
    from shapely import box
    from shapely.affinity import translate

    half = translate(outline("I"), -GLYPHS["I"].width / 2, -0.5).intersection(box(0.0, -1.0, 1.0, 1.0))
    standing = extrude(half, THICKNESS)
    across, along, thick = standing.vertices.T
    return Surface(np.column_stack([along, thick + THICKNESS / 2, across]), standing.faces)


def _groups() -> list[MuscleGroup]:
    middle = (0.0, THICKNESS / 2, 0.0)
    return [
        MuscleGroup("upper", _pair(THICKNESS - BELOW), reach=REACH),
        MuscleGroup("lower", _pair(BELOW), reach=REACH),
        MuscleGroup("radial y", radial(middle, spans=[(0.0, HIGH, 0.0)])),
        MuscleGroup("radial z", radial(middle, spans=[(0.0, 0.0, WIDE)])),
    ]


def _pair(y: float) -> list[Fibre]:
    return [longitudinal((-0.46, y, z), (0.46, y, z), segments=6) for z in (-SIDE, SIDE)]


CHARACTER = Character(
    name="worm",
    summary="a flat letter I that lies on the ground: 620 tets, 26 muscle segments",
    height=THICKNESS,
    mesh=lambda: shipped_mesh("worm"),
    groups=_groups,
    patches=PatchOptions(count=8),
    surface=_surface,
    tets=TETS,
    stiffness=7e5,
    mirrors=(2,),
)
