"""The four-legged X of T2012's walk: four longitudinal muscles and two radial ones a limb (Figure 10d), 112 segments.

Every limb has its muscles to itself, in groups that leave the rest of the body alone. Limbs are named by where their
feet stand: front is +x, left is −z when it walks along x, seen from behind.
"""

from __future__ import annotations

import numpy as np

from hydrostat.actuation.muscles import Fibre, MuscleGroup, longitudinal, radial
from hydrostat.arrays import Floats
from hydrostat.characters.character import Character
from hydrostat.characters.meshes import shipped_mesh
from hydrostat.geometry.repair import repair
from hydrostat.geometry.surfaces import Surface, triangulate

TETS = 1128
SPAN, HEIGHT, LIMB, FOOT = 1.2, 0.45, 0.21, 0.2
LIMBS = {"front left": (1, -1), "front right": (1, 1), "rear left": (-1, -1), "rear right": (-1, 1)}
# From the side, the fibres of a limb's back and of its belly: distance from the middle and height of both ends, m.
BACK = ((0.06, 0.39), (0.54, 0.075))
BELLY = ((0.10, 0.29), (0.44, 0.035))
# Fibres stand this far from the middle plane of their limb; crosses span this much, m, at these shares of its length.
SIDE, WIDE, HIGH = 0.065, 0.15, 0.13
CROSSES = (0.33, 0.67)
REACH = 0.16
START, END = (np.mean([back, belly], axis=0) for back, belly in zip(BACK, BELLY, strict=True))
UP = HIGH * np.array([START[1] - END[1], END[0] - START[0], 0.0]) / np.linalg.norm(END - START)
ACROSS = np.array([0.0, 0.0, WIDE])


def _surface() -> Surface:
    """The half of quadruped_x_surface where z is positive: two limbs, each with its quarter of the middle."""
    near, far = LIMB / 2, SPAN / 2
    # One limb from the side, around from the back to its toe: distance from the middle and height.
    profile = [(near, HEIGHT), (near, HEIGHT - LIMB), (far - FOOT, 0.0), (far, 0.0), (far, near)]
    n = len(profile)
    top, bottom = 2 * n, 2 * n + 1
    points = [(out, y, side) for side in (-near, near) for out, y in profile]
    points += [(0.0, HEIGHT, 0.0), (0.0, HEIGHT - LIMB, 0.0)]
    shared = [[(i + 1) % n, (i + 1) % n + n, i + n, i] for i in range(1, n)]
    shared += [list(range(n - 1, -1, -1)), list(range(n, 2 * n)), [top, n, 0], [bottom, 1, n + 1]]
    # The flat side where z is 0; the other cut of a quarter, where x is 0, lies inside the half.
    front, rear = [*shared, [top, 0, 1, bottom]], [*shared, [top, bottom, n + 1, n]]
    # Rounded, so that the corners that both limbs share are one.
    vertices = np.vstack([np.array(points) @ _frame(x, 1).T for x in (1, -1)]).round(9)
    faces, _ = triangulate(vertices, front + [[corner + len(points) for corner in polygon] for polygon in rear])
    return repair(Surface(vertices, faces))[0]


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
        longitudinal(frame @ [*start, side], frame @ [*end, side], segments=6)
        for start, end in (BACK, BELLY)
        for side in (-SIDE, SIDE)
    ]


def _crossing(frame: Floats, span: Floats) -> list[Fibre]:
    """Fibres along ``span`` (3,) m through the middle line of a limb, both in the ``frame`` of that limb."""
    places = [(1.0 - share) * START + share * END for share in CROSSES]
    return [fibre for place in places for fibre in radial(frame @ [*place, 0.0], spans=[frame @ span])]


CHARACTER = Character(
    name="x",
    summary="a quadruped, seen from above the letter X: 1128 tets, 112 muscle segments",
    height=HEIGHT,
    mesh=lambda: shipped_mesh("x"),
    groups=_groups,
    surface=_surface,
    tets=TETS,
    mirrors=(2,),
)
