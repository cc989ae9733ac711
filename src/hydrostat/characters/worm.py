"""The flat I of T2012's crawling: it lies along x, head toward +x; four longitudinal muscles and a radial one.

The upper pair and the lower pair are groups of their own, each over its half of the thickness: an inchworm is a worm
whose upper pair may not contract. So are the two arms of the radial muscle, because different groups add up.
"""

from __future__ import annotations

import numpy as np

from hydrostat.actuation.muscles import Fibre, MuscleGroup, longitudinal, radial
from hydrostat.bodies.fem import Material
from hydrostat.characters.character import Character
from hydrostat.contact.patches import PatchOptions
from hydrostat.geometry.mirror import mirrored
from hydrostat.geometry.primitives import box_tets
from hydrostat.geometry.tetrahedra import TetMesh

THICKNESS = 0.13
# Where the waist of the I ends along x, and half its width, m.
WAIST_END, WAIST_SIDE = 0.28, 0.11
# The lines of the grid of a quarter of it, m.
ALONG = np.concatenate([np.linspace(0.0, WAIST_END, 5), np.linspace(WAIST_END, 0.5, 4)[1:]])
UP = np.linspace(0.0, THICKNESS, 3)
ACROSS = np.array([0.0, WAIST_SIDE, 0.17, 0.23])
# The fibres lie this far from the middle line sideways and from the two faces, m.
SIDE, BELOW = 0.055, 0.02
# How much of the middle the radial muscle spans, sideways and upright, m.
WIDE, HIGH = 0.18, 0.1
# A pair leaves elements alone that are farther away: about those of the other half, m.
REACH = 0.05


def _mesh() -> TetMesh:
    """A quarter of cells that are cut alike, mirrored twice: front and rear, left and right are the same to the bit.

    Then only muscles and friction tell forward from backward: on even ground the worm gets nowhere.
    """
    cells = [len(lines) - 1 for lines in (ALONG, UP, ACROSS)]
    grid = box_tets((float(cells[0]), float(cells[1]), float(cells[2])), (cells[0], cells[1], cells[2]))
    numbers = grid.vertices + 0.5 * np.array(cells)
    lines = (ALONG, UP, ACROSS)
    vertices = np.stack(
        [np.interp(numbers[:, axis], np.arange(len(lines[axis])), lines[axis]) for axis in range(3)], axis=1
    )
    centres = vertices[grid.tets].mean(axis=1)
    inside = grid.tets[(centres[:, 0] > WAIST_END) | (centres[:, 2] < WAIST_SIDE)]
    used, tets = np.unique(inside, return_inverse=True)
    quarter = TetMesh(vertices[used], tets.reshape(inside.shape))
    return mirrored(mirrored(quarter, 0), 2)


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
    mesh=_mesh,
    groups=_groups,
    patches=PatchOptions(count=8, slack=5e-5),
    stiffness=1.1e6,
    material=Material(youngs_modulus=8e5),
)
