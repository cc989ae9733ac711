"""The four-legged X of T2012's walk: four longitudinal muscles and two radial ones a limb (Figure 10d), 112 segments.

Every limb has its muscles to itself, in groups that leave the rest of the body alone. Limbs taper towards small feet:
they are light to swing, and however a sole tilts, the ground pushes near its middle. A wide sole that tilts by two
degrees is carried by its edge, which is farther off than the weight may be from the line between two feet. Limbs are
named by where their feet stand: front is +x, left is −z when it walks along x, seen from behind.
"""

from __future__ import annotations

import numpy as np

from hydrostat.actuation.muscles import Fibre, MuscleGroup, longitudinal, radial
from hydrostat.arrays import Floats
from hydrostat.characters.character import Character
from hydrostat.characters.meshes import shipped_mesh
from hydrostat.contact.patches import PatchOptions
from hydrostat.geometry.repair import repair
from hydrostat.geometry.surfaces import Surface, triangulate

TETS = 1160
# From toe to toe, height, width of a limb at the body, length and width of a foot and height of its toe, m.
SPAN, HEIGHT, LIMB, FOOT, TOE = 1.2, 0.45, 0.21, 0.13, 0.09
LIMBS = {"front left": (1, -1), "front right": (1, 1), "rear left": (-1, -1), "rear right": (-1, 1)}
# From the side, the fibres of a limb's back and of its belly: distance from the middle and height of both ends, m.
BACK = ((0.06, 0.40), (0.56, 0.085))
BELLY = ((0.10, 0.28), (0.49, 0.03))
# Fibres stand this far from the middle plane of their limb at their ends; crosses span this much, m, at these shares of
# its length.
SIDES, WIDE, HIGH = (0.07, 0.035), 0.11, 0.11
CROSSES = (0.33, 0.67)
REACH = 0.16
START, END = (np.mean([back, belly], axis=0) for back, belly in zip(BACK, BELLY, strict=True))
UP = HIGH * np.array([START[1] - END[1], END[0] - START[0], 0.0]) / np.linalg.norm(END - START)
ACROSS = np.array([0.0, 0.0, WIDE])


def _surface() -> Surface:
    """The quarter of the body where x and z are positive: one limb with its share of the middle."""
    near, far, tip = LIMB / 2, SPAN / 2, FOOT / 2
    # The limb from the side, around from the back to its toe: distance from the middle, height, half its width.
    profile = [
        (near, HEIGHT, near),
        (near, HEIGHT - LIMB, near),
        (far - FOOT, 0.0, _taper(far - FOOT)),
        (far, 0.0, tip),
        (far, TOE, tip),
    ]
    n = len(profile)
    top, bottom = 2 * n, 2 * n + 1
    points = [(out, y, side * wide) for side in (-1, 1) for out, y, wide in profile]
    points += [(0.0, HEIGHT, 0.0), (0.0, HEIGHT - LIMB, 0.0)]
    faces = [[(i + 1) % n, (i + 1) % n + n, i + n, i] for i in range(1, n)]
    faces += [list(range(n - 1, -1, -1)), list(range(n, 2 * n)), [top, n, 0], [bottom, 1, n + 1]]
    faces += [[top, 0, 1, bottom], [top, bottom, n + 1, n]]  # the cuts, where x or z is 0
    # Rounded, so that the cuts lie in their planes.
    vertices = (np.array(points) @ _frame(1, 1).T).round(9)
    return repair(Surface(vertices, triangulate(vertices, faces)[0]))[0]


def _taper(out: float) -> float:
    """Half the width of a limb at distance ``out`` m from the middle: it narrows evenly from the body to the toe."""
    share = (out - LIMB / 2) / (SPAN / 2 - LIMB / 2)
    return (1.0 - share) * LIMB / 2 + share * FOOT / 2


def _frame(x: int, z: int) -> Floats:
    """Columns: outward along the limb towards (x, z), up, and across it."""
    return np.array([[x, 0.0, -z], [0.0, np.sqrt(2.0), 0.0], [z, 0.0, x]]) / np.sqrt(2.0)


def _groups() -> list[MuscleGroup]:
    groups = []
    for name, (x, z) in LIMBS.items():
        frame = _frame(x, z)
        groups += [
            MuscleGroup(f"{name} longitudinal", _along(frame), reach=REACH),
            MuscleGroup(f"{name} radial up", _crossing(frame, UP), reach=1.5 * REACH),
            MuscleGroup(f"{name} radial across", _crossing(frame, ACROSS), reach=1.5 * REACH),
        ]
    return groups


def _along(frame: Floats) -> list[Fibre]:
    return [
        longitudinal(frame @ [*start, side * SIDES[0]], frame @ [*end, side * SIDES[1]], segments=6)
        for start, end in (BACK, BELLY)
        for side in (-1, 1)
    ]


def _crossing(frame: Floats, span: Floats) -> list[Fibre]:
    """Fibres along ``span`` (3,) m through the middle line of a limb, both in the ``frame`` of that limb."""
    places = [(1.0 - share) * START + share * END for share in CROSSES]
    return [fibre for place in places for fibre in radial(frame @ [*place, 0.0], spans=[frame @ span])]


CHARACTER = Character(
    name="x",
    summary="a quadruped, seen from above the letter X: 1160 tets, 112 muscle segments",
    height=HEIGHT,
    mesh=lambda: shipped_mesh("x"),
    groups=_groups,
    # Feet are soft: as they land, the load spreads over the sole.
    patches=PatchOptions(pad=0.01, slack=0.0004),
    surface=_surface,
    tets=TETS,
    # Three limbs bear the body while the fourth is bent.
    stiffness=7e5,
    mirrors=(0, 2),
)
