"""B2024 figure 8: modes in which a gorilla's limbs move in sync, and modes in which they do not, give such gaits.

A mode is in sync when its left half moves as the mirror image of its right half does. Of the lowest modes the
first of either kind drive the body.
"""

from __future__ import annotations

import numpy as np
from scipy.spatial import cKDTree

from hydrostat.arrays import Floats, Ints
from hydrostat.bodies.reduced import ReducedBody, ReducedOptions
from hydrostat.search.wishes import Wishes
from hydrostat.studies.b2024 import Walk, creature_body, find_walk
from hydrostat.studies.b2024_report import TOLD, draw_walks, markdown, told, verdict
from hydrostat.studies.study import Findings, Options, Study

CREATURE, OFFERED, USED = "gorilla", 12, 4
MIRROR = np.array([1.0, 1.0, -1.0])  # the right side is at positive z
NOTES = (
    "Sync is the correlation of the left half's motion with the mirror image of the right half's, relative to what the",
    "whole body does: 1 where both sides do the same at the same time, −1 where one does what the other undoes.",
)


def measure(options: Options) -> Findings:
    """Sort the modes, and search with either kind."""
    body = creature_body(CREATURE, ReducedOptions(OFFERED), options)
    partners = mirrored_nodes(body.mesh.vertices)
    kinds = np.array([sync(body.modes[:, :, mode][None], partners) for mode in range(OFFERED)])
    lines = markdown(f"mode | {' | '.join(map(str, range(OFFERED)))}", [["sync", *(f"{kind:.2f}" for kind in kinds)]])
    walks, rows, signs = {}, [], []
    for name, chosen in (("in sync", np.flatnonzero(kinds > 0.0)), ("out of sync", np.flatnonzero(kinds < 0.0))):
        options.progress(name)
        modes = tuple(int(mode) for mode in chosen[:USED])
        walks[name] = find_walk(body, Wishes(only_modes=modes), options)
        signs.append(_sync_of(walks[name], partners))
        rows.append([name, " ".join(map(str, modes)), *told(walks[name]), f"{signs[-1]:.2f}"])
    lines += markdown(f"modes | which | {TOLD} | sync", rows)
    lines += [verdict("the gaits are in sync or not as their modes are", signs[0] > 0.0 > signs[1]), ""]
    return Findings({}, [*lines, *NOTES, "", draw_walks(options.out / "b2024-fig8.png", walks)])


def mirrored_nodes(vertices: Floats) -> Ints:
    """For every node the one that is nearest to its mirror image, (n,)."""
    nearest: Ints = cKDTree(vertices).query(vertices * MIRROR)[1]
    return nearest


def sync(shifts: Floats, partners: Ints) -> float:
    """Correlation of ``shifts`` (f, n, 3) with their mirror images."""
    return float((shifts * shifts[:, partners] * MIRROR).sum() / (shifts**2).sum())


def _sync_of(walk: Walk, partners: Ints) -> float:
    """The correlation of a motion's shapes, seen from a frame that goes and turns with the body, from their mean."""
    body, shapes = walk.trial.body, walk.motion.coordinates[:, 1:]
    return sync(_shifts(body, shapes, body.rest_coordinates[1:]), partners)


def _shifts(body: ReducedBody, shapes: Floats, rest: Floats) -> Floats:
    """Displacements (f, n, 3) from the mean of ``shapes`` (f, k - 1, 3), each turned as near to ``rest`` as it goes."""
    left, _, right = np.linalg.svd(shapes.transpose(0, 2, 1) @ rest)
    turned = shapes @ (left @ right)
    displaced: Floats = body.basis[:, 1:] @ (turned - turned.mean(axis=0))
    return displaced


STUDY = Study("b2024-fig8", "gaits of modes in sync and out of sync", measure)
