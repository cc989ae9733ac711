"""Any mesh in: a solid to simulate from whatever surface or tetrahedra a user has, and his own vertices in it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from hydrostat.arrays import Floats, Ints
from hydrostat.errors import InputError
from hydrostat.geometry.embedding import Embedding, barycentric, embed
from hydrostat.geometry.filling import filled, largest_piece
from hydrostat.geometry.mesh_files import oriented, read_arrays
from hydrostat.geometry.repair import diagnose, obstacles, repair
from hydrostat.geometry.sampled_distance import sampled_distance
from hydrostat.geometry.surfaces import Surface, area_vectors
from hydrostat.geometry.tetrahedra import TetMesh

# The axis of the user's mesh that points up -> its axes that become x, y and z: a rotation, never a mirror.
AXES: dict[str, Floats] = {
    "+x": np.array([[0.0, -1, 0], [1, 0, 0], [0, 0, 1]]),
    "-x": np.array([[0.0, 1, 0], [-1, 0, 0], [0, 0, 1]]),
    "+y": np.eye(3),
    "-y": np.diag([1.0, -1, -1]),
    "+z": np.array([[1.0, 0, 0], [0, 0, 1], [0, -1, 0]]),
    "-z": np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]]),
}
# How far the count of tetrahedra may be off: a user's mesh is better a little finer than refused.
TOLERANCE = 0.5
# Points are embedded in blocks, so that a large surface does not need large memory.
BLOCK = 50_000
# At most this share of the area may be loose parts that are carried along.
MOST_LOOSE = 0.4
# Farther from the tetrahedra than this many of their edges, a vertex belongs to a loose part.
LOOSE = 1.5


@dataclass(frozen=True)
class MeshOptions:
    """How a user's mesh is to stand in the world.

    up: the axis of the mesh that points up, one of ``AXES``. height: of the solid, m; or scale: metres a unit of the
    mesh. With neither, units are metres. tets: wanted number of tetrahedra, about.
    """

    up: str = "+y"
    height: float | None = None
    scale: float | None = None
    tets: int = 15_000

    def __post_init__(self) -> None:
        """Refuse what means nothing."""
        if self.up not in AXES:
            raise InputError(f"up is {self.up!r}", f"one of {', '.join(AXES)}", "pass up='+z' for a model with z up")
        if self.height is not None and self.scale is not None:
            raise InputError("both height and scale are given", "one of them", "leave one out")
        for name, value in (("height", self.height), ("scale", self.scale)):
            if value is not None and not 0.0 < value < np.inf:
                raise InputError(f"{name} is {value}", "a number above 0", f"pass {name}=1.0, for example")
        if not 100 <= self.tets <= 1_000_000:
            raise InputError(f"tets is {self.tets}", "100 to 1000000", "leave it out for 15000")


@dataclass(frozen=True)
class Placement:
    """From the user's coordinates to the world: turn by ``axes`` (3, 3), times ``scale``, plus ``offset`` (3,) m."""

    axes: Floats
    scale: float
    offset: Floats

    def to_world(self, points: Floats) -> Floats:
        """World positions, (n, 3) m, of ``points`` (n, 3) in the user's units."""
        return self.scale * (points @ self.axes.T) + self.offset

    def to_user(self, points: Floats) -> Floats:
        """Points (n, 3) in the user's units and axes, of world positions (n, 3) m."""
        return ((points - self.offset) / self.scale) @ self.axes


@dataclass(frozen=True)
class Solid:
    """What is simulated, and what is shown of it.

    mesh: tetrahedra that stand on y = 0, in one piece. surface: the user's vertices, all and in his order, where they
    are in the world, and his faces. embedding: where the vertices sit in the mesh. notes: what had to be done, in
    words.
    """

    mesh: TetMesh
    surface: Surface
    embedding: Embedding
    placement: Placement
    notes: tuple[str, ...]


