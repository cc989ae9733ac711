"""A character: a shape, a material and its muscles."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from hydrostat.actuation.muscles import MuscleGroup, Muscles, build_muscles
from hydrostat.bodies.fem import FemBody, Material
from hydrostat.contact.patches import PatchOptions
from hydrostat.geometry.surfaces import Surface
from hydrostat.geometry.tetrahedra import TetMesh


@dataclass(frozen=True)
class Character:
    """A body that can be put into any scene. height in m; stiffness of the muscles in Pa, see build_muscles.

    mesh and groups are functions, so that a list of characters costs nothing. surface and tets are what a shipped
    mesh was made from, see ``characters.meshes``; where there are mirrors, axes 0 to 2, the surface is only the part
    on their positive side, for a mesh that is symmetric to the last bit.
    """

    name: str
    summary: str
    height: float
    mesh: Callable[[], TetMesh]
    groups: Callable[[], Sequence[MuscleGroup]] = tuple
    material: Material = Material()
    stiffness: float = 5e5
    patches: PatchOptions = PatchOptions()
    surface: Callable[[], Surface] | None = None
    tets: int = 0
    mirrors: tuple[int, ...] = ()

    @cached_property
    def body(self) -> FemBody:
        """The soft body."""
        return FemBody(self.mesh(), self.material)

    @cached_property
    def muscles(self) -> Muscles | None:
        """The muscles in that body, or None for a character without."""
        groups = self.groups()
        return build_muscles(self.body.mesh, groups, self.stiffness) if groups else None
