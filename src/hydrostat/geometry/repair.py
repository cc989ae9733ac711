"""What is wrong with a surface, and what can be put right without guessing its shape."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hydrostat.arrays import Bools, Floats, Ints
from hydrostat.errors import InputError
from hydrostat.geometry.surfaces import FLAT_AREA, Surface, area_vectors, face_volumes

# A surface thinner than this fraction of its size encloses nothing that could be meshed.
FLAT = 1e-6
# A volume below this fraction of area^1.5 is rounding, not an inside.
NO_VOLUME = 1e-9


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
    edges = _edges(sound)
    patches = _patches(edges, len(sound))
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
        components=_number_of_components(edges, len(sound)),
        one_sided=patches.one_sided,
        inside_out=len(_inside_out(vertices, sound, patches.label)),
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
    patches = _patches(_edges(faces), len(faces))
    faces = _turned(faces, patches.disagrees)
    inside_out = _inside_out(vertices, faces, patches.label)
    faces = _turned(faces, np.isin(patches.label, inside_out))
    done = (
        (merged, "duplicate vertices merged"),
        (np.count_nonzero(repeats), "faces that repeat a corner dropped"),
        (np.count_nonzero(duplicate), "duplicate faces dropped"),
        (unused, "unused vertices dropped"),
        (np.count_nonzero(patches.disagrees), "faces turned to agree with their neighbours"),
        (len(inside_out), "inside-out components turned outward"),
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
            (
                report.nonmanifold_edges,
                "the surface is not a manifold: {} edges have more than two faces",
                fill,
            ),
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


# ---------------------------------------------------------------- edges and winding


@dataclass(frozen=True)
class _Edges:
    """pairs: (e, 2) vertices. count: (e,) faces at each edge. faces: (3f,) the faces of edge 0, of edge 1, ….

    links: (k, 2) the two faces at each edge that has exactly two. same_direction: (k,) whether both run along
    it in the same direction, which neighbours of equal winding do not.
    """

    pairs: Ints
    count: Ints
    faces: Ints
    links: Ints
    same_direction: Bools


def _edges(faces: Ints) -> _Edges:
    start, end = faces.ravel(), np.roll(faces, -1, axis=1).ravel()
    low, high = np.minimum(start, end), np.maximum(start, end)
    order = np.lexsort((high, low))
    low, high, forward = low[order], high[order], (start < end)[order]
    new = np.ones(len(order), dtype=bool)
    new[1:] = (low[1:] != low[:-1]) | (high[1:] != high[:-1])
    begin = np.flatnonzero(new)
    count = np.diff(np.append(begin, len(order)))
    pair = begin[count == 2]
    face = order // 3
    return _Edges(
        pairs=np.stack([low[begin], high[begin]], axis=1),
        count=count,
        faces=face,
        links=np.stack([face[pair], face[pair + 1]], axis=1),
        same_direction=forward[pair] == forward[pair + 1],
    )


@dataclass(frozen=True)
class _Patches:
    """Faces joined by edges of two faces. label: (f,). disagrees: (f,) the faces to turn for one winding."""

    label: Ints
    disagrees: Bools
    one_sided: int


def _patches(edges: _Edges, size: int) -> _Patches:
    """Colour a graph that has every face twice, as it is (i) and turned (i + size).

    Neighbours of equal winding link the equal copies, others the different ones. A patch that can be wound
    consistently falls into two mirrored parts, one that cannot hangs together.
    """
    a, b = edges.links.T
    turned = size * edges.same_direction
    part = _labels(np.concatenate([a, a + size]), np.concatenate([b + turned, b + size - turned]), 2 * size)[1]
    straight, mirrored = part[:size], part[size:]
    _, label = np.unique(np.minimum(straight, mirrored), return_inverse=True)
    disagrees = straight > mirrored
    # Turn the fewer.
    faces, minority = np.bincount(label), np.bincount(label, weights=disagrees)
    disagrees ^= (2 * minority > faces)[label] & (straight != mirrored)
    return _Patches(label, disagrees, len(np.unique(label[straight == mirrored])))


def _number_of_components(edges: _Edges, size: int) -> int:
    first = np.repeat(edges.faces[np.cumsum(edges.count) - edges.count], edges.count)
    return _labels(first, edges.faces, size)[0]


def _labels(start: Ints, end: Ints, size: int) -> tuple[int, Ints]:
    """The number of connected parts of a graph, and the part of each of its ``size`` nodes."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    links = coo_array((np.ones(len(start), dtype=bool), (start, end)), shape=(size, size))
    count, label = connected_components(links, directed=False)
    return int(count), label.astype(np.int64)


def _turned(faces: Ints, which: Bools) -> Ints:
    return np.where(which[:, None], faces[:, ::-1], faces)


# ---------------------------------------------------------------- inside and outside


def _inside_out(vertices: Floats, faces: Ints, label: Ints) -> Ints:
    """The labels of the patches that face inward and lie inside an even number of others.

    One inside an odd number is the wall of a cavity and right as it is. Volumes are taken about each patch's
    centre of area, so that the sign means something for a patch with a small hole, too.
    """
    if len(faces) == 0:
        return np.empty(0, dtype=np.int64)
    normals = area_vectors(vertices, faces)
    areas = np.linalg.norm(normals, axis=1)
    middles = vertices[faces].mean(axis=1)
    area = np.bincount(label, areas)
    safe = np.where(area > 0, area, 1.0)
    centre = np.stack([np.bincount(label, areas * middles[:, i]) for i in range(3)], axis=1) / safe[:, None]
    volume = np.bincount(label, np.einsum("fi,fi->f", normals, middles - centre[label])) / 3.0
    negative = np.flatnonzero(volume < -NO_VOLUME * area**1.5)
    if len(negative) == 0 or len(area) == 1:
        return negative
    groups = np.split(np.argsort(label, kind="stable"), np.cumsum(np.bincount(label))[:-1])
    low = np.array([vertices[faces[group]].min(axis=(0, 1)) for group in groups])
    high = np.array([vertices[faces[group]].max(axis=(0, 1)) for group in groups])
    inside_out = []
    for patch in negative.tolist():
        point = middles[groups[patch][0]]
        around = np.flatnonzero((low < low[patch]).all(axis=1) & (high > high[patch]).all(axis=1))
        depth = sum(abs(_winding_number(vertices, faces[groups[i]], point)) > 0.5 for i in around.tolist())
        if depth % 2 == 0:
            inside_out.append(patch)
    return np.array(inside_out, dtype=np.int64)


def _winding_number(vertices: Floats, faces: Ints, point: Floats) -> float:
    """How often the faces surround ``point`` (3,), from the solid angle of every face."""
    corners = vertices[faces] - point
    a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
    la, lb, lc = np.linalg.norm(corners, axis=2).T
    ab, bc, ca = ((p * q).sum(axis=1) for p, q in ((a, b), (b, c), (c, a)))
    triple = np.einsum("fi,fi->f", a, np.cross(b, c))
    half_angles = np.arctan2(triple, la * lb * lc + ab * lc + bc * la + ca * lb)
    return float(half_angles.sum() / (2.0 * np.pi))


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
        raise InputError(
            f"{len(bad)} vertices have coordinates that are not finite",
            "finite numbers",
            "export the mesh again",
        )


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
