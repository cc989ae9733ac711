"""Whole bodies from their halves: meshes that are symmetric to the last bit."""

from __future__ import annotations

import numpy as np

from hydrostat.errors import InputError
from hydrostat.geometry.surfaces import area_vectors
from hydrostat.geometry.tetrahedra import TetMesh

# Vertices this near to the plane, as a fraction of the extent of the half, are put on it.
NEAR = 5e-3
# Sides that face the plane from less than this fraction belong on it.
BESIDE = 0.05


def mirrored(half: TetMesh, axis: int) -> TetMesh:
    """``half``, which lies where coordinate ``axis`` is not negative, and its mirror image, grown together.

    >>> from hydrostat.geometry.primitives import box_tets
    >>> box = box_tets((1.0, 1.0, 1.0), (2, 2, 2))
    >>> whole = mirrored(TetMesh(box.vertices + [0.5, 0.0, 0.0], box.tets), axis=0)
    >>> len(whole.tets), len(whole.vertices), float(whole.volumes.sum().round(12))
    (96, 45, 2.0)
    """
    extent = float(np.ptp(half.vertices, axis=0).max())
    vertices = half.vertices.copy()
    on_plane = np.abs(vertices[:, axis]) < NEAR * extent
    vertices[on_plane, axis] = 0.0
    faces = half.boundary
    normals = area_vectors(half.vertices, faces)
    facing = normals[:, axis] < -0.9 * np.linalg.norm(normals, axis=1)
    facing &= half.vertices[faces].mean(axis=1)[:, axis] < BESIDE * extent
    if vertices[:, axis].min() < 0.0 or not facing.any() or not on_plane[faces[facing]].all():
        raise InputError(
            f"the half has no flat side where coordinate {axis} is 0; it begins at {vertices[:, axis].min():g} m",
            "a body cut flat there, all on the positive side",
            "cut or move it, or mesh it finer",
        )
    image = np.arange(len(vertices))
    image[~on_plane] = len(vertices) + np.arange(np.count_nonzero(~on_plane))
    copies = vertices[~on_plane] * np.where(np.arange(3) == axis, -1.0, 1.0)
    return TetMesh(np.vstack([vertices, copies]), np.vstack([half.tets, image[half.tets][:, [0, 2, 1, 3]]]))
