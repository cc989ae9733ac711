"""Mesh characters anew: ``python -m hydrostat.characters.meshes NAME …``."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from hydrostat.characters import CHARACTERS
from hydrostat.geometry.meshing import tetrahedralize
from hydrostat.geometry.mirror import mirrored
from hydrostat.geometry.quality import check_tets


def remesh(name: str) -> None:
    """Write the mesh of the character called ``name`` anew."""
    character = CHARACTERS[name]
    if character.surface is None:
        sys.exit(f"{name} has no surface to mesh")
    mesh = tetrahedralize(character.surface(), tets=character.tets // 2 ** len(character.mirrors))
    for axis in character.mirrors:
        mesh = mirrored(mesh, axis)
    tets = mesh.tets.astype(np.int32)
    np.savez_compressed(Path(__file__).with_name(f"{name}.npz"), vertices=mesh.vertices, tets=tets)
    print(name, check_tets(mesh))


if __name__ == "__main__":
    for character_name in sys.argv[1:]:
        remesh(character_name)
