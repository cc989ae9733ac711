"""The ground: its axes, its triangles, and the compiled painting of a checker with shadow and fog."""

from __future__ import annotations

import numpy as np
from numba import njit

from hydrostat.arrays import Floats, Ints
from hydrostat.show.colours import srgb_to_linear
from hydrostat.show.scene3d import Ground, HeightfieldGround, MeshItem
from hydrostat.show.solids import Triangles, mesh

TILES = srgb_to_linear([(0.83, 0.85, 0.87), (0.90, 0.91, 0.92)])

_BEYOND = 1e3  # how far a heightfield goes on level beyond its border, in its own lengths


def tangents_of(ground: Ground) -> Floats:
    """Two unit vectors along the ground and its normal, (3, 3); on level ground x, z and y."""
    if isinstance(ground, HeightfieldGround):
        return np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]])
    normal = ground.normal
    start = np.array([0.0, 0.0, 1.0]) if abs(normal[2]) < 0.9 else np.array([0.0, -1.0, 0.0])
    first = np.cross(normal, start)
    first = first / np.linalg.norm(first)
    return np.stack([first, np.cross(first, normal), normal])


def hills_of(ground: HeightfieldGround) -> Triangles:
    """The heightfield as triangles, with one more ring of nodes far out."""
    rows, columns = ground.height_grid.shape
    z = ground.origin[1] + ground.spacing * np.arange(rows)
    x = ground.origin[0] + ground.spacing * np.arange(columns)
    far = _BEYOND * ground.spacing * max(rows, columns)
    x, z = np.r_[x[0] - far, x, x[-1] + far], np.r_[z[0] - far, z, z[-1] + far]
    heights = np.pad(ground.height_grid, 1, mode="edge")
    grid_z, grid_x = np.meshgrid(z, x, indexing="ij")
    vertices = np.stack([grid_x, heights, grid_z], axis=-1).reshape(-1, 3)
    corner = (np.arange(rows + 1)[:, None] * (columns + 2) + np.arange(columns + 1)).ravel()
    below = corner + columns + 2
    faces: Ints = np.concatenate(
        [np.stack([corner, below, below + 1], axis=1), np.stack([corner, below + 1, corner + 1], axis=1)]
    )
    return mesh(MeshItem(vertices, faces, opacity=1.0))


@njit(cache=True, error_model="numpy")
def _striped(place: float, width: float) -> float:
    """The mean, over a window of ``width``, of a wave that is +1 and −1 on alternating unit cells."""
    # The integral of the wave is a triangle wave; the mean over a window is a difference of two of its
    # values.
    ahead = (place + 0.5 * width) * 0.5
    behind = (place - 0.5 * width) * 0.5
    rise = abs(ahead - np.floor(ahead) - 0.5) - abs(behind - np.floor(behind) - 0.5)
    return float(-2.0 * rise / width)


@njit(cache=True, error_model="numpy")
def _looked_up(texture: Floats, x: float, y: float) -> float:
    """Bilinear value at texel coordinates (column x, row y); zero outside."""
    rows, columns = texture.shape
    if not (0.0 <= x < columns - 1 and 0.0 <= y < rows - 1):
        return 0.0
    i, j = int(y), int(x)
    s, t = x - j, y - i
    upper = texture[i, j] * (1.0 - s) + texture[i, j + 1] * s
    lower = texture[i + 1, j] * (1.0 - s) + texture[i + 1, j + 1] * s
    return float(upper * (1.0 - t) + lower * t)


@njit(cache=True, error_model="numpy")
def shade_ground(
    depth: Floats,
    facing: Floats,
    lens: Floats,
    axes: Floats,
    eye: Floats,
    frame: Floats,
    fog: Floats,
    shadow_axes: Floats,
    cast: Floats,
    contact: Floats,
    tiles: Floats,
    pixels: Floats,
) -> None:
    """Paint checkered, shadowed, fogged ground over the sky.

    depth: (s h, s w) 1/depth of the ground in samples, s × s to a pixel. facing: (h, w) cosine between ground
    and key light. lens: (3,) in samples. axes: (3, 3) and eye: (3,) m of the camera. frame: (3, 3) the
    checker's two axes over cell size (1/m) and the unit normal. fog: (5,) middle m, radius m where it begins
    and where all is gone. shadow_axes: (2, 4) texel coordinates of a point (1/m and constant). cast, contact:
    shadow textures, 0 to 1. tiles: (2, 3). pixels: (h, w, 3), read and written.
    """
    rows, columns = pixels.shape[:2]
    step = depth.shape[0] // rows
    for row in range(rows):
        for column in range(columns):
            inverse, count = 0.0, 0
            for i in range(step * row, step * (row + 1)):
                for j in range(step * column, step * (column + 1)):
                    if depth[i, j] > 0.0:
                        inverse += depth[i, j]
                        count += 1
            if count == 0:
                continue
            away = count / inverse
            x = (step * (column + 0.5) - lens[1]) / lens[0]
            y = (lens[2] - step * (row + 0.5)) / lens[0]
            ray_0 = x * axes[0, 0] + y * axes[1, 0] + axes[2, 0]
            ray_1 = x * axes[0, 1] + y * axes[1, 1] + axes[2, 1]
            ray_2 = x * axes[0, 2] + y * axes[1, 2] + axes[2, 2]
            p_0, p_1, p_2 = eye[0] + away * ray_0, eye[1] + away * ray_1, eye[2] + away * ray_2
            distance = np.sqrt((p_0 - fog[0]) ** 2 + (p_1 - fog[1]) ** 2 + (p_2 - fog[2]) ** 2)
            clear = min(max((fog[4] - distance) / (fog[4] - fog[3]), 0.0), 1.0)
            if clear == 0.0:
                continue
            clear = clear * clear * (3.0 - 2.0 * clear) * count / (step * step)
            # One pixel covers more ground along the line of sight, the more so the flatter it meets the
            # ground.
            size = step * away / lens[0]
            slant = frame[2, 0] * ray_0 + frame[2, 1] * ray_1 + frame[2, 2] * ray_2
            pattern = 1.0
            for k in range(2):
                place = frame[k, 0] * p_0 + frame[k, 1] * p_1 + frame[k, 2] * p_2
                scale = np.sqrt(frame[k, 0] ** 2 + frame[k, 1] ** 2 + frame[k, 2] ** 2)
                along = frame[k, 0] * ray_0 + frame[k, 1] * ray_1 + frame[k, 2] * ray_2
                pattern *= _striped(place, size * (scale + abs(along / slant)))
            u = shadow_axes[0, 0] * p_0 + shadow_axes[0, 1] * p_1 + shadow_axes[0, 2] * p_2 + shadow_axes[0, 3]
            v = shadow_axes[1, 0] * p_0 + shadow_axes[1, 1] * p_1 + shadow_axes[1, 2] * p_2 + shadow_axes[1, 3]
            open_sky = 0.42 * (1.0 - 0.85 * _looked_up(contact, u, v))
            lit = 0.62 * facing[row, column] * (1.0 - 0.80 * _looked_up(cast, u, v)) + open_sky
            for k in range(3):
                tile = 0.5 * (tiles[0, k] + tiles[1, k]) + 0.5 * pattern * (tiles[1, k] - tiles[0, k])
                pixels[row, column, k] += clear * (tile * lit - pixels[row, column, k])
