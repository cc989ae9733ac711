"""The natural vibrations of an elastic mesh: its lowest modes beside rigid motion (docs/theory/b2024.md)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hydrostat.arrays import Floats
from hydrostat.bodies.eigenmodes import lowest_eigenvectors
from hydrostat.bodies.fem import FemBody
from hydrostat.bodies.mesh_matrices import elastic_hessian, node_pairs
from hydrostat.geometry.tetrahedra import TetMesh


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
    body = FemBody(mesh)
    pairs = node_pairs(len(mesh.vertices), mesh.tets)
    stiffness = elastic_hessian(pairs, body.rest_gradients, mesh.volumes)
    masses = np.repeat(body.masses / body.material.density, 3)
    values, vectors = lowest_eigenvectors(stiffness, masses, rigid_motions(mesh.vertices), count)
    return Vibrations(np.sqrt(mesh.volumes.sum()) * vectors.reshape(-1, 3, count), values)


def rigid_motions(positions: Floats) -> Floats:
    """Three translations and three rotations about the middle of ``positions`` (n, 3) m, as columns (3n, 6)."""
    arms = positions - positions.mean(axis=0)
    arms = arms / np.abs(arms).max()
    turns = [np.cross(axis, arms).ravel() for axis in np.eye(3)]
    shifts = [np.tile(axis, len(positions)) for axis in np.eye(3)]
    return np.column_stack([*shifts, *turns])
