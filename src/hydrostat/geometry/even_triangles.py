"""Triangles of about one size instead of any surface's: what is too fine is merged, what is too large is cut."""

from __future__ import annotations

import numpy as np

from hydrostat.arrays import Floats, Ints
from hydrostat.errors import InputError
from hydrostat.geometry.surfaces import Surface

# More triangles than this would come from a surface that runs to and fro through its own box hundreds of times.
MOST = 2_000_000


def evened(surface: Surface, size: float) -> Surface:
    """``surface`` in triangles without edges longer than twice ``size`` m, and with hardly any much shorter.

    Vertices are moved by less than ``size``; a vertex that is alone in its cube of that size stays. Closed surfaces
    stay closed, though new vertices stand there once for every face. Of what is thinner than ``size`` in two
    directions, faces without area stay.
    """
    merged = _merged(surface, size)
    vertices, faces = merged.vertices, merged.faces
    while True:
        corners = vertices[faces]
        lengths = np.linalg.norm(corners - np.roll(corners, -1, axis=1), axis=2)
        long = lengths.max(axis=1) > 2.0 * size
        if not long.any():
            return Surface(vertices, faces)
        if len(faces) > MOST:
            raise InputError(
                f"the surface falls into more than {MOST} triangles of {2.0 * size:g} m",
                "a surface that is no dense tangle of faces",
                "simplify it in a modelling program",
            )
        # Corner 0 to 1 becomes the longest edge, and is cut in the middle.
        first = lengths[long].argmax(axis=1)
        turned = np.take_along_axis(faces[long], (first[:, None] + np.arange(3)) % 3, axis=1)
        middle = len(vertices) + np.arange(len(turned))
        vertices = np.vstack([vertices, vertices[turned[:, :2]].mean(axis=1)])
        a, b, c = turned.T
        halves = [np.column_stack([a, middle, c]), np.column_stack([middle, b, c])]
        faces = np.vstack([faces[~long], *halves])


def _merged(surface: Surface, size: float) -> Surface:
    """All vertices in one cube of ``size`` m become their mean; of the faces that lose their area with it
    those are dropped that others touch."""
    vertices, faces = surface.vertices, surface.faces
    cube = np.floor((vertices - vertices.min(axis=0)) / size).astype(np.int64)
    counts = cube.max(axis=0) + 1
    key = (cube[:, 0] * counts[1] + cube[:, 1]) * counts[2] + cube[:, 2]
    _, group, members = np.unique(key, return_inverse=True, return_counts=True)
    means: Floats = np.stack([np.bincount(group, column) / members for column in vertices.T], axis=1)
    merged: Ints = group[faces]
    alive = (merged != np.roll(merged, 1, axis=1)).all(axis=1)
    touched = np.zeros(len(means), dtype=bool)
    touched[merged[alive]] = True
    kept = merged[alive | ~touched[merged].any(axis=1)]
    return Surface(means, np.unique(_smallest_first(kept), axis=0))


def _smallest_first(faces: Ints) -> Ints:
    """``faces`` turned, without changing their winding, until the smallest corner is first."""
    first = faces.argmin(axis=1)[:, None]
    return np.take_along_axis(faces, (first + np.arange(3)) % 3, axis=1)
