"""Constants of reduced bodies as arrays of one size, so that many characters fit into one batch.

Sizes are powers of two, as blocks of a GPU are: coordinates k, clusters c, samples s, filled with what does not move.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from hydrostat.arrays import Floats
from hydrostat.bodies.reduced.body import ReducedBody
from hydrostat.bodies.reduced.rollout import ReducedState
from hydrostat.bodies.reduced.surroundings import Surroundings


class Character(NamedTuple):
    """Constants of one body; in a batch, every array has one more axis in front. Arrays of JAX, NumPy or references.

    mass kg, size m: (1,). inverse (k,) m/N: of the diagonal of Q, B2024-(15). inertia (k,): mass/dt² of it.
    deforming (k,): 1 for all coordinates but the centre. rows (k, s): of the basis at the samples. compliance (s, s)
    m/N, own (s,): its diagonal. real (s,): 1 where there is a sample. tensor (3, k, c): K of all clusters without
    actuation, by columns of rotations. modes (m, 3, k, c): what one metre of each mode adds to it. driven, spare (c,):
    1 for actuation clusters, and for those that only fill up. actuation_stiffness (k, k) N/m.
    """

    mass: Any
    size: Any
    inverse: Any
    inertia: Any
    deforming: Any
    rows: Any
    compliance: Any
    own: Any
    real: Any
    tensor: Any
    modes: Any
    driven: Any
    spare: Any
    actuation_stiffness: Any


class Sizes(NamedTuple):
    """Of the arrays of a batch: coordinates, clusters, samples, modes."""

    coordinates: int
    clusters: int
    samples: int
    modes: int


def common_sizes(bodies: Sequence[ReducedBody]) -> Sizes:
    """The sizes that hold all of ``bodies``."""
    return Sizes(
        _power_of_two(max(len(body.stiffnesses) for body in bodies)),
        _power_of_two(max(body.clusters for body in bodies)),
        _power_of_two(max(len(body.samples) for body in bodies)),
        max(body.modes.shape[2] for body in bodies),
    )


def character_of(body: ReducedBody, surroundings: Surroundings, sizes: Sizes) -> Character:
    """The constants of ``body``, float64."""
    k, samples, passive = len(body.stiffnesses), len(body.samples), body.passive.shape[1] // 3
    inverse = 1.0 / (body.mass / surroundings.dt**2 + body.stiffnesses)
    rows = body.basis[body.samples]
    compliance = np.eye(sizes.samples)
    compliance[:samples, :samples] = (rows * inverse) @ rows.T
    idle = np.zeros((k, 3 * passive))
    modes = np.array([_by_columns(np.hstack([idle, of_mode]), sizes) for of_mode in body.actuation[:-1]])
    cluster = np.arange(sizes.clusters)
    return Character(
        mass=np.array([body.mass]),
        size=np.array([body.size]),
        inverse=_filled(inverse, sizes.coordinates),
        inertia=_filled(body.mass / surroundings.dt**2 * inverse, sizes.coordinates),
        deforming=_filled(np.ones(k) - np.eye(k)[0], sizes.coordinates),
        rows=_filled(rows.T, sizes.coordinates, sizes.samples),
        compliance=compliance,
        own=np.diag(compliance),
        real=_filled(np.ones(samples), sizes.samples),
        tensor=_by_columns(np.hstack([body.passive, body.actuation[-1]]), sizes),
        modes=_filled(modes, sizes.modes, *modes.shape[1:]),
        driven=np.where((cluster >= passive) & (cluster < body.clusters), 1.0, 0.0),
        spare=np.where(cluster >= body.clusters, 1.0, 0.0),
        actuation_stiffness=_filled(body.actuation_stiffness, sizes.coordinates, sizes.coordinates),
    )


class Pose(NamedTuple):
    """Where a rollout begins; in a batch, with one more axis in front.

    coordinates (3, k) m, velocities (3, k) m/s, quaternions (4, c), forces (3, s) N.
    """

    coordinates: Any
    velocities: Any
    quaternions: Any
    forces: Any


def pose_of(state: ReducedState, sizes: Sizes) -> Pose:
    """``state``, filled up with zeros and rotations by nothing."""
    quaternions = np.zeros((4, sizes.clusters))
    quaternions[0] = 1.0
    quaternions[:, : len(state.quaternions)] = state.quaternions.T
    return Pose(
        _filled(state.coordinates.T, 3, sizes.coordinates),
        _filled(state.velocities.T, 3, sizes.coordinates),
        quaternions,
        _filled(state.forces.T, 3, sizes.samples),
    )


def _by_columns(tensor: Floats, sizes: Sizes) -> Floats:
    """(k, 3c) with the columns of every rotation together, as (3, k, c) filled up."""
    return _filled(tensor.reshape(len(tensor), -1, 3).transpose(2, 0, 1), 3, sizes.coordinates, sizes.clusters)


def _filled(array: Floats, *shape: int) -> Floats:
    """``array`` with zeros behind it up to ``shape``."""
    return np.pad(array, [(0, wanted - given) for wanted, given in zip(shape, array.shape, strict=True)])


def _power_of_two(count: int) -> int:
    return 1 << max(count - 1, 0).bit_length()
