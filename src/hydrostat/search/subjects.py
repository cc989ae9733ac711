"""What is animated: a creature by its name, or any mesh of the user."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from hydrostat.arrays import Floats
from hydrostat.characters.creatures import CREATURES
from hydrostat.errors import InputError
from hydrostat.geometry.any_mesh import SolidOptions, solid
from hydrostat.geometry.embedding import Embedding, embed
from hydrostat.geometry.surfaces import Surface
from hydrostat.geometry.tetrahedra import TetMesh


@dataclass(frozen=True)
class Subject:
    """A body to animate, and the surface that goes with it.

    surface: the one that the user gave, with his vertices and faces in their order, in metres. embedding: where its
    vertices sit in the mesh.
    """

    name: str
    mesh: TetMesh
    surface: Surface
    embedding: Embedding

    def surface_at(self, positions: Floats) -> Floats:
        """Vertices of the surface, (v, 3) m, when the nodes of the mesh are at ``positions`` (n, 3) m."""
        return self.embedding.positions(positions)


def load_subject(mesh: str, options: SolidOptions) -> Subject:
    """The creature of the name ``mesh``, or the body in the file ``mesh``."""
    if mesh in CREATURES:
        creature = CREATURES[mesh]
        tets, surface = creature.mesh(options.tets), creature.surface()
        return Subject(mesh, tets, surface, embed(surface.vertices, tets))
    path = Path(mesh)
    if not path.suffix and not path.exists():
        raise InputError(
            f"there is no creature {mesh!r}",
            f"one of {', '.join(sorted(CREATURES))}, or the file of a mesh",
            "choose one, or give a file name with its suffix, like fish.obj",
        )
    found = solid(path, options)
    return Subject(path.stem, found.mesh, found.surface, found.embedding)
