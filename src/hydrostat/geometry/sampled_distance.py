"""The signed distance to any surface, open or crossing itself as it may be, on a grid.

What the surface surrounds is inside; what is too thin for the wanted tetrahedra, and open sheets, get a thickness.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hydrostat.arrays import Bools, Floats, Ints
from hydrostat.geometry.even_triangles import evened
from hydrostat.geometry.inside import winding_numbers
from hydrostat.geometry.surfaces import Surface, area_vectors

# The grid has about this many points; long and thin surfaces get a finer one than round ones.
POINTS = 500_000
# Nearer to the surface than this many grid cells, distances are exact, and points are asked for their side one by one.
NEAR = 2.5
# A part whose middle is less deep than the first share of a tetrahedral cell is thin, and gets the second to each side.
DEPTH, SHELL = 0.5, 0.7
# Thickening makes the body larger, and so the cells: how often that is taken into account.
ROUNDS = 4


@dataclass(frozen=True)
class SampledDistance:
    """Signed distances ``values`` (i, j, k) m on a grid with its first point at ``low`` (3,) m, ``spacing`` m.

    thickened: the share of the surface that is thin and got a thickness.
    """

    low: Floats
    spacing: float
    values: Floats
    thickened: float = 0.0

    def distance(self, points: Floats) -> Floats:
        """Signed distances, (n,) m, of ``points`` (n, 3) m; linear between the grid points."""
        from scipy.ndimage import map_coordinates

        places = (points - self.low).T / self.spacing
        distance: Floats = map_coordinates(self.values, places, order=1, mode="nearest")
        return distance

    def bounds(self) -> Floats:
        """A box around what is inside, (2, 3) m."""
        inside = np.argwhere(self.values < 0)
        if len(inside) == 0:
            return np.stack([self.low, self.low])
        return self.low + self.spacing * np.stack([inside.min(axis=0) - 1, inside.max(axis=0) + 1])


@dataclass(frozen=True)
class _Grid:
    """``shape`` points from ``low`` (3,) m on, ``spacing`` m apart."""

    low: Floats
    spacing: float
    shape: tuple[int, ...]

    def points(self, which: Bools) -> Floats:
        """Places, (n, 3) m, of some of the points, chosen in the shape of the grid."""
        return self.low + self.spacing * np.argwhere(which)

    def holding(self, places: Floats) -> tuple[Ints, ...]:
        """The indices of the grid points nearest to ``places`` (n, 3) m."""
        return tuple(np.rint((places - self.low) / self.spacing).astype(np.int64).T)


def sampled_distance(surface: Surface, tets: int) -> SampledDistance:
    """The distance to ``surface``, thickened where ``tets`` tetrahedra would be too coarse for it."""
    extent = np.ptp(surface.vertices, axis=0)
    # Room for a shell around what is thin: the fewer the tetrahedra, the thicker.
    margin = max(0.05, 2.0 / np.sqrt(tets)) * float(np.linalg.norm(extent))
    spacing = float((np.prod(extent + 2.0 * margin) / POINTS) ** (1.0 / 3.0))
    counts = np.ceil((extent + 2.0 * margin) / spacing).astype(np.int64) + 1
    grid = _Grid(surface.vertices.min(axis=0) - margin, spacing, tuple(counts.tolist()))
    even = evened(surface, 0.75 * spacing)
    away = _to_faces(grid, even)
    return _thickened(grid, np.where(_inside(grid, away, even), -away, away), even, tets)


def _to_faces(grid: _Grid, even: Surface) -> Floats:
    """Distances, m, in the shape of the grid: near the surface to the disc around the face whose middle is nearest."""
    from scipy.ndimage import distance_transform_edt
    from scipy.spatial import cKDTree

    corners = even.vertices[even.faces]
    middles = corners.mean(axis=1)
    free = np.ones(grid.shape, dtype=bool)
    free[grid.holding(middles)] = False
    away: Floats = grid.spacing * distance_transform_edt(free)
    near = away < (NEAR + 1.0) * grid.spacing
    points = grid.points(near)
    _, face = cKDTree(middles).query(points)
    radii = np.linalg.norm(corners - middles[:, None], axis=2).max(axis=1)
    normals = area_vectors(even.vertices, even.faces)
    length = np.linalg.norm(normals, axis=1)
    # What is left of a needle has no area: points on a line instead of discs.
    radii *= length > 0
    normals /= np.where(length > 0, length, 1.0)[:, None]
    offset = points - middles[face]
    height = np.einsum("ni,ni->n", offset, normals[face])
    aside = np.sqrt(np.maximum(np.einsum("ni,ni->n", offset, offset) - height**2, 0.0))
    away[near] = np.hypot(height, np.maximum(aside - radii[face], 0.0))
    return away


def _inside(grid: _Grid, away: Floats, even: Surface) -> Bools:
    """Which grid points are inside; far from the surface only every second along each axis is asked."""
    asked = np.zeros(grid.shape, dtype=bool)
    asked[::2, ::2, ::2] = True
    near = away <= NEAR * grid.spacing
    asked |= near
    answers = np.zeros(grid.shape, dtype=bool)
    answers[asked] = winding_numbers(grid.points(asked), even) > 0.5
    # Not farther than √3 cells away, so on the same side of the surface.
    i, j, k = (np.arange(count) // 2 * 2 for count in grid.shape)
    inside: Bools = np.where(near, answers, answers[np.ix_(i, j, k)])
    return inside


def _thickened(grid: _Grid, values: Floats, even: Surface, tets: int) -> SampledDistance:
    """The distance with a shell around the faces that no deep enough place is near to."""
    from scipy.ndimage import distance_transform_edt

    node = grid.holding(even.vertices[even.faces].mean(axis=1))
    thick, share = values, 0.0
    for _ in range(ROUNDS):
        volume = np.count_nonzero(thick < 0) * grid.spacing**3
        # A cell of the lattice holds twelve tetrahedra; finer than the grid it shows no more.
        cell = max((12.0 * volume / tets) ** (1.0 / 3.0), 2.0 * grid.spacing)
        deep = values < -DEPTH * cell
        to_deep = distance_transform_edt(~deep) * grid.spacing if deep.any() else np.full(deep.shape, np.inf)
        thin = to_deep[node] > (1.0 + DEPTH) * cell
        if not thin.any():
            break
        shell = _to_faces(grid, Surface(even.vertices, even.faces[thin])) - SHELL * cell
        thick, share = np.minimum(values, shell), float(thin.mean())
    return SampledDistance(grid.low, grid.spacing, thick, share)
