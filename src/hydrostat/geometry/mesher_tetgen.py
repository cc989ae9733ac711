"""Run TetGen once: ``python mesher_tetgen.py input.npz output.npz``.

A program of its own for the same reasons as mesher_ftetwild.py.
"""

from __future__ import annotations

import sys

import numpy as np

# TetGen's bounds on the shape of elements: circumradius by shortest edge, and the dihedral angle in degrees.
RADIUS_EDGE_RATIO = 1.3
MIN_DIHEDRAL = 14.0


def main(given: str, wanted: str) -> None:
    """Mesh the surface in the file ``given`` into the file ``wanted``."""
    import tetgen

    with np.load(given) as data:
        vertices, faces, edge_length = data["vertices"], data["faces"], float(data["edge_length"])
    solid = tetgen.TetGen(vertices, faces.astype(np.int32))
    points, tets, *_ = solid.tetrahedralize(
        minratio=RADIUS_EDGE_RATIO,
        mindihedral=MIN_DIHEDRAL,
        fixedvolume=True,
        # The volume of a regular tetrahedron.
        maxvolume=edge_length**3 / (6 * np.sqrt(2)),
        quiet=True,
    )
    np.savez(wanted, vertices=points, tets=tets)


if __name__ == "__main__":
    main(*sys.argv[1:])
