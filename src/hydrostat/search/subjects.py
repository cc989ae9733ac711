"""What is animated: a creature by its name, or any mesh of the user."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from hydrostat.arrays import Floats
from hydrostat.characters.creatures import CREATURES
from hydrostat.errors import InputError
from hydrostat.geometry.any_mesh import AXES, MeshOptions, Placement, Solid, solid
from hydrostat.geometry.embedding import embed
from hydrostat.geometry.surfaces import Surface

# Height of a body whose file does not say how long its unit is, m. Steps and periods suit bodies of about this size;
# what is written has the units of the file all the same.
USUAL_HEIGHT = 1.0


@dataclass(frozen=True)
class Subject:
    """A body to animate by its name, and the surface that goes with it."""

    name: str
    solid: Solid

    @property
    def surface(self) -> Surface:
        """The surface as the user gave it: his vertices, faces, units and axes."""
        given = self.solid.surface
        return Surface(self.solid.placement.to_user(given.vertices), given.faces)

    def surface_at(self, positions: Floats) -> Floats:
        """Vertices of the surface, (v, 3) in the user's units, with the nodes of the mesh at ``positions`` (n, 3) m."""
        return self.solid.placement.to_user(self.solid.embedding.positions(positions))


def load_subject(mesh: str, options: MeshOptions, tets: int | None = None) -> Subject:
    """The creature of the name ``mesh``, or the body in the file ``mesh``; in about ``tets`` tetrahedra.

    Without a height or a scale, the body in a file gets the usual height.
    """
    if mesh in CREATURES:
        return Subject(mesh, _creature(mesh, options, tets))
    path = Path(mesh)
    if not path.suffix and not path.exists():
        raise InputError(
            f"there is no creature {mesh!r}",
            f"one of {', '.join(sorted(CREATURES))}, or the file of a mesh",
            "choose one, or give a file name with its suffix, like fish.obj",
        )
    if options.height is None and options.scale is None:
        options = replace(options, height=USUAL_HEIGHT)
    return Subject(path.stem, solid(path, options if tets is None else replace(options, tets=tets)))


def _creature(name: str, options: MeshOptions, tets: int | None) -> Solid:
    """A creature, which has its own size and stands as it does."""
    if options != MeshOptions():
        raise InputError(
            f"the creature {name} with an axis, a height or a scale", "these for files only", "leave them out"
        )
    mesh, surface = CREATURES[name].mesh(tets), CREATURES[name].surface()
    return Solid(mesh, surface, embed(surface.vertices, mesh), Placement(AXES[options.up], 1.0, np.zeros(3)), ())
