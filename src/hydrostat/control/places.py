"""Places on a body that goals speak of: weighted means of its nodes.

A place is a vector of node weights (n,): it stands at weights @ positions and moves with weights @ velocities.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hydrostat.arrays import Floats, Ints
from hydrostat.geometry.embedding import embed
from hydrostat.stepping.world import World


def centre_of_mass(world: World) -> Floats:
    """The centre of mass, (n,)."""
    return world.body.masses / world.body.mass


def body_point(world: World, rest_point: Sequence[float]) -> Floats:
    """The material point that is at ``rest_point`` (3,) m in the rest shape, (n,)."""
    points = np.asarray(rest_point, dtype=float)[None]
    return embed(points, world.body.mesh).matrix(len(world.body.masses)).toarray()[0]


def mean_of(world: World, nodes: Sequence[int] | Ints) -> Floats:
    """The mean of some nodes, (n,)."""
    weights = np.zeros(len(world.body.masses))
    weights[np.asarray(nodes)] = 1.0 / len(nodes)
    return weights
