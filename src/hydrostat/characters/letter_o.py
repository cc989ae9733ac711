"""The O of T2012's roll: two concentric rings of 20 segments each (Figure 10c).

Where both rings contract the wall shortens, where only the inner one does it bends more, where only the outer one
does it flattens. One group: the wall inside follows the inner ring, the wall outside the outer one. The mesh is a
regular one, so that every side rolls like the next.
"""

from __future__ import annotations

import numpy as np

from hydrostat.actuation.muscles import MuscleGroup, ring
from hydrostat.characters.character import Character
from hydrostat.contact.patches import PatchOptions
from hydrostat.geometry.primitives import ring_tets
from hydrostat.geometry.tetrahedra import TetMesh

RADIUS, HOLE = 0.5, 0.28
# Wide enough to roll without falling on its side.
DEPTH = 0.32
# Outward, around and along z: 920 tets, T2012 has 911. Two cells along z make the mesh its own mirror image there, so
# that nothing in it turns the O off its way.
CELLS = (2, 46, 2)
INNER, OUTER = 0.34, 0.44
SEGMENTS = 20


def _mesh() -> TetMesh:
    corner = 1.0 / np.cos(np.pi / CELLS[1])  # where the middles of its edges are 1 m apart
    mesh = ring_tets(corner * HOLE, corner * RADIUS, DEPTH, CELLS)
    return TetMesh(mesh.vertices + [0.0, RADIUS, 0.0], mesh.tets)


def _groups() -> list[MuscleGroup]:
    rings = [ring((0.0, RADIUS, 0.0), (0.0, 0.0, 1.0), radius, SEGMENTS) for radius in (INNER, OUTER)]
    return [MuscleGroup("rings", rings, width=0.07)]


CHARACTER = Character(
    name="o",
    summary="the letter O: 920 tets, 40 muscle segments in two rings",
    height=1.0,
    mesh=_mesh,
    groups=_groups,
    # Strong enough to lean by a tenth of its height: its wall is thick, and the inner ring has to bend it.
    stiffness=1.2e6,
    # What touches is short and bends: patches over no more than that, which share the load evenly. Their pad reaches
    # two edges of the mesh to either side, so that the load goes from edge to edge without steps.
    patches=PatchOptions(count=6, reach=0.02, pad=0.015),
)
