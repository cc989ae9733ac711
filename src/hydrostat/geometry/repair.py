"""What is wrong with a surface, and what can be put right without guessing its shape."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hydrostat.arrays import Bools, Floats, Ints
from hydrostat.errors import InputError
from hydrostat.geometry.surfaces import FLAT_AREA, Surface, area_vectors, face_volumes
from hydrostat.geometry.winding import NO_VOLUME, edges_of, inside_out, number_of_components, patches_of

# A surface thinner than this fraction of its size encloses nothing that could be meshed.
FLAT = 1e-6


@dataclass(frozen=True)
class SurfaceReport:
    """What ``diagnose`` finds; ``volume`` in m³, ``area`` in m², ``extent`` along x, y, z in m.

    ``duplicate_vertices`` stand where an earlier one stands. ``degenerate_faces`` repeat a corner;
    ``zero_area_faces`` have three corners in a line; ``duplicate_faces`` have the corners of an earlier face.
    ``boundary_edges`` belong to one face, ``nonmanifold_edges`` to more than two, ``inconsistent_edges`` to
    two of opposite winding. ``components`` share no edge; those ``one_sided`` have, like a Möbius strip, no
    inside; those ``inside_out`` face inward without being the wall of a cavity.
    """

    vertices: int
    faces: int
    nonfinite_vertices: int
    duplicate_vertices: int
    unused_vertices: int
    degenerate_faces: int
    zero_area_faces: int
    duplicate_faces: int
    boundary_edges: int
    first_boundary_edge: tuple[int, int] | None
    nonmanifold_edges: int
    inconsistent_edges: int
    components: int
    one_sided: int
    inside_out: int
    volume: float
    area: float
    extent: tuple[float, float, float]
    is_flat: bool

    @property
    def is_empty(self) -> bool:
        """Whether there is no face."""
        return self.faces == 0


def diagnose(surface: Surface) -> SurfaceReport:
    """Count what is wrong with ``surface``; corners that are no vertex are refused."""
    _check_corners(surface)
    vertices, faces = surface.vertices, surface.faces
    finite = np.asarray(np.isfinite(vertices).all(axis=1))
    repeats = _repeats_corner(faces)
    # Topology and measures leave out the faces that have none.
    sound = faces[finite[faces].all(axis=1) & ~repeats]
    used = vertices[np.unique(sound)]
    edges = edges_of(sound)
    patches = patches_of(edges, len(sound))
    boundary = edges.pairs[edges.count == 1]
    x, y, z = np.ptp(used, axis=0).tolist() if len(used) else (0.0, 0.0, 0.0)
    return SurfaceReport(
        vertices=len(vertices),
        faces=len(faces),
        nonfinite_vertices=int(np.count_nonzero(~finite)),
        duplicate_vertices=int(np.count_nonzero(first_equal(vertices) != np.arange(len(vertices)))),
        unused_vertices=len(vertices) - len(np.unique(faces)),
        degenerate_faces=int(np.count_nonzero(repeats)),
        zero_area_faces=int(np.count_nonzero(_has_no_area(vertices, sound))),
        duplicate_faces=int(np.count_nonzero(_is_duplicate(sound))),
        boundary_edges=len(boundary),
        first_boundary_edge=(int(boundary[0, 0]), int(boundary[0, 1])) if len(boundary) else None,
        nonmanifold_edges=int(np.count_nonzero(edges.count > 2)),
        inconsistent_edges=int(np.count_nonzero(edges.same_direction)),
        components=number_of_components(edges, len(sound)),
        one_sided=patches.one_sided,
        inside_out=len(inside_out(vertices, sound, patches.label)),
        volume=float(face_volumes(vertices, sound).sum()),
        area=float(np.linalg.norm(area_vectors(vertices, sound), axis=1).sum()),
        extent=(x, y, z),
        is_flat=_is_flat(used),
    )


def repair(surface: Surface) -> tuple[Surface, tuple[str, ...]]:
    """The surface with its bookkeeping put right, and what was repaired, in words.

    Vertices at the same place are merged; faces that repeat a corner or another face, and unused vertices,
    are dropped; neighbouring faces get the same winding; what faces inward is turned outward, except the
    walls of cavities. The shape stays: holes are not filled, and faces without area are kept, because without
    them the surface would be open.
    """
    _check_corners(surface)
    vertices, faces = surface.vertices, surface.faces
    same = first_equal(vertices)
    faces = same[faces]
    merged = np.count_nonzero(same != np.arange(len(vertices)))
    repeats = _repeats_corner(faces)
    faces = faces[~repeats]
    duplicate = _is_duplicate(faces)
    faces = faces[~duplicate]
    used, faces = np.unique(faces, return_inverse=True)
    unused = len(vertices) - merged - len(used)
    vertices, faces = vertices[used], faces.reshape(-1, 3)
    _check_finite(vertices)
    patches = patches_of(edges_of(faces), len(faces))
    faces = _turned(faces, patches.disagrees)
    inward = inside_out(vertices, faces, patches.label)
    faces = _turned(faces, np.isin(patches.label, inward))
    done = (
        (merged, "duplicate vertices merged"),
        (np.count_nonzero(repeats), "faces that repeat a corner dropped"),
        (np.count_nonzero(duplicate), "duplicate faces dropped"),
        (unused, "unused vertices dropped"),
        (np.count_nonzero(patches.disagrees), "faces turned to agree with their neighbours"),
        (len(inward), "inside-out components turned outward"),
    )
    return Surface(vertices, faces), tuple(f"{count} {words}" for count, words in done if count)


def obstacles(report: SurfaceReport, allow_open: bool = False) -> tuple[tuple[str, str], ...]:
    """Why the surface cannot be meshed as a solid: pairs of cause and cure; none if it can.

    ``allow_open``: for meshers that fill holes by themselves; open, non-manifold and one-sided surfaces pass.
    """
    if report.is_empty:
        return (("the surface has no faces", "check that the file holds a polygon mesh"),)
    if report.nonfinite_vertices:
        cause = f"{report.nonfinite_vertices} vertices have coordinates that are not finite"
        return ((cause, "export the mesh again"),)
    if report.is_flat:
        size = " × ".join(f"{length:g}" for length in report.extent)
        return ((f"the surface is flat: its extent is {size} m", "give it thickness, for example by extrusion"),)
    tidy = "repair the surface (hydrostat.geometry.repair.repair)"
    fill = "close it in a modelling program, or choose a mesher that fills holes"
    part = "part what shares those edges in a modelling program, or choose a mesher that fills holes"
    found = [
        (report.degenerate_faces, "{} faces repeat a corner", tidy),
        (report.inside_out, "{} components are inside out", tidy),
        (0 if report.one_sided else report.inconsistent_edges, "the winding differs across {} edges", tidy),
    ]
    if not allow_open:
        first = " and ".join(map(str, report.first_boundary_edge or ()))
        hollow = report.boundary_edges == 0 and abs(report.volume) <= NO_VOLUME * report.area**1.5
        found += [
            (
                report.boundary_edges,
                f"the surface is open: {{}} boundary edges, the first between vertices {first}",
                fill,
            ),
            (report.nonmanifold_edges, "the surface is not a manifold: {} edges have more than two faces", part),
            (report.one_sided, "{} components have one side only, like a Möbius strip", fill),
            (int(hollow), "the surface encloses no volume", fill),
        ]
    return tuple((cause.format(count), cure) for count, cause, cure in found if count)


def require_solid(surface: Surface, allow_open: bool = False) -> None:
    """Refuse a surface that cannot be meshed as a solid, saying why; ``allow_open`` as in ``obstacles``."""
    found = obstacles(diagnose(surface), allow_open)
    if found:
        raise InputError(
            "; ".join(cause for cause, _ in found),
            "a surface that encloses a volume",
            "; ".join(dict.fromkeys(cure for _, cure in found)),
        )


def first_equal(rows: Floats | Ints) -> Ints:
    """For every row of (n, k) the first row that equals it, (n,); a row with NaN equals no other."""
    order = np.lexsort(rows.T)
    ordered = rows[order]
    starts = np.ones(len(rows), dtype=bool)
    starts[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    # lexsort is stable, so the first row of a group of equals is the earliest.
    first = np.empty(len(rows), dtype=np.int64)
    first[order] = order[starts][np.cumsum(starts) - 1]
    return first


# ---------------------------------------------------------------- single faces and vertices


def _check_corners(surface: Surface) -> None:
    wrong = (surface.faces < 0) | (surface.faces >= len(surface.vertices))
    if wrong.any():
        face, corner = np.argwhere(wrong)[0]
        raise InputError(
            f"face {face} has corner {surface.faces[face, corner]}",
            f"corners from 0 to {len(surface.vertices) - 1}",
            "correct the faces or add the vertices",
        )


def _check_finite(vertices: Floats) -> None:
    bad = np.flatnonzero(~np.isfinite(vertices).all(axis=1))
    if len(bad):
        given = f"{len(bad)} vertices have coordinates that are not finite"
        raise InputError(given, "finite numbers", "export the mesh again")


def _turned(faces: Ints, which: Bools) -> Ints:
    return np.where(which[:, None], faces[:, ::-1], faces)


def _repeats_corner(faces: Ints) -> Bools:
    return np.asarray((faces == np.roll(faces, 1, axis=1)).any(axis=1))


def _is_duplicate(faces: Ints) -> Bools:
    return np.asarray(first_equal(np.sort(faces, axis=1)) != np.arange(len(faces)))


def _has_no_area(vertices: Floats, faces: Ints) -> Bools:
    size = np.ptp(vertices[faces], axis=1).max(axis=1)
    return np.asarray(np.linalg.norm(area_vectors(vertices, faces), axis=1) <= FLAT_AREA * size**2)


def _is_flat(vertices: Floats) -> bool:
    if len(vertices) == 0:
        return True
    spread = np.linalg.svd(vertices - vertices.mean(axis=0), compute_uv=False)
    return bool(len(spread) < 3 or spread[2] <= FLAT * spread[0])
