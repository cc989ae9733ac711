"""How the faces of a surface hang together at their edges, which way they are wound, and what lies inside what."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hydrostat.arrays import Bools, Floats, Ints
from hydrostat.geometry.surfaces import area_vectors

# A volume below this fraction of area^1.5 is rounding, not an inside.
NO_VOLUME = 1e-9


@dataclass(frozen=True)
class Edges:
    """pairs: (e, 2) vertices. count: (e,) faces at each edge. faces: (3f,) the faces of edge 0, of edge 1, ….

    links: (k, 2) the two faces at each edge that has exactly two. same_direction: (k,) whether both run along
    it in the same direction, which neighbours of equal winding do not.
    """

    pairs: Ints
    count: Ints
    faces: Ints
    links: Ints
    same_direction: Bools


def edges_of(faces: Ints) -> Edges:
    """The edges of ``faces`` (f, 3), none of which repeats a corner."""
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
    return Edges(
        pairs=np.stack([low[begin], high[begin]], axis=1),
        count=count,
        faces=face,
        links=np.stack([face[pair], face[pair + 1]], axis=1),
        same_direction=forward[pair] == forward[pair + 1],
    )


@dataclass(frozen=True)
class Patches:
    """Faces joined by edges of two faces. label: (f,) the patch of each face.

    disagrees: (f,) the faces to turn for one winding in each patch. one_sided: how many patches have none.
    """

    label: Ints
    disagrees: Bools
    one_sided: int


def patches_of(edges: Edges, size: int) -> Patches:
    """The patches of ``size`` faces.

    Colours a graph that has every face twice, as it is (i) and turned (i + size): neighbours of equal winding
    link the equal copies, others the different ones. A patch that can be wound consistently falls into two
    mirrored parts, one that cannot hangs together.
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
    return Patches(label, disagrees, len(np.unique(label[straight == mirrored])))


def number_of_components(edges: Edges, size: int) -> int:
    """How many pieces ``size`` faces form that share no edge."""
    first = np.repeat(edges.faces[np.cumsum(edges.count) - edges.count], edges.count)
    return _labels(first, edges.faces, size)[0]


def _labels(start: Ints, end: Ints, size: int) -> tuple[int, Ints]:
    """The number of connected parts of a graph, and the part of each of its ``size`` nodes."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    links = coo_array((np.ones(len(start), dtype=bool), (start, end)), shape=(size, size))
    count, label = connected_components(links, directed=False)
    return int(count), label.astype(np.int64)


def inside_out(vertices: Floats, faces: Ints, label: Ints) -> Ints:
    """The labels of the patches that face inward and lie inside an even number of others.

    One inside an odd number is the wall of a cavity and right as it is. vertices: (n, 3) m. label: (f,).
    """
    volume, area = _volumes_and_areas(vertices, faces, label)
    negative = np.flatnonzero(volume < -NO_VOLUME * area**1.5)
    if len(negative) == 0 or len(area) == 1:
        return negative
    groups = [faces[group] for group in np.split(np.argsort(label, kind="stable"), np.cumsum(np.bincount(label))[:-1])]
    low = np.array([vertices[group].min(axis=(0, 1)) for group in groups])
    high = np.array([vertices[group].max(axis=(0, 1)) for group in groups])

    def depth(patch: int) -> int:
        point = vertices[groups[patch][0]].mean(axis=0)
        around = np.flatnonzero((low < low[patch]).all(axis=1) & (high > high[patch]).all(axis=1))
        return sum(abs(_winding_number(vertices, groups[i], point)) > 0.5 for i in around.tolist())

    return np.array([patch for patch in negative.tolist() if depth(patch) % 2 == 0], dtype=np.int64)


def _volumes_and_areas(vertices: Floats, faces: Ints, label: Ints) -> tuple[Floats, Floats]:
    """The signed volume, m³, and the area, m², of every patch.

    Volumes are taken about each patch's centre of area, so that the sign means something for a patch with a
    small hole, too.
    """

    def summed(values: Floats) -> Floats:
        return np.asarray(np.bincount(label, values), dtype=np.float64)

    normals = area_vectors(vertices, faces)
    areas = np.linalg.norm(normals, axis=1)
    middles = vertices[faces].mean(axis=1)
    area = summed(areas)
    centre = np.stack([summed(areas * middle) for middle in middles.T], axis=1)
    centre /= np.where(area > 0, area, 1.0)[:, None]
    volume = summed(np.einsum("fi,fi->f", normals, middles - centre[label])) / 3.0
    return volume, area


def _winding_number(vertices: Floats, faces: Ints, point: Floats) -> float:
    """How often the faces surround ``point`` (3,), from the solid angle of every face."""
    corners = vertices[faces] - point
    a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
    la, lb, lc = np.linalg.norm(corners, axis=2).T
    ab, bc, ca = ((p * q).sum(axis=1) for p, q in ((a, b), (b, c), (c, a)))
    triple = np.einsum("fi,fi->f", a, np.cross(b, c))
    half_angles = np.arctan2(triple, la * lb * lc + ab * lc + bc * la + ca * lb)
    return float(half_angles.sum() / (2.0 * np.pi))
