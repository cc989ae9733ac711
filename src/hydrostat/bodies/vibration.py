"""The natural vibrations of an elastic mesh: its lowest modes beside rigid motion (docs/theory/b2024.md)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import diags_array

from hydrostat.arrays import Floats
from hydrostat.bodies.eigenmodes import lowest_eigenvectors
from hydrostat.bodies.fem import FemBody, Material
from hydrostat.bodies.mesh_matrices import elastic_hessian, node_pairs
from hydrostat.errors import InputError
from hydrostat.geometry.tetrahedra import TetMesh

# Stiffness that holds what is no part of a local mode, over stiffness / size² of the body.
HOLD = 1e4


@dataclass(frozen=True)
class Vibrations:
    """Modes of a free body, lowest first.

    shapes (n, 3, m): displacement of every node for one metre of amplitude; the root mean square over the mass is 1.
    eigenvalues (m,) 1/m²: times stiffness/density it is the squared angular frequency.
    """

    shapes: Floats
    eigenvalues: Floats

    def frequencies(self, stiffness: float, density: float) -> Floats:
        """Hz, (m,), of a body with as-rigid-as-possible ``stiffness`` Pa and ``density`` kg/m³."""
        return np.sqrt(self.eigenvalues * stiffness / density) / (2.0 * np.pi)


def vibrations(mesh: TetMesh, count: int) -> Vibrations:
    """The ``count`` lowest modes of ``mesh`` that are no rigid motion. B2024-(4)"""
    return _modes(mesh, np.zeros(len(mesh.vertices)), rigid_motions(mesh.vertices), count)


def local_vibrations(mesh: TetMesh, membership: Floats, count: int) -> Vibrations:
    """The ``count`` lowest modes of a part of ``mesh``; the rest of it hardly moves. B2024-(4a)

    membership (n,): 1 for nodes of the part, 0 for others, and anything between.
    """
    if membership.shape != (len(mesh.vertices),) or not ((membership >= 0) & (membership <= 1)).all():
        raise InputError(
            f"membership of shape {membership.shape}",
            f"{len(mesh.vertices)} shares from 0 to 1",
            "give one for every vertex",
        )
    if membership.min() > 0.0:
        raise InputError("a part that is the whole body", "some vertices with membership 0", "take vibrations instead")
    return _modes(mesh, HOLD * (1.0 - membership) / size_of(mesh) ** 2, np.empty((3 * len(mesh.vertices), 0)), count)


def _modes(mesh: TetMesh, held: Floats, free: Floats, count: int) -> Vibrations:
    """Modes of a body of unit stiffness and density that is ``held`` (n,) 1/m² in place, across ``free``."""
    body = FemBody(mesh, Material(density=1.0))
    stiffness = elastic_hessian(node_pairs(len(mesh.vertices), mesh.tets), body.rest_gradients, mesh.volumes)
    masses = np.repeat(body.masses, 3)
    values, vectors = lowest_eigenvectors(
        stiffness + diags_array(np.repeat(held, 3) * masses), masses, free, count, mesh.vertices
    )
    return Vibrations(np.sqrt(body.mass) * vectors.reshape(-1, 3, count), values)


def rigid_motions(positions: Floats) -> Floats:
    """Three translations and three rotations about the middle of ``positions`` (n, 3) m, as columns (3n, 6)."""
    arms = positions - positions.mean(axis=0)
    arms = arms / np.abs(arms).max()
    turns = [np.cross(axis, arms).ravel() for axis in np.eye(3)]
    shifts = [np.tile(axis, len(positions)) for axis in np.eye(3)]
    return np.column_stack([*shifts, *turns])


def size_of(mesh: TetMesh) -> float:
    """Root mean square of the extents of ``mesh`` along the axes, m."""
    return float(np.sqrt((np.ptp(mesh.vertices, axis=0) ** 2).mean()))
