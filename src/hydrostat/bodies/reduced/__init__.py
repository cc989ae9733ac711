"""Bodies in few coordinates: skinning eigenmodes, clustered rotations, whole rollouts in compiled code."""

from hydrostat.bodies.reduced.body import ReducedBody
from hydrostat.bodies.reduced.reduction import ReducedOptions, reduce_body
from hydrostat.bodies.reduced.rollout import ReducedState, Trajectory, rest_state, rollout
from hydrostat.bodies.reduced.surroundings import Coulomb, Damping, Surroundings

__all__ = [
    "Coulomb",
    "Damping",
    "ReducedBody",
    "ReducedOptions",
    "ReducedState",
    "Surroundings",
    "Trajectory",
    "reduce_body",
    "rest_state",
    "rollout",
]
