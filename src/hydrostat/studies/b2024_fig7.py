"""B2024 figure 7: a bat driven by a coarse cage around it, after Coros et al. 2012, and by its own modes.

A cage is a lattice of vertices around the body; each of them moves the body by its trilinear weight along x, y or z.
These fields are the actuation shapes in place of the modes, through the same energy, with the same limit on strain.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from hydrostat.arrays import Floats
from hydrostat.bodies.fem import FemBody, Material
from hydrostat.bodies.reduced import ReducedBody, ReducedOptions
from hydrostat.bodies.reduced.reduction import ACTUATION_STIFFNESS, GRAVITY
from hydrostat.bodies.reduced.tensors import actuation_tensor, basis_gradients, target_gradients
from hydrostat.bodies.vibration import size_of
from hydrostat.search.wishes import Wishes
from hydrostat.studies.b2024 import Walk, creature_body, find_walk
from hydrostat.studies.b2024_report import TOLD, draw_walks, markdown, told, verdict
from hydrostat.studies.study import Findings, Options, Study

CREATURE, MODES = "bat", 3
# Vertices of the cages along x, y and z; the bat's wings spread along z.
CAGES = {"cage, 8 vertices": (2, 2, 2), "cage, 32 vertices": (2, 4, 4)}
NOTES = (
    "Warp is how far the best affine fit of the body is from a rotation at most: the greatest change of a stretch.",
    "A stride is the distance of one period, in body lengths.",
)


def measure(options: Options) -> Findings:
    """Search with the modes, and with every cage."""
    reduced = ReducedOptions(MODES)
    body = creature_body(CREATURE, reduced, options)
    stiffness = ACTUATION_STIFFNESS * reduced.density * GRAVITY * size_of(body.mesh)
    bodies = {f"{MODES} modes": body}
    bodies |= {name: driven_by(body, cage_shapes(body, counts), stiffness) for name, counts in CAGES.items()}
    walks = {}
    for name, driven in bodies.items():
        options.progress(name)
        walks[name] = find_walk(driven, Wishes(), options)
    rows = [[name, *_told(walk)] for name, walk in walks.items()]
    head = f"actuation | degrees of freedom | {TOLD} | warp | stride"
    return Findings(
        {},
        [
            *markdown(head, rows),
            *_verdicts(list(walks.values())),
            "",
            *NOTES,
            "",
            draw_walks(options.out / "b2024-fig7.png", walks),
        ],
    )


def cage_shapes(body: ReducedBody, counts: tuple[int, int, int]) -> Floats:
    """Displacements (n, 3, 3c) of the nodes for one metre of every cage vertex along every axis."""
    places = body.mesh.vertices - body.mesh.vertices.min(axis=0)
    weights = np.ones((len(places), 1))
    for axis, count in enumerate(counts):
        along = places[:, axis] / places[:, axis].max() * (count - 1)
        hats = np.maximum(0.0, 1.0 - np.abs(along[:, None] - np.arange(count)))
        weights = (weights[:, :, None] * hats[:, None, :]).reshape(len(places), -1)
    # A vertex whose neighbourhood is empty moves nothing.
    weights = weights[:, weights.max(axis=0) > 0.0]
    shapes: Floats = np.einsum("nc,ij->nicj", weights, np.eye(3)).reshape(len(places), 3, -1)
    return shapes


def driven_by(body: ReducedBody, shapes: Floats, stiffness: float) -> ReducedBody:
    """``body`` with ``shapes`` (n, 3, m) in place of its modes; stiffness Pa: of its actuation."""
    mesh = body.mesh
    gradients = FemBody(mesh, Material()).rest_gradients
    tensor = actuation_tensor(
        stiffness * mesh.volumes,
        basis_gradients(body.basis, mesh.tets, gradients),
        body.actuation_clusters,
        target_gradients(shapes, mesh.tets, gradients),
    )
    return replace(body, modes=shapes, actuation=tensor)


def _warp(walk: Walk) -> float:
    shapes, rest = walk.motion.coordinates[:, 1:], walk.motion.coordinates[0, 1:]
    stretches = np.linalg.svd(np.linalg.pinv(rest) @ shapes, compute_uv=False)
    return float(np.abs(stretches - 1.0).max())


def _told(walk: Walk) -> list[str]:
    return [str(walk.trial.body.modes.shape[2]), *told(walk), f"{_warp(walk):.2f}", f"{walk.stride:.2f}"]


def _verdicts(walks: list[Walk]) -> list[str]:
    modes, small, large = walks
    return [
        verdict("a small cage warps the bat more than its modes do", _warp(small) > _warp(modes)),
        verdict("with a large cage it makes shorter strides", large.stride < modes.stride),
    ]


STUDY = Study("b2024-fig7", "a bat driven by cages, and by its modes", measure)
