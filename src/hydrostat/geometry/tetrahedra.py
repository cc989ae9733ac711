"""Tetrahedral meshes: the container, volumes, boundary, element quality."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from hydrostat.arrays import Floats, Ints
from hydrostat.geometry.surfaces import Surface

# The four faces of tetrahedron (0, 1, 2, 3), counter-clockwise from outside; face i is opposite corner i.
FACES = np.array([[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]])


@dataclass(frozen=True)
class TetMesh:
    """A tetrahedral mesh with positive volumes.

    vertices: (n, 3) metres. tets: (t, 4) indices; det(v1-v0, v2-v0, v3-v0) > 0.
    """

    vertices: Floats
    tets: Ints

    @cached_property
    def volumes(self) -> Floats:
        """Signed volume of every tetrahedron, (t,) m³."""
        return signed_volumes(self.vertices, self.tets)

    @cached_property
    def boundary(self) -> Ints:
        """Outward faces that belong to one tetrahedron only, (f, 3) indices."""
        faces = self.tets[:, FACES].reshape(-1, 3)
        _, first, count = np.unique(np.sort(faces, axis=1), axis=0, return_index=True, return_counts=True)
        return faces[np.sort(first[count == 1])]

    @cached_property
    def surface(self) -> Surface:
        """The boundary over the same vertices."""
        return Surface(self.vertices, self.boundary)


def signed_volumes(positions: Floats, tets: Ints) -> Floats:
    """Signed volumes, (t,) m³, of ``tets`` (t, 4) at ``positions`` (n, 3) m."""
    a, b, c, d = (positions[tets[:, i]] for i in range(4))
    return np.einsum("ti,ti->t", np.cross(b - a, c - a), d - a) / 6.0
