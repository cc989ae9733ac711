"""From a tetrahedral mesh to its reduced body."""

from __future__ import annotations

from dataclasses import astuple, dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from hydrostat.arrays import Floats, Ints
from hydrostat.bodies.fem import FemBody, Material
from hydrostat.bodies.reduced.body import ReducedBody
from hydrostat.bodies.reduced.clusters import clusters, farthest_points
from hydrostat.bodies.reduced.skinning import orthonormal, skinning_basis, skinning_weights
from hydrostat.bodies.reduced.tensors import (
    actuation_tensor,
    basis_gradients,
    passive_tensor,
    quadratic,
    target_gradients,
)
from hydrostat.bodies.vibration import local_vibrations, size_of, vibrations
from hydrostat.errors import InputError
from hydrostat.geometry import mesh_cache
from hydrostat.geometry.quality import check_tets
from hydrostat.geometry.tetrahedra import TetMesh

GRAVITY = 9.81
# Default stiffness over density · gravity · size: a body of any size sags and swings alike, seen in its own units.
# Softer bodies answer their rhythm too late and sag onto the ground; with much stiffer ones every touch of the ground
# is a blow, and the same gait ends elsewhere from a slightly other pose.
PASSIVE_STIFFNESS, ACTUATION_STIFFNESS = 50.0, 250.0
# Default numbers of modes: of a whole body, and of every part of one.
MODES, MODES_OF_A_PART = 10, 2
# Smaller meshes are reduced in less time than a file of theirs is worth.
WORTH_KEEPING = 5000
KEPT = tuple(field.name for field in fields(ReducedBody) if field.name != "mesh")