def solid(given: str | Path | Surface, options: MeshOptions | None = None) -> Solid:
    """A solid from a mesh file or surface: open, crossing itself, in pieces, of any size and anywhere.

    Holes are closed, what is too thin gets a thickness, parts that touch nothing are carried along. Anything that
    encloses nothing at all is an ``InputError``. A file with tetrahedra keeps them.
    """
    options = options or MeshOptions()
    if isinstance(given, Surface):
        return _of_surface(given, options)
    arrays = read_arrays(given)
    if len(arrays.tets) == 0:
        return _of_surface(Surface(arrays.vertices, arrays.faces), options)
    return _of_tets(oriented(arrays, Path(given).name)[0], options)


def _of_tets(mesh: TetMesh, options: MeshOptions) -> Solid:
    placement = _placement(mesh.vertices[np.unique(mesh.tets)], options)
    placed = TetMesh(placement.to_world(mesh.vertices), mesh.tets)
    piece = largest_piece(placed)
    return _assembled(piece, placed.surface, placement, ())


def _of_surface(given: Surface, options: MeshOptions) -> Solid:
    given = Surface(np.asarray(given.vertices, dtype=np.float64), np.asarray(given.faces, dtype=np.int64))
    if given.vertices.shape[1:] != (3,) or given.faces.shape[1:] != (3,):
        raise InputError(
            f"vertices of shape {given.vertices.shape} and faces of shape {given.faces.shape}",
            "shapes (n, 3) and (f, 3)",
            "pass triangles",
        )
    bad = np.count_nonzero(~np.isfinite(given.vertices).all(axis=1))
    if bad:
        raise InputError(f"{bad} vertices have coordinates that are not finite", "finite numbers", "export it again")
    sound, notes = repair(given)
    found = obstacles(diagnose(_unit(sound)), allow_open=True)
    if found:
        raise InputError(
            "; ".join(cause for cause, _ in found),
            "a surface with some thickness",
            "; ".join(cure for _, cure in found),
        )
    placement = _placement(sound.vertices, options)
    # Meshed at unit size, so that tiny and huge surfaces are the same.
    unit = _unit(sound)
    field = sampled_distance(unit, options.tets)
    if not (field.values < 0).any():
        raise InputError("the surface encloses nothing", "a surface with some thickness", "close or thicken it")
    mesh = filled(field.distance, field.bounds(), options.tets, TOLERANCE)
    if field.thickened:
        notes += (f"{field.thickened:.1%} of the surface is thin or open and got a thickness",)
    low, size = _frame(sound)
    world = TetMesh(placement.to_world(mesh.vertices * size + low), mesh.tets)
    return _assembled(world, Surface(placement.to_world(given.vertices), given.faces), placement, notes)


def _frame(surface: Surface) -> tuple[Floats, float]:
    """The lowest corner (3,) of the bounding box, and its longest side."""
    low = surface.vertices.min(axis=0, initial=np.inf)
    return low, float(np.ptp(surface.vertices, axis=0).max(initial=0.0))


def _unit(surface: Surface) -> Surface:
    """The surface moved to the origin, with a longest side of 1."""
    if len(surface.vertices) == 0:
        return surface
    low, size = _frame(surface)
    return Surface((surface.vertices - low) / (size or 1.0), surface.faces)


def _placement(vertices: Floats, options: MeshOptions) -> Placement:
    """Upright, as large as wanted, its box over the origin and on y = 0."""
    axes = AXES[options.up]
    turned = vertices @ axes.T
    low, high = turned.min(axis=0), turned.max(axis=0)
    scale = options.scale or 1.0
    if options.height is not None:
        scale = options.height / float(high[1] - low[1])
    foot = np.array([(low[0] + high[0]) / 2.0, low[1], (low[2] + high[2]) / 2.0])
    return Placement(axes, scale, -scale * foot)


