"""Points that move with a tetrahedral mesh: a fine surface in coarse elements, muscle paths, sensors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hydrostat.arrays import Floats, Ints
from hydrostat.errors import InputError
from hydrostat.geometry.nearest import nearest_on_faces
from hydrostat.geometry.tetrahedra import FACES, TetMesh

if TYPE_CHECKING:
    from scipy.sparse import csr_array

# A point counts as inside down to this barycentric coordinate, so that faces and corners belong to a tet.
INSIDE = -1e-9
# Most points lie in one of this many tetrahedra with the nearest middles; the others are searched for.
NEIGHBOURS = 8


@dataclass(frozen=True)
class Embedding:
    """Where points sit in a mesh: tets (k,), their corners (k, 4) as vertex indices, and weights (k, 4).

    The weights of a point sum to 1; outside the mesh some are negative.
    """

    tets: Ints
    corners: Ints
    weights: Floats

    def positions(self, vertices: Floats) -> Floats:
        """The points, (k, 3) m, when the mesh has ``vertices`` (n, 3) m."""
        moved: Floats = np.einsum("kc,kci->ki", self.weights, vertices[self.corners])
        return moved

    def matrix(self, n: int) -> csr_array:
        """The weights as a sparse matrix (k, n) that takes the n vertices to the points."""
        from scipy.sparse import csr_array

        rows = np.repeat(np.arange(len(self.tets)), 4)
        entries = (self.weights.ravel(), (rows, self.corners.ravel()))
        return csr_array(entries, shape=(len(self.tets), n))


def embed(points: Floats, mesh: TetMesh) -> Embedding:
    """Give every point (k, 3) m the tetrahedron that holds it.

    A point outside gets the tetrahedron behind the nearest boundary face, whose barycentric coordinates
    are extrapolated, not clamped: every point returns to where it was, and affine motions are exact.
    """
    points = np.asarray(points, dtype=np.float64)
    if points.ndim != 2 or points.shape[1] != 3 or not np.isfinite(points).all():
        raise InputError(
            f"points have shape {points.shape}, {np.count_nonzero(~np.isfinite(points))} values not finite",
            "finite points of shape (k, 3)",
            "check where the points come from",
        )
    tets = _holding(points, mesh)
    outside = np.flatnonzero(tets < 0)
    if len(outside):
        face, _ = nearest_on_faces(points[outside], mesh.vertices, mesh.boundary)
        tets[outside] = _behind_boundary(mesh)[face]
    return Embedding(tets, mesh.tets[tets], barycentric(points, mesh, tets))


def barycentric(points: Floats, mesh: TetMesh, tets: Ints) -> Floats:
    """Barycentric coordinates, (k, 4), of ``points[i]`` (3,) m in tetrahedron ``tets[i]``."""
    corners = mesh.vertices[mesh.tets[tets]]
    edges = (corners[:, 1:] - corners[:, :1]).transpose(0, 2, 1)
    last = np.linalg.solve(edges, (points - corners[:, 0])[:, :, None])[:, :, 0]
    return np.column_stack([1.0 - last.sum(axis=1), last])


def _holding(points: Floats, mesh: TetMesh) -> Ints:
    """The tetrahedron that holds each point, (k,); −1 for points outside."""
    from scipy.spatial import cKDTree

    corners = mesh.vertices[mesh.tets]
    middles = corners.mean(axis=1)
    radius = np.linalg.norm(corners - middles[:, None], axis=2).max()
    tree = cKDTree(middles)
    # A list of ranks instead of their number keeps the answer two-dimensional.
    _, near = tree.query(points, k=range(1, min(NEIGHBOURS, len(middles)) + 1))
    tets = _best(points, mesh, list(near))
    missing = np.flatnonzero(tets < 0)
    # A tetrahedron that holds a point has its middle within its radius.
    within = tree.query_ball_point(points[missing], radius * (1 + 1e-9))
    tets[missing] = _best(points[missing], mesh, list(within))
    return tets


def _best(points: Floats, mesh: TetMesh, candidates: list[Ints | list[int]]) -> Ints:
    """Of each point's candidates the one that holds it most clearly, (k,); −1 if none does."""
    owner = np.repeat(np.arange(len(points)), [len(found) for found in candidates])
    best = np.full(len(points), -1)
    if len(owner) == 0:
        return best
    tet = np.concatenate([np.asarray(found, dtype=np.int64) for found in candidates])
    depth = barycentric(points[owner], mesh, tet).min(axis=1)
    order = np.lexsort((tet, depth, owner))
    order = order[depth[order] >= INSIDE]
    # Assigned in increasing depth: the last, deepest one stays.
    best[owner[order]] = tet[order]
    return best


def _behind_boundary(mesh: TetMesh) -> Ints:
    """The tetrahedron behind every face of ``mesh.boundary``, (f,)."""
    tet_faces = np.sort(mesh.tets[:, FACES].reshape(-1, 3), axis=1)
    both = np.vstack([tet_faces, np.sort(mesh.boundary, axis=1)])
    _, label = np.unique(both, axis=0, return_inverse=True)
    label = label.ravel()
    owner = np.empty(label.max() + 1, dtype=np.int64)
    owner[label[: len(tet_faces)]] = np.arange(len(tet_faces)) // 4
    behind: Ints = owner[label[len(tet_faces) :]]
    return behind
