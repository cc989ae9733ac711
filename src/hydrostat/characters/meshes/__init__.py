"""The tetrahedral meshes of the characters, as they were when their behaviours were tuned.

fTetWild meshes a surface a little differently every time, so a character's mesh comes with the package, as
``NAME.npz`` with ``vertices`` (n, 3) m and ``tets`` (t, 4). ``python -m hydrostat.characters.meshes NAME`` makes it
anew from the character's surface.
"""

from __future__ import annotations

from importlib.resources import files

import numpy as np

from hydrostat.arrays import frozen
from hydrostat.geometry.tetrahedra import TetMesh


def shipped_mesh(name: str) -> TetMesh:
    """The mesh of the character called ``name``."""
    with (files(__name__) / f"{name}.npz").open("rb") as file, np.load(file) as arrays:
        return TetMesh(frozen(arrays["vertices"]), frozen(arrays["tets"], np.int64))
