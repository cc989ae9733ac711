"""Normals of a triangle surface that keeps its edges."""

from __future__ import annotations

import numpy as np
from numba import njit

from hydrostat.arrays import Floats, Ints


@njit(cache=True, error_model="numpy")
def corner_normals(vertices: Floats, faces: Ints, sharp: float, smooth: float) -> Floats:
    """Normals at the three corners of each face, (f, 3, 3), of any length.

    Each is the sum over the faces at that vertex, by area, of those that lie in about the same plane: fully
    where the cosine between the two faces is above ``smooth``, not at all below ``sharp``. So soft flesh is
    smooth and the edges of a letter stay edges, without a jump in between when the flesh bends.
    """
    count = faces.shape[0]
    across = np.empty((count, 3))
    area = np.empty(count)
    starts = np.zeros(vertices.shape[0] + 1, dtype=np.int64)
    for f in range(count):
        a, b, c = vertices[faces[f, 0]], vertices[faces[f, 1]], vertices[faces[f, 2]]
        across[f, 0] = (b[1] - a[1]) * (c[2] - a[2]) - (b[2] - a[2]) * (c[1] - a[1])
        across[f, 1] = (b[2] - a[2]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[2] - a[2])
        across[f, 2] = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
        area[f] = np.sqrt(across[f, 0] ** 2 + across[f, 1] ** 2 + across[f, 2] ** 2) + 1e-300
        for i in range(3):
            starts[faces[f, i] + 1] += 1
    starts = np.cumsum(starts)
    around = np.empty(3 * count, dtype=np.int64)
    taken = np.zeros(vertices.shape[0], dtype=np.int64)
    for f in range(count):
        for i in range(3):
            vertex = faces[f, i]
            around[starts[vertex] + taken[vertex]] = f
            taken[vertex] += 1
    normals = np.zeros((count, 3, 3))
    for f in range(count):
        for i in range(3):
            for place in range(starts[faces[f, i]], starts[faces[f, i] + 1]):
                other = around[place]
                cosine = 0.0
                for k in range(3):
                    cosine += across[f, k] * across[other, k]
                cosine /= area[f] * area[other]
                weight = min(max((cosine - sharp) / (smooth - sharp), 0.0), 1.0)
                for k in range(3):
                    normals[f, i, k] += weight * across[other, k]
    return normals
