"""The T of T2012's twist jump: longitudinal muscles and two opposite helices in its stem (Figure 10b), 51 segments."""

from __future__ import annotations

import numpy as np

from hydrostat.actuation.muscles import MuscleGroup, helical, longitudinal
from hydrostat.bodies.fem import Material
from hydrostat.characters.character import Character
from hydrostat.characters.meshes import shipped_mesh
from hydrostat.geometry.extrude import extrude
from hydrostat.geometry.surfaces import Surface

TETS = 1219
WIDTH, BAR, STEM, DEPTH = 0.76, 0.18, 0.28, 0.28
OFFSET, RADIUS = 0.07, 0.11
# Turns of a helix over the stem: so that its strands rise at about 45°, where they twist most.
TURNS, STRANDS = 1.1, 3
LOW, HIGH = 0.05, 0.85


def _surface() -> Surface:
    from shapely import box, union_all

    quarter = extrude(union_all([box(0.0, 0.0, STEM / 2, 1.0), box(0.0, 1.0 - BAR, WIDTH / 2, 1.0)]), DEPTH / 2)
    return Surface(quarter.vertices + [0.0, 0.0, DEPTH / 4], quarter.faces)


def _groups() -> list[MuscleGroup]:
    corners = [(x, z) for x in (-OFFSET, OFFSET) for z in (-OFFSET, OFFSET)]
    half, high = WIDTH / 2 - 0.05, 1.0 - BAR / 2
    return [
        MuscleGroup("longitudinal", [longitudinal((x, LOW, z), (x, HIGH, z), segments=3) for x, z in corners]),
        _helix("left-handed", -TURNS),
        _helix("right-handed", TURNS),
        MuscleGroup("bar", [longitudinal((-half, high, 0.0), (half, high, 0.0), segments=3)], reach=0.2),
    ]


def _helix(name: str, turns: float) -> MuscleGroup:
    phases = 2.0 * np.pi * np.arange(STRANDS) / STRANDS
    strands = [helical((0.0, LOW, 0.0), (0.0, HIGH, 0.0), RADIUS, turns, 6, float(phase)) for phase in phases]
    return MuscleGroup(name, strands, width=0.06, reach=0.2)


CHARACTER = Character(
    name="t",
    summary="the letter T: 1248 tets, 51 muscle segments, helical ones among them",
    height=1.0,
    mesh=lambda: shipped_mesh("t"),
    groups=_groups,
    material=Material(poisson_ratio=0.47),
    stiffness=8e5,
    surface=_surface,
    tets=TETS,
    mirrors=(0, 2),
)
