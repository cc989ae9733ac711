"""Triangles to samples: the compiled inner loops of the rasteriser.

A buffer has one entry per sample; sample (row, column) stands at (column + ½, row + ½), y down. Depth buffers
hold 1 / depth (1/m), which is linear over the picture and 0 where nothing is; nearer is larger. Corners are
rounded to 1/256 of a sample, so that edge functions are whole numbers, exact in double precision: triangles
that share an edge cover every sample along it exactly once. With the JIT off the same code runs as plain
Python.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from hydrostat.arrays import Floats, Ints

_GRID = 256.0


@njit(cache=True, error_model="numpy")
def _clipped(corner: Floats, near: float, polygon: Floats) -> int:
    """Cut the triangle ``corner`` (3, 3), in camera coordinates, where it comes nearer than ``near``.

    Writes up to four rows of (right, up, depth, and three weights of the corners) to ``polygon``; says how
    many.
    """
    count = 0
    for i in range(3):
        j = (i + 1) % 3
        here, there = corner[i, 2] - near, corner[j, 2] - near
        # Entry by entry: for a slice that is set to an array numba compiles the words of its error message too.
        if here >= 0.0:
            for k in range(3):
                polygon[count, k] = corner[i, k]
                polygon[count, 3 + k] = 0.0
            polygon[count, 3 + i] = 1.0
            count += 1
        if (here >= 0.0) != (there >= 0.0):
            share = here / (here - there)
            for k in range(3):
                polygon[count, k] = corner[i, k] + share * (corner[j, k] - corner[i, k])
                polygon[count, 3 + k] = 0.0
            polygon[count, 3 + i] = 1.0 - share
            polygon[count, 3 + j] = share
            count += 1
    return count


@njit(cache=True, error_model="numpy")
def _edge(ax: float, ay: float, bx: float, by: float, column: int, row: int) -> tuple[float, float, float]:
    """The edge function at the middle of sample (row, column), and its steps to the next column and row.

    Positive to the right of a → b with y down. Samples exactly on an edge belong to the triangle whose top or
    left edge it is: the others see the edge half a unit nearer, which no whole number can reach.
    """
    dx, dy = bx - ax, by - ay
    value = dx * ((row + 0.5) * _GRID - ay) - dy * ((column + 0.5) * _GRID - ax)
    top_or_left = dy < 0.0 or (dy == 0.0 and dx > 0.0)
    return value if top_or_left else value - 0.5, -dy * _GRID, dx * _GRID


@njit(cache=True, error_model="numpy")
def _placed(polygon: Floats, order: tuple[int, int, int], lens: Floats, placed: Floats) -> float:
    """Put three polygon rows on the picture: x, y in 1/256 samples and 1/depth. Twice the area, signed, is
    returned.

    lens: (3,) focal length and centre, samples.
    """
    for i in range(3):
        corner = polygon[order[i]]
        placed[i, 0] = np.floor(_GRID * (lens[1] + lens[0] * corner[0] / corner[2]) + 0.5)
        placed[i, 1] = np.floor(_GRID * (lens[2] - lens[0] * corner[1] / corner[2]) + 0.5)
        placed[i, 2] = 1.0 / corner[2]
    across_x, across_y = placed[1, 0] - placed[0, 0], placed[1, 1] - placed[0, 1]
    return float(across_x * (placed[2, 1] - placed[0, 1]) - across_y * (placed[2, 0] - placed[0, 0]))


@njit(cache=True, error_model="numpy")
def _span(a: float, b: float, c: float, limit: int) -> tuple[int, int]:
    """First and one past the last sample that can lie between three coordinates (1/256 samples)."""
    first = min(max(min(a, b, c) / _GRID - 0.5, 0.0), limit)
    last = min(max(max(a, b, c) / _GRID + 0.5, 0.0), limit)
    return int(first), int(last)


@njit(cache=True, error_model="numpy")
def draw_triangles(
    points: Floats, faces: Ints, values: Floats, lens: Floats, near: float, depth: Floats, shown: Floats
) -> None:
    """Draw triangles; the nearest one at each sample writes its interpolated values.

    points: (n, 3) camera coordinates (right, up, depth). faces: (f, 3). values: (n, k), interpolated in
    space, not on the picture. lens: (3,) focal length and centre in samples. near: triangles are cut at this
    depth. depth: (h, w) 1/depth, read and written. shown: (h, w, k), written.
    """
    rows, columns = depth.shape
    polygon = np.empty((4, 6))
    placed = np.empty((3, 3))
    weights = np.empty((3, 3))
    mixed = np.empty((3, values.shape[1]))
    for face in faces:
        count = _clipped(points[face], near, polygon)
        for fan in range(2, count):
            order = (0, fan - 1, fan)
            area = _placed(polygon, order, lens, placed)
            if area == 0.0:
                continue
            if area < 0.0:
                order = (0, fan, fan - 1)
                area = _placed(polygon, order, lens, placed)
            for i in range(3):
                for k in range(3):
                    weights[i, k] = polygon[order[i], 3 + k]
                for k in range(mixed.shape[1]):
                    total = 0.0
                    for j in range(3):
                        total += weights[i, j] * values[face[j], k]
                    mixed[i, k] = total * placed[i, 2]
            left, right = _span(placed[0, 0], placed[1, 0], placed[2, 0], columns)
            top, bottom = _span(placed[0, 1], placed[1, 1], placed[2, 1], rows)
            a, a_x, a_y = _edge(placed[1, 0], placed[1, 1], placed[2, 0], placed[2, 1], left, top)
            b, b_x, b_y = _edge(placed[2, 0], placed[2, 1], placed[0, 0], placed[0, 1], left, top)
            c, c_x, c_y = _edge(placed[0, 0], placed[0, 1], placed[1, 0], placed[1, 1], left, top)
            for row in range(top, bottom):
                u, v, w = a, b, c
                for column in range(left, right):
                    if u >= 0.0 and v >= 0.0 and w >= 0.0:
                        total = u + v + w
                        inverse = (u * placed[0, 2] + v * placed[1, 2] + w * placed[2, 2]) / total
                        if inverse > depth[row, column]:
                            depth[row, column] = inverse
                            for k in range(mixed.shape[1]):
                                shown[row, column, k] = (u * mixed[0, k] + v * mixed[1, k] + w * mixed[2, k]) / (
                                    total * inverse
                                )
                    u += a_x
                    v += b_x
                    w += c_x
                a += a_y
                b += b_y
                c += c_y


@njit(cache=True, error_model="numpy")
def add_thickness(points: Floats, faces: Ints, lens: Floats, near: float, depth: Floats, thickness: Floats) -> None:
    """Add to ``thickness`` (h, w) m how much depth of a closed surface lies in front of what ``depth`` shows.

    Every leaving face adds its depth and every entering face takes its depth away, both no farther than what
    is already drawn; so the order of the triangles does not matter, and layers behind one another add up.
    Seen from inside, the missing entry counts as depth zero, as it should. Other arguments as in
    ``draw_triangles``.
    """
    rows, columns = depth.shape
    polygon = np.empty((4, 6))
    placed = np.empty((3, 3))
    for face in faces:
        count = _clipped(points[face], near, polygon)
        for fan in range(2, count):
            area = _placed(polygon, (0, fan - 1, fan), lens, placed)
            if area == 0.0:
                continue
            # An entering face is counter-clockwise to the eye, which with y down is a negative area.
            sign = 1.0
            if area < 0.0:
                sign = -1.0
                area = _placed(polygon, (0, fan, fan - 1), lens, placed)
            left, right = _span(placed[0, 0], placed[1, 0], placed[2, 0], columns)
            top, bottom = _span(placed[0, 1], placed[1, 1], placed[2, 1], rows)
            a, a_x, a_y = _edge(placed[1, 0], placed[1, 1], placed[2, 0], placed[2, 1], left, top)
            b, b_x, b_y = _edge(placed[2, 0], placed[2, 1], placed[0, 0], placed[0, 1], left, top)
            c, c_x, c_y = _edge(placed[0, 0], placed[0, 1], placed[1, 0], placed[1, 1], left, top)
            for row in range(top, bottom):
                u, v, w = a, b, c
                for column in range(left, right):
                    if u >= 0.0 and v >= 0.0 and w >= 0.0:
                        inverse = (u * placed[0, 2] + v * placed[1, 2] + w * placed[2, 2]) / (u + v + w)
                        thickness[row, column] += sign / max(inverse, depth[row, column])
                    u += a_x
                    v += b_x
                    w += c_x
                a += a_y
                b += b_y
                c += c_y


@njit(cache=True, error_model="numpy")
def fill_plane(normal: Floats, offset: float, lens: Floats, depth: Floats) -> None:
    """Draw the plane normal · p = offset, in camera coordinates, into ``depth`` (h, w)."""
    rows, columns = depth.shape
    # A ray (x, y, 1) meets the plane at depth offset / (normal · ray), so 1 / depth is linear over the
    # picture.
    across = normal[0] / (lens[0] * offset)
    for row in range(rows):
        start = (normal[1] * (lens[2] - row - 0.5) - normal[0] * (lens[1] - 0.5)) / lens[0] + normal[2]
        start /= offset
        for column in range(columns):
            inverse = start + across * column
            if inverse > depth[row, column]:
                depth[row, column] = inverse
