"""The soft shadow on the ground: a silhouette along the light, blurred, darker where the body touches."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hydrostat.arrays import Floats, Ints
from hydrostat.show.raster import draw_triangles
from hydrostat.show.scene3d import Ground

_TEXELS = 160
_MARGIN = 22  # texels round the silhouette: more than three times the wider blur


@dataclass(frozen=True)
class Shadow:
    """Shadow textures over the ground.

    axes: (2, 4), texel column and row of a point: three factors (1/m) and a constant; the same for all points
    along a ray of light. cast: (s, s) share of the key light that is kept off. contact: (s, s) share of the
    sky.
    """

    axes: Floats
    cast: Floats
    contact: Floats


NO_SHADOW = Shadow(np.zeros((2, 4)), np.zeros((1, 1)), np.zeros((1, 1)))


def shadow_of(points: Floats, faces: Ints, ground: Ground, tangents: Floats, light: Floats) -> Shadow:
    """The shadow of triangles.

    points: (n, 3) m. faces: (f, 3). tangents: (3, 3), two unit vectors along the ground and its normal.
    light: (3,), to the light, not from below the ground.
    """
    if not len(faces):
        return NO_SHADOW
    normal = tangents[2]
    # A point moved along the light into the plane through the origin: p − light (p · normal) / (light ·
    # normal).
    along = tangents[:2] - np.outer(tangents[:2] @ light, normal) / (light @ normal)
    flat = points @ along.T
    low, high = flat.min(axis=0), flat.max(axis=0)
    texel = max(float(np.max(high - low)), 1e-9) / (_TEXELS - 2 * _MARGIN)
    start = 0.5 * (low + high) - 0.5 * _TEXELS * texel
    axes = np.concatenate([along, -start[:, None]], axis=1) / texel
    clearance = np.maximum(ground.heights(points), 0.0) / (texel * _TEXELS)
    lowest = _lowest(points @ axes[:, :3].T + axes[:, 3], clearance, faces)
    covered = np.isfinite(lowest)
    strength = np.zeros_like(lowest)
    strength[covered] = 0.4 + 0.6 * np.exp(-3.0 * lowest[covered])
    touching = np.zeros_like(lowest)
    touching[covered] = np.exp(-30.0 * lowest[covered])
    axes[:, 3] -= 0.5  # textures are looked up between the middles of texels
    return Shadow(axes, _blurred(strength, 6.0), _blurred(touching, 2.5))


def _lowest(texels: Floats, clearance: Floats, faces: Ints) -> Floats:
    """The smallest clearance of a triangle over every texel, (s, s); infinite where there is none.

    The rasteriser divides by depth: with clearance + 1 as the depth and coordinates multiplied by it, the
    picture is a parallel projection in which the lowest triangle is the nearest.
    """
    depth = 1.0 + clearance
    seen = np.stack([texels[:, 0] * depth, -texels[:, 1] * depth, depth], axis=1)
    inverse = np.zeros((_TEXELS, _TEXELS))
    draw_triangles(
        seen,
        faces,
        np.zeros((len(seen), 0)),
        np.array([1.0, 0.0, 0.0]),
        0.5,
        inverse,
        np.zeros((*inverse.shape, 0)),
    )
    return 1.0 / np.where(inverse > 0.0, inverse, np.nan) - 1.0


def _blurred(texture: Floats, width: float) -> Floats:
    """``texture`` (s, s) under a Gaussian of standard deviation ``width`` texels."""
    place = np.arange(len(texture))
    weights = np.exp(-0.5 * ((place[:, None] - place) / width) ** 2) / (width * np.sqrt(2.0 * np.pi))
    blurred: Floats = weights @ texture @ weights
    return blurred
