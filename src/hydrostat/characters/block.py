"""A soft block without muscles: for oracles of contact and friction."""

from hydrostat.characters.character import Character
from hydrostat.contact.patches import PatchOptions
from hydrostat.geometry.primitives import box_tets
from hydrostat.geometry.tetrahedra import TetMesh


def _mesh() -> TetMesh:
    mesh = box_tets((0.4, 0.1, 0.3), (6, 2, 4))
    return TetMesh(mesh.vertices + [0.0, 0.05, 0.0], mesh.tets)


CHARACTER = Character(
    name="block",
    summary="a flat soft block without muscles",
    height=0.1,
    mesh=_mesh,
    patches=PatchOptions(count=4),
)
