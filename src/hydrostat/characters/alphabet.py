"""Any letter as a character: its outline as a solid, and longitudinal muscles along the strokes that carry it.

A stroke that carries something or lies on the ground gets four fibres, two in front and two behind, on either side of
its middle line and clear of the outline. So every such stroke can shorten and bend in all directions; the others are
moved by their ends. Letters that would not stand by themselves, a P or an S, get a foot. ``hydrostat study alphabet``
says what the letters came to and can do.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from hydrostat.actuation.muscles import Fibre, MuscleGroup
from hydrostat.arrays import Floats
from hydrostat.bodies.fem import Material
from hydrostat.characters.character import Character
from hydrostat.geometry.extrude import extrude
from hydrostat.geometry.letters import middle_lines, outline
from hydrostat.geometry.meshing import tetrahedralize
from hydrostat.geometry.quality import smallest_dihedral
from hydrostat.geometry.surfaces import Surface
from hydrostat.geometry.tetrahedra import TetMesh

if TYPE_CHECKING:
    from shapely import Polygon

# Stout and firm enough: a stem of 0.8 MPa would be at the load at which it buckles, with the letter's own weight on it.
STROKE, DEPTH = 0.25, 0.34
FIRM = Material(youngs_modulus=1.3e6)
STRONG = 2e6
# How far the outline may be simplified and how long edges are, m: the first that gives good and few tets is taken.
TRIES = ((0.0, 0.14), (0.012, 0.14), (0.012, 0.13), (0.012, 0.12), (0.012, 0.16), (0.012, 0.18), (0.02, 0.14))
DIHEDRAL, MANY = 10.0, 1500
# Strokes count that are not short, begin in the lower part, and rise or lie near the ground, m.
LONG, LOW, RISE, FLAT = 0.3, 0.6, 0.2, 0.2
# A letter stands on what reaches this far to both sides of its centre of mass, or gets a foot of this height, m.
FOOT, FOOT_HEIGHT = 0.22, 0.12
# Fibres lie this far from the middle of their stroke, on either side and in depth, and this clear of the outline, m.
ASIDE, DEEP, CLEAR = 0.3 * STROKE, 0.3 * DEPTH, 0.03
SEGMENT = 0.16
WIDTH = 0.09


@cache
def letter_character(letter: str) -> Character:
    """The capital ``letter``, 1 m high, with default muscles.

    >>> [group.name for group in letter_character("A").groups()]
    ['stroke 1', 'stroke 2']
    """
    outline(letter, STROKE)  # refuses what is no letter
    return Character(
        name=f"letter-{letter.lower()}",
        summary=f"the letter {letter} with default muscles",
        height=1.0,
        mesh=lambda: _mesh(letter),
        groups=lambda: _groups(letter),
        material=FIRM,
        stiffness=STRONG,
    )


def _mesh(letter: str) -> TetMesh:
    """Tets that fill the letter; where none are well shaped and few enough, the last that were made."""
    for detail, edge_length in TRIES:
        shape = _standing(outline(letter, STROKE)).simplify(detail)
        left, bottom, right, _ = shape.bounds
        solid = extrude(shape, DEPTH)
        mesh = tetrahedralize(
            Surface(solid.vertices - [(left + right) / 2, bottom, 0.0], solid.faces), edge_length=edge_length
        )
        if smallest_dihedral(mesh.vertices, mesh.tets).min() >= DIHEDRAL and len(mesh.tets) <= MANY:
            break
    return mesh


def _standing(shape: Polygon) -> Polygon:
    """``shape``, with a foot where it would stand on a round or narrow bottom, or beside its centre of mass."""
    from shapely import box, union_all

    left, bottom, right, _ = shape.bounds
    sole = shape.intersection(box(left, bottom, right, bottom + 1e-3)).bounds
    middle = shape.centroid.x
    if sole[0] <= middle - FOOT and sole[2] >= middle + FOOT:
        return shape
    return union_all(
        [shape, box(min(sole[0], middle - FOOT), bottom, max(sole[2], middle + FOOT), bottom + FOOT_HEIGHT)]
    )


def _groups(letter: str) -> list[MuscleGroup]:
    shape = _standing(outline(letter, STROKE))
    left, _, right, _ = shape.bounds
    inside, shift = shape.buffer(-CLEAR), np.array([-(left + right) / 2, 0.0])
    groups: list[MuscleGroup] = []
    for line in middle_lines(letter, STROKE):
        if not _carries(line):
            continue
        sides = [path + shift for aside in (-ASIDE, ASIDE) if (path := _path(line, aside, inside)) is not None]
        fibres = [Fibre(np.insert(side, 2, deep, axis=1)) for side in sides for deep in (-DEEP, DEEP)]
        groups.append(MuscleGroup(f"stroke {len(groups) + 1}", fibres, width=WIDTH, reach=STROKE))
    return groups


def _carries(line: Floats) -> bool:
    """Whether a stroke along ``line`` (k, 2) m gets muscles."""
    length = np.linalg.norm(np.diff(line, axis=0), axis=1).sum()
    low, rise = line[:, 1].min(), np.ptp(line[:, 1])
    return bool(length >= LONG and low < (LOW if rise > RISE else FLAT))


def _path(line: Floats, aside: float, shape: Polygon) -> Floats | None:
    """The longest part inside ``shape`` of the parallel of ``line`` (k, 2) m, in equal pieces of about SEGMENT."""
    from shapely import LineString, get_parts, line_merge

    if not np.allclose(line[0], line[-1]):  # pens have square ends
        first, last = line[0] - line[1], line[-1] - line[-2]
        ends = [
            line[0] + STROKE / 2 * first / np.linalg.norm(first),
            line[-1] + STROKE / 2 * last / np.linalg.norm(last),
        ]
        line = np.vstack([ends[0], line, ends[1]])
    parallel = LineString(line).offset_curve(aside, join_style="mitre").intersection(shape)
    parts = get_parts(line_merge(parallel) if parallel.geom_type == "MultiLineString" else parallel)
    longest = max(parts, key=lambda part: part.length, default=None)
    if longest is None or longest.length < SEGMENT:
        return None
    pieces = max(2, round(longest.length / SEGMENT))
    return np.array([longest.interpolate(share, normalized=True).coords[0] for share in np.linspace(0, 1, pieces + 1)])
