"""Elements that share one rotation, and points spread over a surface: farthest points, and Lloyd's iteration."""

from __future__ import annotations

import numpy as np

from hydrostat.arrays import Floats, Ints

ROUNDS = 100


def farthest_points(points: Floats, count: int, first: int) -> Ints:
    """Indices (count,) of ``points`` (k, d): ``first``, then always the point farthest from all chosen ones."""
    chosen = [first]
    distance = ((points - points[first]) ** 2).sum(axis=1)
    while len(chosen) < min(count, len(points)):
        chosen.append(int(distance.argmax()))
        distance = np.minimum(distance, ((points - points[chosen[-1]]) ** 2).sum(axis=1))
    return np.array(chosen)


def clusters(features: Floats, sizes: Floats, count: int) -> Ints:
    """k-means: the cluster of every element, (t,), by its features (t, d) weighted with its size (t,).

    Starts from farthest points, so that the answer is always the same; a cluster that runs empty takes the element
    farthest from its own middle.
    """
    elements = len(features)
    if count >= elements:
        return np.arange(elements)
    middle = (sizes @ features) / sizes.sum()
    start = int(((features - middle) ** 2).sum(axis=1).argmax())
    middles = features[farthest_points(features, count, start)]
    members = np.full(elements, -1)
    for _ in range(ROUNDS):
        distance = (middles**2).sum(axis=1) - 2.0 * features @ middles.T
        nearest = _without_gaps(distance.argmin(axis=1), features, middles)
        if (nearest == members).all():
            break
        members = nearest
        total = np.bincount(members, sizes, count)
        sums = [np.bincount(members, sizes * column, count) for column in features.T]
        middles = np.column_stack(sums) / total[:, None]
    return members


def _without_gaps(members: Ints, features: Floats, middles: Floats) -> Ints:
    """``members`` with an element for every cluster."""
    counts = np.bincount(members, minlength=len(middles))
    for empty in np.flatnonzero(counts == 0):
        distance = ((features - middles[members]) ** 2).sum(axis=1)
        distance[counts[members] == 1] = -1.0
        moved = int(distance.argmax())
        counts[members[moved]] -= 1
        counts[empty] = 1
        members[moved] = empty
    return members
