"""Points that move with a tetrahedral mesh."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import coo_array
from scipy.spatial import cKDTree

from hydrostat.arrays import Floats, Ints
from hydrostat.geometry.tetrahedra import TetMesh


@dataclass(frozen=True)
class Embedding:
    nodes: Ints
    weights: Floats

    def positions(self, vertices: Floats) -> Floats:
        return np.einsum("ka,kai->ki", self.weights, vertices[self.nodes])

    def matrix(self, n: int) -> coo_array:
        k = len(self.nodes)
        return coo_array((self.weights.ravel(), (np.repeat(np.arange(k), 4), self.nodes.ravel())), shape=(k, n))


def embed(points: Floats, mesh: TetMesh) -> Embedding:
    v = mesh.vertices[mesh.tets]
    inv = np.linalg.inv((v[:, 1:] - v[:, :1]).transpose(0, 2, 1))
    k = min(40, len(v))
    _, near = cKDTree(v.mean(axis=1)).query(points, k)
    near = near.reshape(len(points), k)
    b = np.einsum("pkij,pkj->pki", inv[near], points[:, None] - v[near, 0])
    w = np.concatenate([1 - b.sum(axis=2, keepdims=True), b], axis=2)
    best = np.argmax(w.min(axis=2), axis=1)
    rows = np.arange(len(points))
    return Embedding(mesh.tets[near[rows, best]], w[rows, best])