@dataclass(frozen=True)
class ReducedOptions:
    """How far a mesh is reduced, and what it is made of.

    modes: number of vibrations that drive it; None for 10, or 2 of every part that moves by itself. weights: number of
    skinning weights w. passive_clusters, actuation_clusters: elements in a cluster share a rotation. samples: nodes
    that may touch the ground.
    density kg/m³. stiffness, actuation_stiffness Pa: of the as-rigid-as-possible energy and of the actuation; None
    for 50 and 250 times density · 9.81 m/s² · size, with which small and large bodies move alike.
    """

    modes: int | None = None
    weights: int = 5
    passive_clusters: int = 10
    actuation_clusters: int = 1
    samples: int = 30
    density: float = 1000.0
    stiffness: float | None = None
    actuation_stiffness: float | None = None

    def __post_init__(self) -> None:
        """Refuse what no body can have."""
        for name in ("modes", "weights", "passive_clusters", "actuation_clusters", "samples"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise InputError(f"{name} is {value}", "1 or more", f"change {name}")
        for name in ("density", "stiffness", "actuation_stiffness"):
            value = getattr(self, name)
            if value is not None and not 0.0 < value < np.inf:
                raise InputError(f"{name} is {value}", "a finite number above 0", f"change {name}")


def reduce_body(mesh: TetMesh, options: ReducedOptions | None = None, parts: Floats | None = None) -> ReducedBody:
    """The reduced body of ``mesh``; of a large mesh it is kept, and found again by content.

    parts (p, n): memberships, from 0 to 1, of the nodes in the parts that are to move by themselves, such as tentacles;
    the modes are then shared out among them. None for modes of the whole body.
    """
    options = options or ReducedOptions()
    if len(mesh.tets) < WORTH_KEEPING:
        return _reduce(mesh, options, parts)
    name = mesh_cache.key("reduced", _program(), mesh.vertices, mesh.tets, *astuple(options), parts)
    kept = _load(name, mesh)
    if kept is not None:
        return kept
    body = _reduce(mesh, options, parts)
    mesh_cache.save_arrays(name, {part: np.asarray(getattr(body, part)) for part in KEPT})
    return body


def _load(name: str, mesh: TetMesh) -> ReducedBody | None:
    """The body kept under ``name``, or None."""
    data = mesh_cache.load_arrays(name)
    if data is None or set(data) != set(KEPT):
        return None
    parts: dict[str, Any] = {part: array if array.ndim else float(array) for part, array in data.items()}
    return ReducedBody(mesh=mesh, **parts)


@cache
def _program() -> str:
    """A name that changes with the code that a reduction runs."""
    room = Path(__file__).parents[1]
    files = [*sorted(room.rglob("*.py")), room.parent / "solvers" / "dissection.py"]
    return mesh_cache.key(*(file.read_text(encoding="utf-8") for file in files))


def _reduce(mesh: TetMesh, options: ReducedOptions, parts: Floats | None) -> ReducedBody:
    _refuse_unsound(mesh)
    body = FemBody(mesh, Material(density=options.density))
    weights = skinning_weights(body, options.weights)
    # The first weight is the same everywhere; where it is the only one, places tell elements apart.
    features = (weights[:, 1:] if options.weights > 1 else mesh.vertices)[mesh.tets].mean(axis=1)
    return assemble(
        body,
        skinning_basis(mesh.vertices, weights),
        _modes(mesh, options.modes, parts),
        clusters(features, mesh.volumes, options.passive_clusters),
        clusters(features, mesh.volumes, options.actuation_clusters),
        spread_samples(mesh, options.samples),
        options,
    )


def _modes(mesh: TetMesh, count: int | None, parts: Floats | None) -> Floats:
    """``count`` modes (n, 3, m), as many of every part, those of a part side by side."""
    if parts is None:
        return vibrations(mesh, count or MODES).shapes
    count = count or MODES_OF_A_PART * len(parts)
    if count % len(parts):
        raise InputError(
            f"{count} modes for {len(parts)} parts", "as many for each", f"take {len(parts)} or a multiple"
        )
    return np.concatenate([local_vibrations(mesh, part, count // len(parts)).shapes for part in parts], axis=2)


def assemble(
    body: FemBody,
    basis: Floats,
    modes: Floats,
    passive_clusters: Ints,
    actuation_clusters: Ints,
    samples: Ints,
    options: ReducedOptions,
) -> ReducedBody:
    """The reduced body over any ``basis`` (n, k) that spans its affine motions, with any modes and clusters."""
    mesh, size = body.mesh, size_of(body.mesh)
    scale = options.density * GRAVITY * size
    passive = (options.stiffness or PASSIVE_STIFFNESS * scale) * mesh.volumes
    active = (options.actuation_stiffness or ACTUATION_STIFFNESS * scale) * mesh.volumes
    basis = orthonormal(basis, body.masses)
    gradients = basis_gradients(basis, mesh.tets, body.rest_gradients)
    # The constant has no energy; the others are turned until the stiffness is diagonal, which leaves the masses alone.
    stiffnesses, turn = np.linalg.eigh(quadratic(passive + active, gradients)[1:, 1:])
    basis[:, 1:] = basis[:, 1:] @ turn
    gradients = basis_gradients(basis, mesh.tets, body.rest_gradients)
    targets = target_gradients(modes, mesh.tets, body.rest_gradients)
    return ReducedBody(
        mesh=mesh,
        basis=basis,
        rest_coordinates=basis.T @ (body.masses[:, None] * mesh.vertices) / body.mass,
        mass=body.mass,
        size=size,
        stiffnesses=np.concatenate([[0.0], stiffnesses]),
        actuation_stiffness=quadratic(active, gradients),
        passive=passive_tensor(passive, gradients, passive_clusters),
        actuation=actuation_tensor(active, gradients, actuation_clusters, targets),
        passive_clusters=passive_clusters,
        actuation_clusters=actuation_clusters,
        modes=modes,
        samples=samples,
    )


def spread_samples(mesh: TetMesh, count: int) -> Ints:
    """Nodes of the surface, (s,), spread over it by farthest points from the lowest one on."""
    surface = np.unique(mesh.boundary)
    points = mesh.vertices[surface]
    chosen: Ints = surface[farthest_points(points, count, int(points[:, 1].argmin()))]
    return chosen


def _refuse_unsound(mesh: TetMesh) -> None:
    """Refuse what has no vibrations: loose pieces, flat elements, nodes without mass."""
    quality = check_tets(mesh)
    for given, expected, cure, wrong in (
        ("coordinates that are not finite", "numbers", "export the mesh again", not np.isfinite(mesh.vertices).all()),
        (f"{quality.inverted} elements without volume", "positive volumes", "mesh it again", quality.inverted > 0),
        (f"{quality.components} pieces that do not touch", "one piece", "keep the largest", quality.components > 1),
        (
            f"{quality.unused_vertices} vertices of no element",
            "only vertices that are used",
            "leave them out",
            quality.unused_vertices > 0,
        ),
    ):
        if wrong:
            raise InputError(f"a mesh with {given}", expected, cure)
