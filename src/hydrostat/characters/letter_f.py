"""The F of T2012's slide: four longitudinal muscles of twelve segments in the upright stroke, 48 in all.

No muscle runs in the two other strokes. They are moved by the ends of those in the upright one and by their own
inertia: that is the follow-through. The upright stroke stands on a foot wide enough for the weight of the strokes.
"""

from __future__ import annotations

from hydrostat.actuation.muscles import MuscleGroup, longitudinal
from hydrostat.bodies.fem import Material
from hydrostat.characters.character import Character
from hydrostat.characters.meshes import shipped_mesh
from hydrostat.geometry.extrude import extrude
from hydrostat.geometry.surfaces import Surface

TETS = 705
DEPTH = 0.3
STEM, FOOT, FOOT_HEIGHT = 0.28, 0.46, 0.14
# How far the strokes reach from the middle of the upright one, and where they begin and end in height, m.
TOP, MIDDLE = (0.45, 0.84, 1.0), (0.31, 0.47, 0.62)
OFFSET, DEEP = 0.09, 0.1
# So lightly damped that the strokes swing on when the stem stops: the first bending of the top one is at 6 Hz.
SPRINGY = Material(stiffness_damping=0.03)


def _surface() -> Surface:
    from shapely import box, union_all

    parts = [box(-STEM / 2, 0.0, STEM / 2, 1.0), box(-FOOT / 2, 0.0, FOOT / 2, FOOT_HEIGHT)]
    parts += [box(-STEM / 2, low, reach, high) for reach, low, high in (TOP, MIDDLE)]
    front = extrude(union_all(parts), DEPTH / 2)
    return Surface(front.vertices + [0.0, 0.0, DEPTH / 4], front.faces)


def _groups() -> list[MuscleGroup]:
    corners = [(x, z) for x in (-OFFSET, OFFSET) for z in (-DEEP, DEEP)]
    return [MuscleGroup("longitudinal", [longitudinal((x, 0.04, z), (x, 0.96, z), segments=12) for x, z in corners])]


CHARACTER = Character(
    name="f",
    summary="the letter F: 692 tets, 48 muscle segments in its upright stroke",
    height=1.0,
    mesh=lambda: shipped_mesh("f"),
    groups=_groups,
    material=SPRINGY,
    surface=_surface,
    tets=TETS,
    mirrors=(2,),
)
