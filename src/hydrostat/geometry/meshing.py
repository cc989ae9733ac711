"""Fill a closed surface with tetrahedra."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from hydrostat.arrays import Floats, Ints
from hydrostat.errors import InputError
from hydrostat.geometry import mesh_cache
from hydrostat.geometry.mesh_search import search
from hydrostat.geometry.nearest import nearest_on_faces
from hydrostat.geometry.quality import smallest_dihedral
from hydrostat.geometry.repair import diagnose, require_solid
from hydrostat.geometry.surfaces import Surface
from hydrostat.geometry.tetrahedra import TetMesh, signed_volumes

# Raise it when the same request gives another mesh than before, so that older ones are not taken for it.
EDITION = 1
# Without a wanted size, edges have this fraction of the diagonal of the bounding box.
DEFAULT_EDGE = 1 / 20
# Boundary vertices that left the surface by less than this fraction of the diagonal are put back on it.
SNAP = 3e-3
# Unless an element of theirs would get a dihedral angle below this and smaller than before, degrees.
SNAP_DIHEDRAL = 12.0


@dataclass(frozen=True)
class Mesher:
    """A program that meshes one file into another, the package it needs and how to get that."""

    package: str
    install: str
    program: Path
    fills_holes: bool


MESHERS = {
    "ftetwild": Mesher(
        package="pytetwild",
        install="pip install pytetwild",
        program=Path(__file__).with_name("mesher_ftetwild.py"),
        fills_holes=True,
    ),
    "tetgen": Mesher(
        package="tetgen",
        install="pip install 'hydrostat[tetgen]' (TetGen is under the AGPL)",
        program=Path(__file__).with_name("mesher_tetgen.py"),
        fills_holes=False,
    ),
}


def tetrahedralize(
    surface: Surface,
    *,
    tets: int | None = None,
    edge_length: float | None = None,
    mesher: str = "ftetwild",
    time_limit: float = 600.0,
) -> TetMesh:
    """Tetrahedra that fill ``surface``, from the cache if the same was meshed before.

    ``tets``: wanted number, met within 5 %. ``edge_length``: wanted length of the edges, m; they come out
    shorter where so coarse elements would be badly shaped. Give one of them, or none for a twentieth of the
    diagonal. ``mesher``: a name in ``MESHERS``. ``time_limit``: seconds, for all tries together.

    The same input gives the same mesh as long as the cache is kept: fTetWild draws random numbers, so that without
    it two meshes of one surface differ a little. A mesh that must stay belongs into a file.
    """
    chosen = _installed(mesher)
    if tets is not None and edge_length is not None:
        raise InputError("both tets and edge_length are given", "one of them", "leave one out")
    for name, value in (("tets", tets), ("edge_length", edge_length), ("time_limit", time_limit)):
        if value is not None and not 0 < value < np.inf:
            raise InputError(f"{name} is {value}", "a number above 0", f"pass a larger {name}")
    require_solid(surface, allow_open=chosen.fills_holes)
    name = mesh_cache.key(
        *(surface.vertices.astype(np.float64), surface.faces.astype(np.int64)),
        *(EDITION, mesher, version(chosen.package), chosen.program.read_text(encoding="utf-8")),
        *(tets, edge_length),
    )
    kept = mesh_cache.load(name)
    if kept is not None:
        return kept
    report, deadline = diagnose(surface), time.monotonic() + time_limit
    diagonal = float(np.linalg.norm(report.extent))

    def mesh_with(length: float) -> TetMesh:
        made = _run(chosen, surface, length, deadline - time.monotonic(), time_limit)
        return _snapped(made, surface, SNAP * diagonal)

    if tets is None:
        mesh = mesh_with(edge_length or DEFAULT_EDGE * diagonal)
    else:
        mesh = search(mesh_with, max(abs(report.volume), 1e-9 * diagonal**3), diagonal, tets)
    mesh_cache.save(name, mesh)
    return mesh


def _installed(name: str) -> Mesher:
    if name not in MESHERS:
        raise InputError(f"mesher is {name!r}", f"one of {', '.join(MESHERS)}", "pass mesher='ftetwild'")
    mesher = MESHERS[name]
    if find_spec(mesher.package) is None:
        raise InputError(
            f"the mesher {name} is not installed", f"the package {mesher.package}", f"run {mesher.install}"
        )
    return mesher


def _run(mesher: Mesher, surface: Surface, edge_length: float, seconds: float, time_limit: float) -> TetMesh:
    """Mesh in a process of its own: what goes wrong there is an error here, not the end of the caller."""
    with tempfile.TemporaryDirectory(prefix="hydrostat-") as scratch:
        given, wanted = Path(scratch, "surface.npz"), Path(scratch, "mesh.npz")
        np.savez(given, vertices=surface.vertices, faces=surface.faces, edge_length=edge_length)
        # -P: files beside the program must not be taken for the packages that it imports.
        command = [sys.executable, "-P", str(mesher.program), str(given), str(wanted)]
        try:
            # In the scratch folder, because fTetWild leaves a file where it runs.
            run = subprocess.run(
                command, cwd=scratch, capture_output=True, text=True, timeout=max(seconds, 0.0), check=False
            )
        except subprocess.TimeoutExpired:
            raise InputError(
                f"{mesher.package} did not finish within {time_limit:g} s",
                "a surface that it can mesh in that time",
                "pass a larger time_limit or edge_length, or simplify the surface",
            ) from None
        if run.returncode != 0 or not wanted.exists():
            last_words = (run.stderr.strip().splitlines() or ["it said nothing"])[-1]
            raise _unusable(mesher, f"exit code {run.returncode}, {last_words}")
        return _tidied(mesher, *_read(mesher, wanted))


def _read(mesher: Mesher, path: Path) -> tuple[Floats, Ints]:
    try:
        with path.open("rb") as file, np.load(file) as data:
            vertices, tets = data["vertices"].astype(np.float64), data["tets"].astype(np.int64)
    except (OSError, *mesh_cache.UNREADABLE) as error:
        raise _unusable(mesher, str(error)) from None
    if vertices.shape[1:] != (3,) or tets.shape[1:] != (4,):
        raise _unusable(mesher, f"shapes {vertices.shape} and {tets.shape}")
    if not np.isfinite(vertices).all() or np.any((tets < 0) | (tets >= len(vertices))):
        raise _unusable(mesher, "coordinates that are not finite or corners that do not exist")
    return vertices, tets


def _tidied(mesher: Mesher, vertices: Floats, tets: Ints) -> TetMesh:
    """The mesh with positive volumes and without unused vertices."""
    used, corners = np.unique(tets, return_inverse=True)
    vertices, tets = vertices[used], corners.reshape(-1, 4)
    volumes = signed_volumes(vertices, tets)
    if len(tets) == 0 or not volumes.all():
        raise _unusable(mesher, f"{len(tets)} tetrahedra, {np.count_nonzero(volumes == 0)} without volume")
    return TetMesh(vertices, np.where((volumes < 0)[:, None], tets[:, [0, 2, 1, 3]], tets))


def _unusable(mesher: Mesher, found: str) -> InputError:
    return InputError(
        f"{mesher.package} made no usable mesh of this surface: {found}",
        "a surface that it can mesh",
        "repair or simplify the surface, or choose another mesher",
    )


def _snapped(mesh: TetMesh, surface: Surface, reach: float) -> TetMesh:
    """``mesh`` with its boundary vertices moved onto ``surface``, where they are nearer than ``reach`` m.

    fTetWild keeps the boundary only within an envelope: soles would be uneven.
    """
    rim = np.unique(mesh.boundary)
    _, place = nearest_on_faces(mesh.vertices[rim], surface.vertices, surface.faces)
    near = np.linalg.norm(place - mesh.vertices[rim], axis=1) < reach
    before = np.minimum(smallest_dihedral(mesh.vertices, mesh.tets), SNAP_DIHEDRAL)
    rim, place = rim[near], place[near]
    while True:
        vertices = mesh.vertices.copy()
        vertices[rim] = place
        spoiled = smallest_dihedral(vertices, mesh.tets) < before
        spoiled |= signed_volumes(vertices, mesh.tets) <= 0
        stays = np.isin(rim, mesh.tets[spoiled])
        if not stays.any():
            return TetMesh(vertices, mesh.tets)
        rim, place = rim[~stays], place[~stays]
