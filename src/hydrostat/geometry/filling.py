"""A wanted number of tetrahedra, or a surface, from a signed distance."""

from __future__ import annotations

import numpy as np

from hydrostat.arrays import Floats, Ints
from hydrostat.errors import InputError
from hydrostat.geometry.stuffing import Field, compacted, stuffed
from hydrostat.geometry.surfaces import Surface
from hydrostat.geometry.tetrahedra import FACES, TetMesh
from hydrostat.geometry.winding import edges_of

# Raise it when the same request gives another mesh than before, so that kept ones are not taken for it.
EDITION = 1
# The first try has this many cells along the diagonal of the bounds.
FIRST_CELLS = 25.0
TRIES = 12
# A count this near to the wanted one is as good as the same.
CLOSE = 0.02
# Cells shrink by this factor for another try at about the same size.
AGAIN = 0.997


def filled(distance: Field, bounds: Floats, tets: int, tolerance: float = 0.10) -> TetMesh:
    """One piece of tetrahedra that fills the points of negative ``distance``, in number about ``tets``.

    distance: from points (n, 3) m to signed distances (n,) m. bounds: (2, 3) m, a box around the shape. tolerance:
    a count further off than this share of ``tets`` is refused. A mesh whose boundary is a manifold is sought; where
    gaps or walls are thinner than the cells there may be none.
    """
    cell = float(np.linalg.norm(bounds[1] - bounds[0])) / FIRST_CELLS
    best, lowest = TetMesh(np.empty((0, 3)), np.empty((0, 4), dtype=np.int64)), (np.inf, 0)
    for _ in range(TRIES):
        mesh = largest_piece(stuffed(distance, bounds, cell))
        off = abs(len(mesh.tets) - tets) / tets
        score = (max(off, CLOSE), pinches(mesh.boundary))
        if score < lowest:
            best, lowest = mesh, score
        if lowest == (CLOSE, 0):
            break
        # Not by more than half at once: without any tetrahedra, the shape fell through the lattice.
        cell *= AGAIN if off <= CLOSE else max(len(mesh.tets) / tets, 0.125) ** (1.0 / 3.0)
    if lowest[0] > tolerance:
        raise InputError(
            f"tets is {tets}, and no lattice gives nearer than {len(best.tets)}",
            f"a number that can be met within {tolerance:.0%}",
            "ask for more tetrahedra",
        )
    return best


def outline(distance: Field, bounds: Floats, cell: float) -> Surface:
    """The closed surface where ``distance`` is zero, of its largest piece, in triangles about ``cell`` m long.

    Slightly smaller cells are tried until it is a manifold.
    """
    best, lowest = Surface(np.empty((0, 3)), np.empty((0, 3), dtype=np.int64)), np.inf
    for _ in range(TRIES):
        mesh = largest_piece(stuffed(distance, bounds, cell))
        surface = Surface(*compacted(mesh.vertices, mesh.boundary))
        found = pinches(surface.faces)
        if found < lowest:
            best, lowest = surface, found
        if found == 0:
            break
        cell *= AGAIN
    return best


def pinches(faces: Ints) -> int:
    """At how many edges of ``faces`` (f, 3) more than two meet."""
    return int(np.count_nonzero(edges_of(faces).count > 2))


def largest_piece(mesh: TetMesh) -> TetMesh:
    """The part of ``mesh`` with the largest volume whose tetrahedra hang together by faces."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    if len(mesh.tets) == 0:
        return mesh
    faces = np.sort(mesh.tets[:, FACES].reshape(-1, 3), axis=1)
    order = np.lexsort(faces.T)
    same = (faces[order[1:]] == faces[order[:-1]]).all(axis=1)
    start, end = order[:-1][same] // 4, order[1:][same] // 4
    links = coo_array((np.ones(len(start), dtype=bool), (start, end)), shape=(len(mesh.tets),) * 2)
    _, piece = connected_components(links, directed=False)
    tets = mesh.tets[piece == np.argmax(np.bincount(piece, mesh.volumes))]
    return TetMesh(*compacted(mesh.vertices, tets))
