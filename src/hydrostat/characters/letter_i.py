"""The I of T2012's balance: four longitudinal muscles of twelve segments, 48 in all."""

from __future__ import annotations

from hydrostat.actuation.muscles import MuscleGroup, longitudinal
from hydrostat.characters.character import Character
from hydrostat.geometry.letters import letter_surface
from hydrostat.geometry.meshing import tetrahedralize
from hydrostat.geometry.tetrahedra import TetMesh

TETS = 1066
OFFSET = 0.07


def _mesh() -> TetMesh:
    return tetrahedralize(letter_surface("I"), tets=TETS)


def _groups() -> list[MuscleGroup]:
    corners = [(x, z) for x in (-OFFSET, OFFSET) for z in (-OFFSET, OFFSET)]
    return [
        MuscleGroup(
            "longitudinal", [longitudinal((x, 0.04, z), (x, 0.96, z), segments=12) for x, z in corners]
        )
    ]


CHARACTER = Character(
    name="i",
    summary="the letter I: 1066 tets, 48 muscle segments",
    height=1.0,
    mesh=_mesh,
    groups=_groups,
)
