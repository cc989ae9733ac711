"""The I of T2012's balance: four longitudinal muscles of twelve segments, 48 in all."""

from __future__ import annotations

from hydrostat.actuation.muscles import MuscleGroup, longitudinal
from hydrostat.characters.character import Character
from hydrostat.characters.meshes import shipped_mesh
from hydrostat.geometry.letters import letter_surface
from hydrostat.geometry.surfaces import Surface

TETS = 1066
OFFSET = 0.07


def _surface() -> Surface:
    return letter_surface("I")


def _groups() -> list[MuscleGroup]:
    corners = [(x, z) for x in (-OFFSET, OFFSET) for z in (-OFFSET, OFFSET)]
    return [MuscleGroup("longitudinal", [longitudinal((x, 0.04, z), (x, 0.96, z), segments=12) for x, z in corners])]


CHARACTER = Character(
    name="i",
    summary="the letter I: 1084 tets, 48 muscle segments",
    height=1.0,
    mesh=lambda: shipped_mesh("i"),
    groups=_groups,
    surface=_surface,
    tets=TETS,
)
