"""Iterations over scaled contacts: closest points of friction cones, a search over pieces, sweeps."""

from __future__ import annotations

import numpy as np
from numba import njit

from hydrostat.solvers.dense import eliminate, product
from hydrostat.solvers.pieces import SLIDE_ALONG, SLIDE_BETWEEN, STICK, equations

# Scaled distance from solving all conditions, for impulses near 1, at which the search over pieces ends.
CONVERGED = 1e-10
# Change of the scaled impulses at which sweeps end.
SETTLED = 1e-13


@njit(cache=True)
def closest_friction(polygons, i, normal, x, y):  # type: ignore[no-untyped-def]
    """The friction impulse of contact ``i`` nearest to (x, y) under a normal impulse ``normal`` > 0.

    Returns the piece on which it lies and its two components. A polygon of one or two corners has no
    inside, so there the answer is always a slide.
    """
    best, best_x, best_y, piece = np.inf, 0.0, 0.0, STICK
    inside = True
    for k in range(8):
        after = polygons.successors[i, k]
        if after < 0:
            continue
        if after == k:
            return SLIDE_ALONG + k, 0.0, 0.0
        flat = polygons.successors[i, after] == k
        ex, ey = polygons.edges[i, k]
        outwards = ey * x - ex * y - normal * polygons.offsets[i, k]
        if outwards <= 0.0 and not flat:
            continue
        inside = False
        ax, ay = normal * polygons.corners[i, k, 0], normal * polygons.corners[i, k, 1]
        bx, by = normal * polygons.corners[i, after, 0], normal * polygons.corners[i, after, 1]
        along = ex * (x - ax) + ey * (y - ay)
        if along <= 0.0:
            candidate, cx, cy = SLIDE_ALONG + k, ax, ay
        elif along >= ex * (bx - ax) + ey * (by - ay):
            candidate, cx, cy = SLIDE_ALONG + after, bx, by
        else:
            candidate, cx, cy = SLIDE_BETWEEN + k, ax + along * ex, ay + along * ey
        distance = (x - cx) ** 2 + (y - cy) ** 2
        # On a segment the edge on the side of (x, y) wins the tie, so that -w points outwards.
        if distance < best or (distance == best and outwards > 0.0):
            best, best_x, best_y, piece = distance, cx, cy, candidate
    if inside:
        return STICK, x, y
    return piece, best_x, best_y


@njit(cache=True)
def classify(impulses, velocities, clearance, polygons):  # type: ignore[no-untyped-def]
    """The piece that every contact tends to, (c,), and the distance from solving all conditions, in scaled
    units.

    p solves the contact problem exactly where p = closest point of the cone's section to p - w: the
    distance is the largest difference of the two, and the pieces are where the closest points lie.
    """
    pieces = np.zeros(clearance.size, dtype=np.int64)
    distance = 0.0
    for i in range(clearance.size):
        n = 3 * i
        normal = impulses[n] - velocities[n] - clearance[i]
        section = impulses[n]
        if normal <= 0.0:
            distance = max(distance, abs(section), abs(impulses[n + 1]), abs(impulses[n + 2]))
            continue
        if section <= 0.0:
            distance = max(distance, abs(impulses[n + 1]), abs(impulses[n + 2]))
            section = normal
        pieces[i], x, y = closest_friction(
            polygons, i, section, impulses[n + 1] - velocities[n + 1], impulses[n + 2] - velocities[n + 2]
        )
        distance = max(distance, abs(impulses[n] - normal))
        if impulses[n] > 0.0:
            distance = max(distance, abs(impulses[n + 1] - x), abs(impulses[n + 2] - y))
    return pieces, distance


@njit(cache=True)
def search(pieces, delassus, velocities, clearance, polygons, rounds):  # type: ignore[no-untyped-def]
    """Newton's method on the piecewise linear conditions: solve the pieces, see where every contact tends,
    repeat.

    Returns the best impulses (3c,) met in ``rounds``, their pieces, their distance from solving all
    conditions (inf where no pieces could be solved) and the rounds made.
    """
    columns = velocities.reshape(-1, 1)
    best, best_pieces, best_distance = np.zeros(velocities.size), pieces, np.inf
    for count in range(1, rounds + 1):
        matrix, right = equations(pieces, delassus, columns, clearance, polygons)
        if not eliminate(matrix, right):
            return best, best_pieces, best_distance, count
        impulses = right[:, 0].copy()
        following, distance = classify(impulses, velocities + product(delassus, impulses), clearance, polygons)
        if distance < best_distance:  # never true for a NaN
            best, best_pieces, best_distance = impulses, pieces, distance
        if converged(impulses, distance) or (following == pieces).all():
            return best, best_pieces, best_distance, count
        pieces = following
    return best, best_pieces, best_distance, rounds


@njit(cache=True)
def converged(impulses, distance):  # type: ignore[no-untyped-def]
    """Whether impulses (3c,) at this distance solve the conditions to rounding."""
    largest = 1.0
    for impulse in impulses:
        largest = max(largest, abs(impulse))
    return distance <= CONVERGED * largest


@njit(cache=True)
def sweep(delassus, velocities, clearance, polygons, start, sweeps):  # type: ignore[no-untyped-def]
    """Projected Gauss–Seidel on the friction polygon from ``start`` (3c,): normals before tangents."""
    p = start.copy()
    for _ in range(sweeps):
        change = 0.0
        for i in range(clearance.size):
            n, t, s = 3 * i, 3 * i + 1, 3 * i + 2
            w = product(delassus[n : n + 3], p)
            old_normal, old_t, old_s = p[n], p[t], p[s]
            p[n] = max(0.0, old_normal - (w[0] + velocities[n] + clearance[i]) / delassus[n, n])
            if p[n] == 0.0:
                p[t] = p[s] = 0.0
            else:
                shift = p[n] - old_normal
                # The largest eigenvalue of the tangential block: the step that never overshoots.
                half = 0.5 * (delassus[t, t] - delassus[s, s])
                stiffest = 0.5 * (delassus[t, t] + delassus[s, s]) + np.hypot(half, delassus[t, s])
                aim_t = old_t - (w[1] + velocities[t] + delassus[t, n] * shift) / stiffest
                aim_s = old_s - (w[2] + velocities[s] + delassus[s, n] * shift) / stiffest
                _, p[t], p[s] = closest_friction(polygons, i, p[n], aim_t, aim_s)
            change = max(change, abs(p[n] - old_normal), abs(p[t] - old_t), abs(p[s] - old_s))
        if change <= SETTLED:
            break
    return p
