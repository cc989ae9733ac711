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
# Where the narrow part of the I ends along x, and half its width, m.
WAIST_END, WAIST_SIDE = 0.28, 0.11
# Lines of the grid of a quarter of the body, m.
ALONG = np.concatenate([np.linspace(0.0, WAIST_END, 5), np.linspace(WAIST_END, 0.5, 4)[1:]])
UP = np.linspace(0.0, THICKNESS, 3)
ACROSS = np.array([0.0, WAIST_SIDE, 0.17, 0.23])
# The fibres lie this far from the middle line sideways and from the two faces, m.
SIDE, BELOW = 0.055, 0.02
# How much of the middle the radial muscle spans, sideways and upright, m.
WIDE, HIGH = 0.18, 0.1
# A pair leaves elements alone that are farther away: those of the other half of the thickness, m.
REACH = 0.05


def _mesh() -> TetMesh:
    """A quarter of a grid, mirrored twice: front and rear, left and right are alike to the bit.

    So nothing but friction tells forward from backward. With a mesh that was a little heavier or softer at one end,
    the worm crawled by several centimetres a cycle also where friction is the same both ways.
    """
    lines = (ALONG, UP, ACROSS)
    along, up, across = (len(line) - 1 for line in lines)
    grid = box_tets((float(along), float(up), float(across)), (along, up, across))
    steps = (grid.vertices + 0.5 * np.array([along, up, across])).T
    vertices = np.stack([np.interp(step, np.arange(len(line)), line) for step, line in zip(steps, lines, strict=True)])
    x, _, z = vertices[:, grid.tets].mean(axis=2)
    kept, tets = np.unique(grid.tets[(x > WAIST_END) | (z < WAIST_SIDE)], return_inverse=True)
    quarter = TetMesh(vertices[:, kept].T.copy(), tets.reshape(-1, 4))
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
    summary="a flat letter I that lies on the ground: 624 tets, 26 muscle segments",
    height=THICKNESS,
    mesh=_mesh,
    groups=_groups,
    # The slack belongs to the thickness: half a millimetre would be 4 thousandths of it.
    patches=PatchOptions(count=8, slack=5e-5),
    # It weighs 415 N a metre. Standing on its ends as a bridge it sags by 5 w L⁴ / 384 (E + κ) I: 7 cm, where the
    # softer flesh of the letters that stand, E = 0.5 MPa and κ = 0.7 MPa, would sag by 11 cm.
    material=Material(youngs_modulus=8e5),
    stiffness=1.1e6,
)
