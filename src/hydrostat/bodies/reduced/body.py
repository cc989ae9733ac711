"""The reduced body: constants of a body whose motion is a few affine motions blended (docs/theory/b2024.md)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from hydrostat.arrays import Floats, Ints
from hydrostat.errors import InputError
from hydrostat.geometry.tetrahedra import TetMesh


@dataclass(frozen=True)
class ReducedBody:
    """A body in k = 4w coordinates, each a point (3,) m: all nodes are basis @ coordinates.

    The basis makes both matrices of the energy diagonal: the mass matrix is mass · I, the stiffness matrix
    diag(stiffnesses). Its first column is 1, so that the first coordinate is the centre of mass.

    mesh: the rest shape, n nodes and t elements. basis (n, k). rest_coordinates (k, 3) m. mass kg.
    size m: root mean square of the three extents.
    stiffnesses (k,) N/m: of passive and actuation energy together. actuation_stiffness (k, k) N/m: of the second alone.
    passive (k, 3 cp) N: tensor of the passive energy, cluster c in columns 3c to 3c + 2.
    actuation (m + 1, k, 3 ca): the same of every mode, N/m, and last of the rest shape, N.
    passive_clusters, actuation_clusters (t,): which elements share a rotation.
    modes (n, 3, m): displacement of every node for an amplitude of one metre.
    samples (s,): the nodes that may touch the ground.
    """

    mesh: TetMesh
    basis: Floats
    rest_coordinates: Floats
    mass: float
    size: float
    stiffnesses: Floats
    actuation_stiffness: Floats
    passive: Floats
    actuation: Floats
    passive_clusters: Ints
    actuation_clusters: Ints
    modes: Floats
    samples: Ints

    @property
    def clusters(self) -> int:
        """Number of rotations, passive ones first."""
        return (self.passive.shape[1] + self.actuation.shape[2]) // 3

    @property
    def height(self) -> float:
        """Extent of the rest shape along y, m."""
        return float(np.ptp(self.mesh.vertices[:, 1]))

    def positions(self, coordinates: Floats) -> Floats:
        """All nodes, (n, 3) m, at ``coordinates`` (k, 3) m."""
        return self.basis @ coordinates

    def with_modes(self, chosen: Sequence[int]) -> ReducedBody:
        """The same body, driven by the ``chosen`` ones of its modes only."""
        count = self.modes.shape[2]
        if any(not 0 <= mode < count for mode in chosen):
            raise InputError(f"modes {list(chosen)}", f"numbers from 0 to {count - 1}", "choose among the body's modes")
        return replace(self, modes=self.modes[:, :, list(chosen)], actuation=self.actuation[[*chosen, count]])
