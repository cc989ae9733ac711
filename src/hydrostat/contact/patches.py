"""Contact patches: a few weighted sets of surface nodes near the ground (T2012 section 7; docs/theory/t2012.md).

A patch touches as a soft pad does: its lowest nodes carry the load. The patch's row is the weighted mean of its nodes'
velocities, so its impulse reaches the nodes with the same weights. Patches are a function of the positions and
velocities alone: they follow a foot that tilts, a wheel that rolls and a worm that crawls, and a restart finds the
same ones.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from hydrostat.arrays import Floats, Ints
from hydrostat.contact.friction import Friction
from hydrostat.contact.ground import Ground
from hydrostat.errors import InputError
from hydrostat.geometry.tetrahedra import TetMesh


@dataclass(frozen=True)
class PatchOptions:
    """How patches are built.

    count: patches in all. pad: height over which a patch's load spreads above its lowest node, m. reach: nodes whose
    gap at the end of the step would be larger are left alone, m. recovery: share of a penetration undone in a step.
    slack: depth to which single nodes may sink while their patch rests, m.
    """

    count: int = 4
    pad: float = 0.004
    reach: float = 0.05
    recovery: float = 0.2
    slack: float = 0.0005

    def __post_init__(self) -> None:
        """Refuse sizes that are none."""
        if self.count < 1:
            raise InputError(f"{self.count} contact patches", "at least 1", "use 4")
        for name in ("pad", "reach", "recovery", "slack"):
            if not 0.0 < getattr(self, name) < np.inf:
                raise InputError(f"{name} is {getattr(self, name)}", "a positive number", f"change {name}")


@dataclass(frozen=True)
class Contacts:
    """The patches of one instant, c in number.

    points (c, 3) m: weighted mean positions. frames (c, 3, 3): rows normal, tangent 1, tangent 2. gaps (c,) m of the
    lowest node. clearance (c,) m/s: approach that is still allowed in this step. friction (c, 8).
    rows: J (3c, 3n), contact velocities J v in normal, tangent 1, tangent 2 of every patch.
    """

    points: Floats
    frames: Floats
    gaps: Floats
    clearance: Floats
    friction: Floats
    rows: Floats

    def __len__(self) -> int:
        """Number of patches."""
        return len(self.gaps)


@dataclass(frozen=True)
class Sole:
    """The surface nodes of a mesh that may touch, with what patches need to know of them.

    nodes (s,); rest (s, 3) m; areas (s,) m², each node's share of the surface; edges (e, 2) indices into nodes.
    """

    nodes: Ints
    rest: Floats
    areas: Floats
    edges: Ints


def sole_of(mesh: TetMesh) -> Sole:
    """The whole surface of ``mesh``."""
    faces = mesh.boundary
    nodes, local = np.unique(faces, return_inverse=True)
    local = local.reshape(faces.shape)
    a, b, c = (mesh.vertices[faces[:, i]] for i in range(3))
    third = np.linalg.norm(np.cross(b - a, c - a), axis=1) / 6.0
    areas: Floats = np.bincount(local.ravel(), np.repeat(third, 3)).astype(np.float64)
    edges = np.unique(np.sort(np.concatenate([local[:, [0, 1]], local[:, [1, 2]], local[:, [2, 0]]]), axis=1), axis=0)
    return Sole(nodes, mesh.vertices[nodes], areas, edges)


def find_contacts(
    sole: Sole,
    positions: Floats,
    velocities: Floats,
    ground: Ground,
    friction: Friction,
    options: PatchOptions,
    dt: float,
) -> Contacts:
    """The patches between ``ground`` and a body at ``positions`` (n, 3) m moving with ``velocities`` (n, 3) m/s."""
    points = positions[sole.nodes]
    gaps = ground.gaps(points)
    normals = ground.normals(points)
    # Weights look one step ahead, so that a falling or rolling body lands on the nodes that will be lowest.
    ahead = gaps + dt * np.minimum(np.einsum("si,si->s", normals, velocities[sole.nodes]), 0.0)
    near = np.flatnonzero(ahead < options.reach)
    members = _patches(sole, near, options.count)

    count = len(members)
    patch_points, patch_normals = np.empty((count, 3)), np.empty((count, 3))
    patch_gaps = np.empty(count)
    weights = np.zeros((count, len(positions)))
    for k, patch in enumerate(members):
        load = sole.areas[patch] * np.maximum(0.0, 1.0 - (ahead[patch] - ahead[patch].min()) / options.pad)
        load /= load.sum()
        weights[k, sole.nodes[patch]] = load
        patch_points[k] = load @ points[patch]
        patch_normals[k] = load @ normals[patch]
        patch_gaps[k] = gaps[patch].min()
    patch_normals /= np.linalg.norm(patch_normals, axis=1, keepdims=True)
    frames = friction.frames(patch_normals)
    rows = np.einsum("cri,cn->crni", frames, weights).reshape(3 * count, 3 * len(positions))
    clearance = np.where(patch_gaps > 0.0, patch_gaps, options.recovery * patch_gaps) / dt
    return Contacts(patch_points, frames, patch_gaps, clearance, friction.coefficients(count), rows)


def _patches(sole: Sole, near: Ints, count: int) -> list[Ints]:
    """Split the nodes ``near`` the ground into at most ``count`` patches: first feet, then parts of feet."""
    if not len(near):
        return []
    feet = _feet(sole, near)
    feet.sort(key=lambda foot: -sole.areas[foot].sum())
    feet = feet[:count]
    parts = [1] * len(feet)
    for _ in range(count - len(feet)):  # the next patch goes where a patch still covers the most ground
        share = [sole.areas[foot].sum() / n if n < len(foot) else 0.0 for foot, n in zip(feet, parts, strict=True)]
        largest = int(np.argmax(share))
        if share[largest] > 0.0:
            parts[largest] += 1
    return [patch for foot, n in zip(feet, parts, strict=True) for patch in _split(sole, foot, n)]


def _feet(sole: Sole, near: Ints) -> list[Ints]:
    """Connected pieces of the nodes ``near`` the ground."""
    index = np.full(len(sole.nodes), -1)
    index[near] = np.arange(len(near))
    edges = index[sole.edges]
    edges = edges[(edges >= 0).all(axis=1)]
    graph = coo_array((np.ones(len(edges)), (edges[:, 0], edges[:, 1])), shape=(len(near), len(near)))
    pieces, label = connected_components(graph, directed=False)
    return [near[label == piece] for piece in range(pieces)]


def _split(sole: Sole, nodes: Ints, parts: int) -> list[Ints]:
    """Cut ``nodes`` across their longest rest direction, again and again, into ``parts`` of like area."""
    if parts == 1:
        return [nodes]
    rest, areas = sole.rest[nodes], sole.areas[nodes]
    centred = rest - areas @ rest / areas.sum()
    _, axes = np.linalg.eigh(centred.T @ (areas[:, None] * centred))
    axis = axes[:, -1] * np.sign(axes[np.argmax(np.abs(axes[:, -1])), -1])
    order = np.argsort(centred @ axis, kind="stable")
    first = parts // 2
    filled = np.cumsum(areas[order]) - 0.5 * areas[order]
    cut = int(np.searchsorted(filled, areas.sum() * first / parts))
    cut = min(max(cut, first), len(nodes) - (parts - first))
    return _split(sole, nodes[order[:cut]], first) + _split(sole, nodes[order[cut:]], parts - first)
