"""The H of T2012's morning exercises: per leg four longitudinal muscles and a radial one (Figure 10a), 52 segments."""

from __future__ import annotations

from hydrostat.actuation.muscles import Fibre, MuscleGroup, longitudinal, radial
from hydrostat.characters.character import Character
from hydrostat.characters.meshes import shipped_mesh
from hydrostat.geometry.letters import letter_surface
from hydrostat.geometry.surfaces import Surface

TETS = 1901
# Deep enough to stand firm while it leans.
DEPTH = 0.34
LEGS, LEG_WIDTH = (-0.29, 0.29), 0.22
# How far the long fibres stand from the middle of a leg, and how much of its width a radial one spans, m.
OFFSET, DEEP, SPAN = 0.07, 0.11, 0.18


def _surface() -> Surface:
    return letter_surface("H", depth=DEPTH)


def _groups() -> list[MuscleGroup]:
    long: list[Fibre] = []
    across: list[Fibre] = []
    for leg in LEGS:
        for x in (leg - OFFSET, leg + OFFSET):
            long += [longitudinal((x, 0.04, z), (x, 0.96, z), segments=6) for z in (-DEEP, DEEP)]
        across += radial((leg, 0.5, 0.0), spans=((SPAN, 0.0, 0.0), (0.0, 0.0, SPAN)))
    return [MuscleGroup("longitudinal", long), MuscleGroup("radial", across)]


CHARACTER = Character(
    name="h",
    summary="the letter H: 1882 tets, 52 muscle segments in two legs",
    height=1.0,
    mesh=lambda: shipped_mesh("h"),
    groups=_groups,
    surface=_surface,
    tets=TETS,
    stiffness=7e5,
)
