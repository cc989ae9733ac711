"""Find the edge length that gives a wanted number of tetrahedra."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from hydrostat.errors import InputError
from hydrostat.geometry.quality import smallest_dihedral
from hydrostat.geometry.tetrahedra import TetMesh

TOLERANCE = 0.05
# Among meshes with the wanted count, one without dihedral angles below this is sought, degrees.
GOOD_DIHEDRAL = 10.0
TRIES = 24
# Tetrahedra go with this power of the edge length: coarse meshes count their surface, fine ones their volume.
GROWTH = 2.0
# How much lengths are spread (natural logarithm), and how much counts scatter at almost equal lengths.
SPREAD, SCATTER = 0.06, 0.2
GOLDEN = (np.sqrt(5.0) - 1.0) / 2.0


def search(mesh_with: Callable[[float], TetMesh], volume: float, longest: float, wanted: int) -> TetMesh:
    """A mesh with ``wanted`` tetrahedra, within 5 %.

    ``mesh_with``: from an edge length, m, to a mesh of a solid of ``volume`` m³; no edge is longer than
    ``longest`` m. Counts scatter around their trend by a tenth or two, so bisection would be led astray:
    every try says which length the trend would have asked for, the tries that came near count most in the
    average, and the next length is spread a little around it.
    """
    # A regular tetrahedron fills edge³/8.5; real ones are a little larger.
    length = min((10.0 * volume / wanted) ** (1.0 / 3.0), longest)
    lengths: list[float] = []
    counts: list[int] = []
    best: TetMesh | None = None
    for attempt in range(1, TRIES + 1):
        mesh = mesh_with(length)
        lengths.append(length)
        counts.append(len(mesh.tets))
        if abs(counts[-1] - wanted) <= TOLERANCE * wanted:
            if _worst(mesh) >= GOOD_DIHEDRAL:
                return mesh
            best = mesh if best is None else max(best, mesh, key=_worst)
        off = np.log(np.array(counts) / wanted)
        advice = np.average(np.log(lengths) + off / GROWTH, weights=1.0 / (off**2 + SCATTER**2))
        spread = SPREAD * ((attempt * GOLDEN) % 1.0 - 0.5)
        length = min(float(np.exp(advice + spread)), longest)
    if best is not None:
        return best
    closest = min(counts, key=lambda count: abs(count - wanted))
    raise InputError(
        f"tets is {wanted}, and the mesher cannot come nearer than {closest} on this surface",
        f"a number that it can reach within {TOLERANCE:.0%}",
        f"pass tets={closest}, an edge_length, or a simpler surface",
    )


def _worst(mesh: TetMesh) -> float:
    return float(smallest_dihedral(mesh.vertices, mesh.tets).min())
