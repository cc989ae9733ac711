"""A creature: a shape made of blended primitives, as a surface and as tetrahedra of any number."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from hydrostat.arrays import Floats
from hydrostat.geometry import filling, mesh_cache
from hydrostat.geometry.implicit import Box, Carved, Grown, Shape
from hydrostat.geometry.surfaces import Surface
from hydrostat.geometry.tetrahedra import TetMesh

# What is thinner to both sides of its middle than this share of a lattice cell may fall through the lattice.
SAFE = 0.7


@dataclass(frozen=True)
class Creature:
    """A body that stands on the ground, y = 0, and looks along ``facing``, +x; its right side is at positive z.

    shape: a function, so that a list of creatures costs nothing. tets: the usual number of tetrahedra; where the
    paper has the creature it is the one of B2024, Table 1. coarse: a number for quick tests. volume: of the body, m³.
    thinnest: half the thickness, m, of the thinnest part that it needs: meshes too coarse for that are made of the
    creature thickened all over. detail: length of the triangles of the surface, m. parts: how far points (n, 3) m
    belong to each of the parts that move by themselves, (p, n) from 0 to 1; None for a creature that moves as a whole.
    strain: the greatest squared norm of the strain that one of its modes may ask of an element. starts: from how many
    poses its gaits must work. None for what is usual.
    """

    name: str
    summary: str
    shape: Callable[[], Shape]
    tets: int
    volume: float
    thinnest: float
    coarse: int = 3000
    detail: float = 0.02
    facing: tuple[float, float, float] = (1.0, 0.0, 0.0)
    parts: Callable[[Floats], Floats] | None = None
    strain: float | None = None
    starts: int | None = None

    def surface(self) -> Surface:
        """The closed surface, in detail."""
        standing = _on_the_ground(self.shape())
        return filling.outline(standing.distance, standing.bounds(), self.detail)

    def mesh(self, tets: int | None = None) -> TetMesh:
        """Tetrahedra, in number within 10 % of ``tets``, or of the creature's own; kept in the cache."""
        wanted = tets or self.tets
        # A cell holds twelve tetrahedra.
        cell = (12.0 * self.volume / wanted) ** (1.0 / 3.0)
        standing = _on_the_ground(Grown(self.shape(), max(0.0, SAFE * cell - self.thinnest)))
        name = mesh_cache.key(filling.EDITION, repr(standing), wanted)
        mesh = mesh_cache.load(name)
        if mesh is None:
            mesh = filling.filled(standing.distance, standing.bounds(), wanted)
            mesh_cache.save(name, mesh)
        return mesh


def _on_the_ground(shape: Shape) -> Shape:
    """``shape`` cut off at y = 0, so that its feet have flat soles."""
    low, high = shape.bounds() + [[-1.0], [1.0]]
    return Carved(shape, Box((low[0], low[1], low[2]), (high[0], 0.0, high[2])))
