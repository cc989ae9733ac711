"""What is animated: a creature by its name, or any mesh of the user."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from hydrostat.arrays import Floats
from hydrostat.characters.creatures import CREATURES
from hydrostat.errors import InputError
from hydrostat.geometry.any_mesh import AXES, MeshOptions, Placement, Solid, solid
from hydrostat.geometry.embedding import embed
from hydrostat.geometry.surfaces import Surface
from hydrostat.search.wishes import Wishes

# A part that moves by itself: the ball around x, y, z of a radius, in the units and axes of the file.
Ball = tuple[float, float, float, float]
# Inside this share of its radius a ball is all part, then less and less.
CORE = 0.7

# Height of a body whose file does not say how long its unit is, m. Steps and periods suit bodies of about this size;
# what is written has the units of the file all the same.
USUAL_HEIGHT = 1.0


@dataclass(frozen=True)
class SubjectOptions:
    """How a body is made from what was named.

    mesh: how a file is read. tets: number of tetrahedra, nearly; None for what suits the body. local: the parts that
    move by themselves; without any, those that a creature declares, unless it shall move as a ``whole``.
    """

    mesh: MeshOptions = field(default_factory=MeshOptions)
    tets: int | None = None
    local: tuple[Ball, ...] = ()
    whole: bool = False

    def __post_init__(self) -> None:
        """Refuse parts that are none."""
        if self.local and self.whole:
            raise InputError("parts that move by themselves, and a whole body", "one of the two", "leave one out")
        for *_, radius in self.local:
            if not radius > 0.0:
                raise InputError(f"a part of radius {radius}", "a positive radius", "give x, y, z and a radius")


@dataclass(frozen=True)
class Subject:
    """A body to animate by its name, and the surface that goes with it.

    parts (p, n): how far the nodes belong to the parts that move by themselves, from 0 to 1; None for a whole body.
    """

    name: str
    solid: Solid
    parts: Floats | None = None

    @property
    def surface(self) -> Surface:
        """The surface as the user gave it: his vertices, faces, units and axes."""
        given = self.solid.surface
        return Surface(self.solid.placement.to_user(given.vertices), given.faces)

    def surface_at(self, positions: Floats) -> Floats:
        """Vertices of the surface, (v, 3) in the user's units, with the nodes of the mesh at ``positions`` (n, 3) m."""
        return self.solid.placement.to_user(self.solid.embedding.positions(positions))


def load_subject(mesh: str, options: SubjectOptions | None = None) -> Subject:
    """The creature of the name ``mesh``, or the body in the file ``mesh``.

    Without a height or a scale, the body in a file gets the usual height.
    """
    options = options or SubjectOptions()
    if mesh in CREATURES:
        body, declared = _creature(mesh, options), CREATURES[mesh].parts
        if options.local or options.whole or declared is None:
            return Subject(mesh, body, _balls(body, options.local))
        return Subject(mesh, body, declared(body.mesh.vertices))
    path = Path(mesh)
    if not path.suffix and not path.exists():
        raise InputError(
            f"there is no creature {mesh!r}",
            f"one of {', '.join(sorted(CREATURES))}, or the file of a mesh",
            "choose one, or give a file name with its suffix, like fish.obj",
        )
    reading = options.mesh
    if reading.height is None and reading.scale is None:
        reading = replace(reading, height=USUAL_HEIGHT)
    body = solid(path, reading if options.tets is None else replace(reading, tets=options.tets))
    return Subject(path.stem, body, _balls(body, options.local))


def wishes_of(mesh: str) -> Wishes:
    """The usual wishes for the creature or file ``mesh``; a creature may have some of its own."""
    usual, creature = Wishes(), CREATURES.get(mesh)
    if creature is None:
        return usual
    return replace(usual, amplitude=creature.strain or usual.amplitude, starts=creature.starts or usual.starts)


def _balls(body: Solid, balls: tuple[Ball, ...]) -> Floats | None:
    """How far the nodes belong to every ball, (p, n); None without a ball."""
    if not balls:
        return None
    nodes, rows = body.placement.to_user(body.mesh.vertices), []
    for *middle, radius in balls:
        rows.append(np.clip((1.0 - np.linalg.norm(nodes - middle, axis=1) / radius) / (1.0 - CORE), 0.0, 1.0))
        if not (rows[-1] == 1.0).any():
            low, high = nodes.min(axis=0).round(3), nodes.max(axis=0).round(3)
            raise InputError(
                f"no node of the mesh is in the part around {middle}",
                f"a ball around a part of the body, which reaches from {low.tolist()} to {high.tolist()}",
                "move it, or make it larger, in the units and axes of the file",
            )
    return np.array(rows)


def _creature(name: str, options: SubjectOptions) -> Solid:
    """A creature, which has its own size and stands as it does."""
    if options.mesh != MeshOptions():
        raise InputError(
            f"the creature {name} with an axis, a height or a scale", "these for files only", "leave them out"
        )
    mesh, surface = CREATURES[name].mesh(options.tets), CREATURES[name].surface()
    placement = Placement(AXES[options.mesh.up], 1.0, np.zeros(3))
    return Solid(mesh, surface, embed(surface.vertices, mesh), placement, ())
