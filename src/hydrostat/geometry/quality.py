"""How good tetrahedra are: dihedral angles, volumes, pieces."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hydrostat.arrays import Floats, Ints
from hydrostat.errors import InputError
from hydrostat.geometry.tetrahedra import FACES, TetMesh

# The two faces (numbered as in FACES, by the corner opposite) that meet at each of the edges
# 01, 02, 03, 12, 13, 23.
FACES_AT_EDGE = np.array([[2, 3], [1, 3], [1, 2], [0, 3], [0, 2], [0, 1]])


@dataclass(frozen=True)
class TetQuality:
    """Counts and measures of a tetrahedral mesh; angles in degrees, volumes in m³.

    ``fifth_percentile_dihedral``: 5 % of the tetrahedra have a smaller smallest angle. ``inverted``:
    tetrahedra without positive volume. ``components``: pieces that share no vertex. ``unused_vertices``
    belong to no tetrahedron and would have no mass.
    """

    tets: int
    vertices: int
    min_dihedral: float
    fifth_percentile_dihedral: float
    min_volume: float
    max_volume: float
    total_volume: float
    inverted: int
    components: int
    unused_vertices: int


def dihedral_angles(positions: Floats, tets: Ints) -> Floats:
    """Angles between the faces at the edges 01, 02, 03, 12, 13, 23 of every tetrahedron, (t, 6) degrees.

    positions: (n, 3) m. tets: (t, 4) indices. A regular tetrahedron has six times arccos(1/3) = 70.53°; a
    face without area gives 0°.
    """
    a, b, c = (positions[tets[:, FACES[:, i]]] for i in range(3))
    normals = np.cross(b - a, c - a)
    first, second = normals[:, FACES_AT_EDGE[:, 0]], normals[:, FACES_AT_EDGE[:, 1]]
    sine = np.linalg.norm(np.cross(first, second), axis=2)
    # Outward normals include the supplement of the angle inside; 0 - x keeps a zero positive for arctan2.
    cosine = 0.0 - np.einsum("tei,tei->te", first, second)
    angles: Floats = np.degrees(np.arctan2(sine, cosine))
    return angles


def smallest_dihedral(positions: Floats, tets: Ints) -> Floats:
    """The smallest dihedral angle of every tetrahedron, (t,) degrees."""
    smallest: Floats = dihedral_angles(positions, tets).min(axis=1)
    return smallest


def check_tets(mesh: TetMesh) -> TetQuality:
    """Measure ``mesh``."""
    if len(mesh.tets) == 0:
        raise InputError("the mesh has no tetrahedra", "one or more", "mesh the surface again")
    smallest = smallest_dihedral(mesh.vertices, mesh.tets)
    used = np.unique(mesh.tets)
    return TetQuality(
        tets=len(mesh.tets),
        vertices=len(mesh.vertices),
        min_dihedral=float(smallest.min()),
        fifth_percentile_dihedral=float(np.percentile(smallest, 5)),
        min_volume=float(mesh.volumes.min()),
        max_volume=float(mesh.volumes.max()),
        total_volume=float(mesh.volumes.sum()),
        inverted=int(np.count_nonzero(mesh.volumes <= 0)),
        components=_components(mesh.tets, used),
        unused_vertices=len(mesh.vertices) - len(used),
    )


def _components(tets: Ints, used: Ints) -> int:
    """Number of pieces of ``tets`` (t, 4) that share no vertex; ``used`` are their vertices, sorted."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    corners = np.searchsorted(used, tets)
    start, end = np.repeat(corners[:, 0], 3), corners[:, 1:].ravel()
    links = coo_array((np.ones(len(start), dtype=bool), (start, end)), shape=(len(used), len(used)))
    return int(connected_components(links, directed=False)[0])
