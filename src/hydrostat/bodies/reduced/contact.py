"""Contact of the samples: forces at the points that touch, by projected Gauss–Seidel (docs/theory/b2024.md).

Points and forces of all samples are (3, s), so that one force moves all samples in loops over neighbours in memory.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numba
import numpy as np

from hydrostat.arrays import Floats

# Softness of the ground over the compliance of a sample: makes the equations of many samples solvable.
SOFTNESS = 1e-6


class GroundArrays(NamedTuple):
    """A plane, normal · x ≥ offset, or, where ``heights`` are given, a heightfield as in ``contact.ground``."""

    normal: Floats
    offset: float
    heights: Floats
    spacing: float
    origin: Floats


@numba.njit(cache=True)
def look(ground: Any, points: Any, normals: Any, offsets: Any) -> None:
    """The tangent plane of the ground below every one of ``points`` (3, s): normals (3, s), offsets (s,)."""
    rows, columns = ground.heights.shape
    for i in range(points.shape[1]):
        if rows == 0:
            for axis in range(3):
                normals[axis, i] = ground.normal[axis]
            offsets[i] = ground.offset
            continue
        x, z = (points[0, i] - ground.origin[0]) / ground.spacing, (points[2, i] - ground.origin[1]) / ground.spacing
        inside_x, inside_z = 0.0 <= x <= columns - 1, 0.0 <= z <= rows - 1
        x, z = min(max(x, 0.0), columns - 1.0), min(max(z, 0.0), rows - 1.0)
        left, back = min(int(x), columns - 2), min(int(z), rows - 2)
        s, t = x - left, z - back
        h00, h01 = ground.heights[back, left], ground.heights[back, left + 1]
        h10, h11 = ground.heights[back + 1, left], ground.heights[back + 1, left + 1]
        height = (1 - t) * ((1 - s) * h00 + s * h01) + t * ((1 - s) * h10 + s * h11)
        slope_x = ((1 - t) * (h01 - h00) + t * (h11 - h10)) / ground.spacing if inside_x else 0.0
        slope_z = ((1 - s) * (h10 - h00) + s * (h11 - h01)) / ground.spacing if inside_z else 0.0
        length = np.sqrt(1.0 + slope_x * slope_x + slope_z * slope_z)
        normals[0, i], normals[1, i], normals[2, i] = -slope_x / length, 1.0 / length, -slope_z / length
        offsets[i] = normals[0, i] * points[0, i] + normals[1, i] * height + normals[2, i] * points[2, i]


@numba.njit(cache=True, inline="always")
def above(points: Any, normals: Any, offsets: Any, i: int) -> float:
    """Distance of point ``i`` from its plane, negative below."""
    along = normals[0, i] * points[0, i] + normals[1, i] * points[1, i] + normals[2, i] * points[2, i]
    return float(along - offsets[i])


@numba.njit(cache=True)
def resolve(
    points: Any,
    forces: Any,
    compliance: Any,
    normals: Any,
    offsets: Any,
    anchors: Any,
    coefficient: float,
    tolerance: float,
    sweeps: int,
) -> None:
    """Find the forces (3, s) N that keep every sample above its plane, and move ``points`` (3, s) m with them.

    compliance (s, s) m/N: how far a force at one sample moves another. A sample that is pressed goes to its anchor
    (3, s) m in the tangential plane, as far as a friction of at most ``coefficient`` × normal force takes it.
    Ends after ``sweeps``, or when nothing moves by more than ``tolerance`` m. B2024-(52)
    """
    count = len(offsets)
    for _ in range(sweeps):
        largest = 0.0
        for i in range(count):
            nx, ny, nz = normals[0, i], normals[1, i], normals[2, i]
            fx, fy, fz = forces[0, i], forces[1, i], forces[2, i]
            gap = above(points, normals, offsets, i)
            if gap >= 0.0 and fx == 0.0 and fy == 0.0 and fz == 0.0:
                continue
            soft = SOFTNESS * compliance[i, i]
            answer = 1.0 / (compliance[i, i] + soft)
            old = nx * fx + ny * fy + nz * fz
            pressed = max(0.0, old - answer * (gap + soft * old))
            gx, gy, gz = 0.0, 0.0, 0.0
            if pressed > 0.0:
                dx, dy, dz = points[0, i] - anchors[0, i], points[1, i] - anchors[1, i], points[2, i] - anchors[2, i]
                gx, gy, gz = (
                    fx - answer * (dx + soft * fx),
                    fy - answer * (dy + soft * fy),
                    fz - answer * (dz + soft * fz),
                )
                out = nx * gx + ny * gy + nz * gz
                gx, gy, gz = gx - out * nx, gy - out * ny, gz - out * nz
                size, limit = np.sqrt(gx * gx + gy * gy + gz * gz), coefficient * pressed
                if size > limit:
                    gx, gy, gz = gx * limit / size, gy * limit / size, gz * limit / size
            gx, gy, gz = gx + pressed * nx - fx, gy + pressed * ny - fy, gz + pressed * nz - fz
            forces[0, i], forces[1, i], forces[2, i] = fx + gx, fy + gy, fz + gz
            for axis, change in enumerate((gx, gy, gz)):
                for j in range(count):
                    points[axis, j] += compliance[i, j] * change
            largest = max(largest, compliance[i, i] * max(abs(gx), abs(gy), abs(gz)))
        if largest <= tolerance:
            return
