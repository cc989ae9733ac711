"""Simple shapes."""

from __future__ import annotations

import numpy as np

from hydrostat.geometry.tetrahedra import TetMesh


def box_tets(size, cells) -> TetMesh:
    nx, ny, nz = cells
    g = np.stack(np.meshgrid(*[np.linspace(0, s, c + 1) for s, c in zip(size, cells)], indexing="ij"), -1).reshape(-1, 3)
    def nid(i, j, k): return (i * (ny + 1) + j) * (nz + 1) + k
    T = []
    for i in range(nx):
        for j in range(ny):
            for k in range(nz):
                c = [nid(i + a, j + b, k + d) for a in (0, 1) for b in (0, 1) for d in (0, 1)]
                for p in ([0,1,3,7],[0,3,2,7],[0,2,6,7],[0,6,4,7],[0,4,5,7],[0,5,1,7]):
                    T.append([c[q] for q in p])
    m = TetMesh(g, np.array(T))
    s = m.volumes < 0
    t = m.tets.copy(); t[s] = t[s][:, [0, 2, 1, 3]]
    return TetMesh(g, t)
