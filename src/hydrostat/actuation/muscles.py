"""Muscle fibres inside a soft body (T2012 section 4.2, M2014)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numba
import numpy as np
from numpy.typing import ArrayLike

from hydrostat.arrays import Floats, Ints
from hydrostat.errors import InputError
from hydrostat.geometry.embedding import Embedding, embed
from hydrostat.geometry.tetrahedra import TetMesh

# Influences below this share of an element's total are dropped: A stays sparse, its columns hardly change.
NEGLIGIBLE = 1e-3


@dataclass(frozen=True)
class Fibre:
    """A polyline whose segments contract independently; points (k, 3) m at rest, k − 1 segments."""

    points: Floats


@dataclass(frozen=True)
class MuscleGroup:
    """Fibres that share one job; the influence on an element is normalised within the group (T2012-(5)).

    width: σ of the Gaussian exp(−d²/σ²), m. falloff: "gaussian" (T2012) or "inverse" distance (M2014).
    reach: elements farther than this from every fibre of the group are left alone, m.
    """

    name: str
    fibres: Sequence[Fibre]
    width: float = 0.12
    falloff: Literal["gaussian", "inverse"] = "gaussian"
    reach: float = np.inf


@dataclass(frozen=True)
class Muscles:
    """All muscle segments of a body, as the arrays that simulation needs. m segments, q fibre points.

    fibres: for every fibre its indices into the fibre points. segments: (m, 2) fibre points of every segment.
    rest_lengths (m,) m; directions (m, 3) unit vectors at rest; stiffness Pa.
    first, members, weights: influences in rows, one row an element: element t is moved by segments
    members[first[t]:first[t + 1]] with those weights. groups: (m,) index into names.
    """

    embedding: Embedding
    fibres: tuple[Ints, ...]
    segments: Ints
    rest_lengths: Floats
    directions: Floats
    stiffness: float
    first: Ints
    members: Ints
    weights: Floats
    groups: Ints
    names: tuple[str, ...]
    shortest: float = 0.5

    @cached_property
    def lower(self) -> Floats:
        """Least desired length of every segment, (m,) m: 0.5 l₀."""
        return self.shortest * self.rest_lengths

    @property
    def upper(self) -> Floats:
        """Greatest desired length of every segment, (m,) m: l₀."""
        return self.rest_lengths

    def fibre_points(self, positions: Floats) -> Floats:
        """Fibre points (q, 3) m in the body at ``positions`` (n, 3) m."""
        return self.embedding.positions(positions)

    def lengths(self, positions: Floats) -> Floats:
        """Current length l of every segment, (m,) m."""
        points = self.fibre_points(positions)
        return np.linalg.norm(points[self.segments[:, 1]] - points[self.segments[:, 0]], axis=1)

    def activation(self, desired_lengths: Floats) -> Floats:
        """Share of the possible contraction, (m,): 0 at l_d = l₀, 1 at the least length."""
        return (self.upper - desired_lengths) / (self.upper - self.lower)

    def force_matrix(self, rotations: Floats, areas: Floats, tets: Ints, nodes: int) -> Floats:
        """A (3n, m) N/m: nodal forces for one metre of l_d − l in every segment. T2012-(6).

        rotations (t, 3, 3) and area vectors (t, 4, 3) m² of the elements: see ``elasticity.deformations``.
        """
        return _force_matrix(
            rotations,
            areas,
            tets,
            self.directions,
            self.first,
            self.members,
            (self.stiffness / self.rest_lengths)[self.members] * self.weights,
            nodes,
        )


@numba.njit(cache=True)
def _force_matrix(
    rotations: Floats,
    areas: Floats,
    tets: Ints,
    directions: Floats,
    first: Ints,
    members: Ints,
    weights: Floats,
    nodes: int,
) -> Floats:
    """Stress w k R d dᵀ Rᵀ on every element, through the area vectors of its faces, to its corners. T2012-(4)."""
    matrix = np.zeros((3 * nodes, len(directions)))
    for t in range(len(tets)):
        rotation = rotations[t]
        for entry in range(first[t], first[t + 1]):
            j = members[entry]
            d0, d1, d2 = directions[j, 0], directions[j, 1], directions[j, 2]
            x = rotation[0, 0] * d0 + rotation[0, 1] * d1 + rotation[0, 2] * d2
            y = rotation[1, 0] * d0 + rotation[1, 1] * d1 + rotation[1, 2] * d2
            z = rotation[2, 0] * d0 + rotation[2, 1] * d1 + rotation[2, 2] * d2
            for a in range(4):
                flux = weights[entry] * (x * areas[t, a, 0] + y * areas[t, a, 1] + z * areas[t, a, 2])
                row = 3 * tets[t, a]
                matrix[row, j] += flux * x
                matrix[row + 1, j] += flux * y
                matrix[row + 2, j] += flux * z
    return matrix


def build_muscles(mesh: TetMesh, groups: Sequence[MuscleGroup], stiffness: float = 5e5) -> Muscles:
    """Embed the fibres of ``groups`` into ``mesh`` and compute their influence on its elements.

    stiffness: k l₀, the muscle stress in Pa for a contraction l_d − l by a whole rest length. T2012 has one k (Pa/m)
    for all segments; this way the strength of a fibre does not depend on how many segments it is cut into.

    >>> from hydrostat.geometry.primitives import box_tets
    >>> bar = box_tets((1.0, 0.2, 0.2), (5, 1, 1))
    >>> fibre = longitudinal([-0.4, 0.0, 0.0], [0.4, 0.0, 0.0], segments=4)
    >>> build_muscles(bar, [MuscleGroup("middle", [fibre])]).rest_lengths.round(3).tolist()
    [0.2, 0.2, 0.2, 0.2]
    """
    if not 0.0 < stiffness < np.inf:
        raise InputError(f"muscle stiffness is {stiffness}", "a positive number (Pa)", "try 5e5")
    points: list[Floats] = []
    fibres: list[Ints] = []
    owner: list[int] = []
    for g, group in enumerate(groups):
        for fibre in group.fibres:
            _check_fibre(group, fibre)
            start = sum(map(len, points))
            points.append(np.asarray(fibre.points, dtype=float))
            fibres.append(np.arange(start, start + len(fibre.points)))
            owner += [g] * (len(fibre.points) - 1)
    if not points:
        raise InputError("there are no muscle fibres", "at least one group with one fibre", "add a MuscleGroup")
    rest = np.concatenate(points)
    segments = np.concatenate([np.stack([f[:-1], f[1:]], axis=1) for f in fibres])
    spans = rest[segments[:, 1]] - rest[segments[:, 0]]
    lengths = np.linalg.norm(spans, axis=1)
    of_group = np.array(owner)
    first, members, weights = _influences(mesh, groups, rest[segments[:, 0]], rest[segments[:, 1]], of_group)
    return Muscles(
        embedding=embed(rest, mesh),
        fibres=tuple(fibres),
        segments=segments,
        rest_lengths=lengths,
        directions=spans / lengths[:, None],
        stiffness=stiffness,
        first=first,
        members=members,
        weights=weights,
        groups=of_group,
        names=tuple(group.name for group in groups),
    )


def _check_fibre(group: MuscleGroup, fibre: Fibre) -> None:
    points = np.asarray(fibre.points, dtype=float)
    if points.ndim != 2 or points.shape[1] != 3 or len(points) < 2 or not np.isfinite(points).all():
        raise InputError(
            f"a fibre of group {group.name!r} has points of shape {points.shape}",
            "finite points (k, 3) with k ≥ 2",
            "give each fibre at least two points in space",
        )
    if np.linalg.norm(np.diff(points, axis=0), axis=1).min() <= 0.0:
        raise InputError(f"a fibre of group {group.name!r} has a segment of no length", "distinct points", "drop one")


def _influences(
    mesh: TetMesh, groups: Sequence[MuscleGroup], starts: Floats, ends: Floats, of_group: Ints
) -> tuple[Ints, Ints, Floats]:
    """Rows (first, members, weights) of T2012-(5): w_tj = h(d_tj) / Σ_k h(d_tk), k over the group of j."""
    centres = mesh.vertices[mesh.tets].mean(axis=1)
    weights = np.zeros((len(centres), len(starts)))
    for g, group in enumerate(groups):
        members = np.flatnonzero(of_group == g)
        distances = _distances(centres, starts[members], ends[members])
        nearest = distances.min(axis=1, keepdims=True)
        if group.falloff == "gaussian":  # scaled by the nearest, so that far elements do not divide 0 by 0
            share = np.exp((nearest**2 - distances**2) / group.width**2)
        elif group.falloff == "inverse":
            share = np.maximum(nearest, 1e-9) / np.maximum(distances, 1e-9)
        else:
            raise InputError(f"falloff is {group.falloff!r}", "'gaussian' or 'inverse'", "choose one of them")
        share /= share.sum(axis=1, keepdims=True)
        share[share < NEGLIGIBLE] = 0.0
        share /= share.sum(axis=1, keepdims=True)
        weights[:, members] = np.where(nearest <= group.reach, share, 0.0)
    element, segment = np.nonzero(weights)
    first = np.concatenate([[0], np.cumsum(np.bincount(element, minlength=len(centres)))])
    return first, segment, weights[element, segment]


def _distances(points: Floats, starts: Floats, ends: Floats) -> Floats:
    """Distance of every point (k, 3) from every segment, (k, m) m."""
    spans = ends - starts
    offsets = points[:, None] - starts
    along = np.clip(np.einsum("kmi,mi->km", offsets, spans) / np.einsum("mi,mi->m", spans, spans), 0.0, 1.0)
    return np.linalg.norm(offsets - along[..., None] * spans, axis=2)


def longitudinal(start: ArrayLike, end: ArrayLike, segments: int) -> Fibre:
    """A straight fibre from one end of a limb to the other: shortens and bends it."""
    share = np.linspace(0.0, 1.0, segments + 1)[:, None]
    return Fibre((1.0 - share) * np.asarray(start, dtype=float) + share * np.asarray(end, dtype=float))


def radial(centre: ArrayLike, spans: Sequence[ArrayLike]) -> list[Fibre]:
    """Short fibres through ``centre``, one of a single segment a span vector: thin a limb and so lengthen it."""
    middle = np.asarray(centre, dtype=float)
    return [Fibre(np.stack([middle - 0.5 * np.asarray(s), middle + 0.5 * np.asarray(s)])) for s in spans]


def helical(
    start: Sequence[float],
    end: Sequence[float],
    radius: float,
    turns: float,
    segments: int,
    phase: float = 0.0,
) -> Fibre:
    """A fibre wound around the axis from start to end (right-handed for turns > 0): twists a limb."""
    a, b = np.asarray(start, dtype=float), np.asarray(end, dtype=float)
    axis = (b - a) / np.linalg.norm(b - a)
    side = np.cross(axis, np.eye(3)[np.argmin(np.abs(axis))])
    side /= np.linalg.norm(side)
    share = np.linspace(0.0, 1.0, segments + 1)[:, None]
    angle = phase + 2.0 * np.pi * turns * share
    around = np.cos(angle) * side + np.sin(angle) * np.cross(axis, side)
    return Fibre(a + share * (b - a) + radius * around)


def ring(centre: Sequence[float], normal: Sequence[float], radius: float, segments: int) -> Fibre:
    """A closed loop of ``segments`` around ``centre``."""
    axis = np.asarray(normal, dtype=float) / np.linalg.norm(normal)
    side = np.cross(axis, np.eye(3)[np.argmin(np.abs(axis))])
    side /= np.linalg.norm(side)
    angle = np.linspace(0.0, 2.0 * np.pi, segments + 1)[:, None]
    around = np.cos(angle) * side + np.sin(angle) * np.cross(axis, side)
    around[-1] = around[0]
    return Fibre(np.asarray(centre, dtype=float) + radius * around)
