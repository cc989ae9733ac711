"""Which points lie inside of any surface: generalised winding numbers, far faces in groups.

A. Jacobson, L. Kavan and O. Sorkine-Hornung, "Robust Inside-Outside Segmentation using Generalized Winding Numbers",
2013; groups as in G. Barill et al., "Fast Winding Numbers for Soups and Clouds", 2018, with one level of them.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from hydrostat.arrays import Floats, Ints
from hydrostat.geometry.surfaces import Surface, area_vectors

# Faces are grouped in cubes with this fraction of the diagonal of the surface as edge.
GROUP = 1 / 30
# A group counts as one small magnet from this many of its radii on; the error is then below 0.01.
FAR = 3.0


def winding_numbers(points: Floats, surface: Surface) -> Floats:
    """How often ``surface`` surrounds each of ``points`` (n, 3) m: 1 inside, 0 outside, between them near holes."""
    vertices, faces = surface.vertices, surface.faces
    middles = vertices[faces].mean(axis=1)
    low = middles.min(axis=0)
    edge = GROUP * float(np.linalg.norm(np.ptp(vertices, axis=0)))
    cube = np.floor((middles - low) / edge).astype(np.int64)
    counts = cube.max(axis=0) + 1
    _, group = np.unique((cube[:, 0] * counts[1] + cube[:, 1]) * counts[2] + cube[:, 2], return_inverse=True)
    order = np.argsort(group, kind="stable")
    corners, group = vertices[faces[order]], group[order]
    areas = area_vectors(vertices, faces[order])
    weights = np.linalg.norm(areas, axis=1) + 1e-300
    size = np.bincount(group)
    total = np.bincount(group, weights)
    centres = np.stack([np.bincount(group, weights * column) / total for column in middles[order].T], axis=1)
    summed: Floats = np.stack([np.bincount(group, column) for column in areas.T], axis=1)
    radii = np.zeros(len(size))
    np.maximum.at(radii, group, np.linalg.norm(corners - centres[group][:, None], axis=2).max(axis=1))
    starts = np.concatenate([[0], np.cumsum(size)])
    return _winding(np.ascontiguousarray(points), np.ascontiguousarray(corners), starts, centres, summed, radii)


@njit(cache=True)
def _winding(points: Floats, corners: Floats, starts: Ints, centres: Floats, areas: Floats, radii: Floats) -> Floats:
    """Sums solid angles: of groups of faces that are far as area · r / r³, of others by van Oosterom and Strackee."""
    result = np.empty(len(points))
    for i in range(len(points)):
        x, y, z = points[i]
        angle = 0.0
        for g in range(len(centres)):
            dx, dy, dz = centres[g, 0] - x, centres[g, 1] - y, centres[g, 2] - z
            square = dx * dx + dy * dy + dz * dz
            if square > (FAR * radii[g]) ** 2:
                angle += (areas[g, 0] * dx + areas[g, 1] * dy + areas[g, 2] * dz) / (square * np.sqrt(square))
                continue
            for f in range(starts[g], starts[g + 1]):
                ax, ay, az = corners[f, 0, 0] - x, corners[f, 0, 1] - y, corners[f, 0, 2] - z
                bx, by, bz = corners[f, 1, 0] - x, corners[f, 1, 1] - y, corners[f, 1, 2] - z
                cx, cy, cz = corners[f, 2, 0] - x, corners[f, 2, 1] - y, corners[f, 2, 2] - z
                a = np.sqrt(ax * ax + ay * ay + az * az)
                b = np.sqrt(bx * bx + by * by + bz * bz)
                c = np.sqrt(cx * cx + cy * cy + cz * cz)
                triple = ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)
                ab, bc, ca = ax * bx + ay * by + az * bz, bx * cx + by * cy + bz * cz, cx * ax + cy * ay + cz * az
                angle += 2.0 * np.arctan2(triple, a * b * c + ab * c + bc * a + ca * b)
        result[i] = angle / (4.0 * np.pi)
    return result
