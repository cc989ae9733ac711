"""``hydrostat check``: can this mesh be simulated, and if not, why."""

from __future__ import annotations

import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hydrostat.errors import InputError

if TYPE_CHECKING:
    from hydrostat.geometry.mesh_arrays import MeshArrays

# Of a measure, by the last word of its name.
UNITS = {"volume": " m³", "area": " m²", "extent": " m", "at": " m", "dihedral": "°"}


@dataclass(frozen=True)
class Verdict:
    """What is known of a mesh file; it is usable where there are no ``causes``."""

    file: str
    kind: str
    usable: bool
    causes: tuple[str, ...]
    cures: tuple[str, ...]
    repaired: tuple[str, ...]
    measures: dict[str, Any]


@click.command("check")
@click.argument("mesh", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--allow-open", is_flag=True, help="Accept open surfaces, for meshers that fill holes.")
def command(mesh: Path, as_json: bool, allow_open: bool) -> None:
    """Say what is wrong with MESH, what can be repaired, and how good it is.

    MESH is a surface (.obj .stl .ply .off .poly .smesh) or tetrahedra (.node .ele .msh .vtu .vtk .mesh).
    The file itself stays as it is. The exit code is 0 if it can be used, after the repairs listed, and 1 if not.
    """
    from hydrostat.geometry.mesh_files import read_arrays

    arrays = read_arrays(mesh)
    verdict = _check_tets(mesh.name, arrays) if len(arrays.tets) else _check_surface(mesh.name, arrays, allow_open)
    click.echo(_json(verdict) if as_json else _text(verdict))
    if not verdict.usable:
        # Not click's own exit, whose code is lost where the group is called without its standalone mode.
        sys.exit(1)


def _check_surface(name: str, arrays: MeshArrays, allow_open: bool) -> Verdict:
    from hydrostat.geometry.repair import diagnose, obstacles, repair
    from hydrostat.geometry.surfaces import Surface

    surface, repaired = repair(Surface(arrays.vertices, arrays.faces))
    report = diagnose(surface)
    found = obstacles(report, allow_open)
    causes, cures = tuple(cause for cause, _ in found), tuple(dict.fromkeys(cure for _, cure in found))
    if found and not allow_open and not obstacles(report, allow_open=True):
        cures += ("ask again with --allow-open: the mesher ftetwild, which is the usual one, fills holes",)
    measures = asdict(report)
    if report.first_boundary_edge:
        # Vertices were merged and dropped, so that their numbers mean nothing in the file: say the place.
        measures["hole_at"] = tuple(surface.vertices[list(report.first_boundary_edge)].mean(axis=0).tolist())
    return Verdict(name, "surface", not causes, causes, cures, repaired, measures)


def _check_tets(name: str, arrays: MeshArrays) -> Verdict:
    from hydrostat.geometry.mesh_files import oriented
    from hydrostat.geometry.quality import check_tets

    try:
        mesh, turned = oriented(arrays, name)
    except InputError as error:
        return Verdict(name, "tetrahedra", False, (error.given,), (error.cure,), (), {})
    quality = check_tets(mesh)
    repaired = (f"{turned} inverted tetrahedra turned",) if turned else ()
    massless = f"{quality.unused_vertices} vertices belong to no tetrahedron and would have no mass"
    causes = (massless,) if quality.unused_vertices else ()
    cures = ("remove them, or mesh the surface again",) if causes else ()
    return Verdict(name, "tetrahedra", not causes, causes, cures, repaired, asdict(quality))


def _json(verdict: Verdict) -> str:
    import json

    return json.dumps(asdict(verdict))


def _text(verdict: Verdict) -> str:
    usable = "usable once repaired" if verdict.repaired else "usable"
    lines = [f"{verdict.file}: {verdict.kind}, {usable if verdict.usable else 'not usable'}"]
    lines += [f"  wrong: {cause}" for cause in verdict.causes]
    lines += [f"  cure: {cure}" for cure in verdict.cures]
    lines += [f"  repaired: {words}" for words in verdict.repaired]
    # Counts of what is not there would hide those of what is.
    shown = {key: value for key, value in verdict.measures.items() if value or isinstance(value, float)}
    lines += [f"  {key.replace('_', ' ')}: {_shown(value)}{_unit(key)}" for key, value in shown.items()]
    return "\n".join(lines)


def _unit(key: str) -> str:
    return UNITS.get(key.rpartition("_")[2], "")


def _shown(value: object) -> str:
    if isinstance(value, tuple):
        return " ".join(map(_shown, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.6g}" if isinstance(value, float) else str(value)