def _assembled(mesh: TetMesh, surface: Surface, placement: Placement, notes: tuple[str, ...]) -> Solid:
    """The mesh set down on y = 0, with the surface in it."""
    drop = np.array([0.0, -mesh.vertices[:, 1].min(), 0.0])
    mesh = TetMesh(mesh.vertices + drop, mesh.tets)
    surface = Surface(surface.vertices + drop, surface.faces)
    placement = Placement(placement.axes, placement.scale, placement.offset + drop)
    embedding, loose = _embedded(surface, mesh)
    if loose > MOST_LOOSE:
        raise InputError(
            f"the surface is in pieces that do not touch: {loose:.0%} of it is not with the largest",
            "a body in one piece",
            "join the pieces in a modelling program, or give one of them",
        )
    if loose:
        notes += (f"{loose:.1%} of the surface is loose and carried along",)
    return Solid(mesh, surface, embedding, placement, notes)


def _embedded(surface: Surface, mesh: TetMesh) -> tuple[Embedding, float]:
    """Where the vertices of ``surface`` sit in ``mesh``, and which share of its area is loose."""
    points = surface.vertices
    blocks = [embed(points[i : i + BLOCK], mesh) for i in range(0, len(points), BLOCK)]
    tets, corners, weights = (
        np.concatenate([getattr(block, name) for block in blocks]) for name in ("tets", "corners", "weights")
    )
    edge = float(np.median(np.linalg.norm(mesh.vertices[mesh.tets[:, 0]] - mesh.vertices[mesh.tets[:, 1]], axis=1)))
    # A barycentric coordinate of −w is about w edges outside.
    far = np.flatnonzero(weights.min(axis=1) < -LOOSE)
    for part in _parts(surface.faces, far, len(points)):
        corners[part] = _wide_corners(points[part], mesh, LOOSE * edge)
        around = TetMesh(mesh.vertices, corners[part[:1]])
        weights[part] = barycentric(points[part], around, np.zeros(len(part), dtype=np.int64))
    areas = np.linalg.norm(area_vectors(points, surface.faces), axis=1)
    loose = float(areas[np.isin(surface.faces, far).all(axis=1)].sum() / max(areas.sum(), np.finfo(float).tiny))
    return Embedding(tets, corners, weights), loose


def _parts(faces: Ints, chosen: Ints, size: int) -> list[Ints]:
    """The ``chosen`` vertices of ``size``, those together that hang together by edges between them."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    if len(chosen) == 0:
        return []
    among = np.full(size, -1)
    among[chosen] = np.arange(len(chosen))
    start, end = among[faces].ravel(), among[np.roll(faces, -1, axis=1)].ravel()
    both = (start >= 0) & (end >= 0)
    links = coo_array((np.ones(np.count_nonzero(both), dtype=bool), (start[both], end[both])), shape=(len(chosen),) * 2)
    _, label = connected_components(links, directed=False)
    order = np.argsort(label, kind="stable")
    return np.split(chosen[order], np.cumsum(np.bincount(label))[:-1])


def _wide_corners(points: Floats, mesh: TetMesh, reach: float) -> Ints:
    """Four vertices (4,) of ``mesh`` near a loose part (k, 3) m, far apart from each other for its size.

    In the one tetrahedron that happens to be nearest the part's weights would be large, and it would shake.
    """
    from scipy.spatial import cKDTree

    tree = cKDTree(mesh.vertices)
    distance, nearest = tree.query(points)
    place = mesh.vertices[nearest[distance.argmin()]]
    size = float(np.linalg.norm(points - place, axis=1).max()) + reach
    near = np.array(tree.query_ball_point(place, size), dtype=np.int64)
    # Fewer than a few dozen vertices might lie in a plane.
    if len(near) < 32:
        near = np.atleast_1d(tree.query(place, k=min(32, len(mesh.vertices)))[1])
    at = mesh.vertices[near] - place
    first = int(np.einsum("ni,ni->n", at, at).argmax())
    second = int(np.linalg.norm(at - at[first], axis=1).argmax())
    line = at[second] - at[first]
    third = int(np.linalg.norm(np.cross(at - at[first], line), axis=1).argmax())
    plane = np.cross(line, at[third] - at[first])
    fourth = int(np.abs((at - at[first]) @ plane).argmax())
    return near[[first, second, third, fourth]]
