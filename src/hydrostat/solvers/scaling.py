"""Contact problems without units: the form in which solvers work and residuals are measured."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from hydrostat.arrays import Floats

# Added to the diagonal of the scaled W. Where contacts outnumber the degrees of freedom W is singular; this
# picks the impulses of least norm, and it moves velocities by no more than this fraction.
RIDGE = 1e-10


class ScaledContacts(NamedTuple):
    """A contact problem in hats, with w = velocity · ŵ and p = impulse · p̂ row by row.

    Let m_i = 3 / trace(W_ii) be the mass that contact i feels and e the energy of the problem, the largest
    m_i w0² (m_i clearance² where a penetration is pushed out). Then velocity_i = √(e / m_i) and impulse_i =
    √(e m_i). The blocks Ŵ_ii have trace 3, Ŵ stays symmetric, and every condition of a contact keeps its
    form.

    delassus: Ŵ (3c, 3c). ridged: Ŵ + RIDGE · 1, for linear solves. velocities: ŵ0 (3c,). clearance: (c,).
    velocity: (3c,) m/s. impulse: (3c,) N·s; both scales are 1 where there is nothing to scale by.
    """

    delassus: Floats
    ridged: Floats
    velocities: Floats
    clearance: Floats
    velocity: Floats
    impulse: Floats


def scale_contacts(delassus: Floats, velocities: Floats, clearance: Floats, speed: float = 0.0) -> ScaledContacts:
    """Scale W (3c, 3c), w0 (3c,) and clearance (c,), as if something moved at ``speed`` m/s at least."""
    return ScaledContacts(*_scale(delassus, velocities, clearance, speed))


@njit(cache=True)
def _scale(delassus, velocities, clearance, speed):  # type: ignore[no-untyped-def]
    size = velocities.size
    velocity, impulse = np.empty(size), np.empty(size)
    mobility = _mobility(delassus)
    energy_root = 0.0
    for row in range(size):
        root = np.sqrt(mobility[row // 3])
        velocity[row] = root
        energy_root = max(energy_root, max(abs(velocities[row]), -clearance[row // 3], speed) / root)
    if energy_root == 0.0:
        energy_root = 1.0
    for row in range(size):
        impulse[row] = energy_root / velocity[row]
        velocity[row] *= energy_root
    scaled, ridged = np.empty((size, size)), np.empty((size, size))
    scaled_velocities, scaled_clearance = np.empty(size), np.empty(clearance.size)
    for row in range(size):
        for column in range(size):
            scaled[row, column] = delassus[row, column] * (impulse[column] / velocity[row])
            ridged[row, column] = scaled[row, column]
        ridged[row, row] += RIDGE
        scaled_velocities[row] = velocities[row] / velocity[row]
        scaled_clearance[row // 3] = clearance[row // 3] / velocity[row]
    return scaled, ridged, scaled_velocities, scaled_clearance, velocity, impulse


@njit(cache=True)
def _mobility(delassus):  # type: ignore[no-untyped-def]
    """trace(W_ii) / 3 of every contact; where a contact cannot move, the mean of those that can, or 1."""
    mobility = np.zeros(delassus.shape[0] // 3)
    total, movable = 0.0, 0
    for row in range(delassus.shape[0]):
        mobility[row // 3] += delassus[row, row] / 3.0
    for value in mobility:
        if value > 0.0:
            total += value
            movable += 1
    for i in range(mobility.size):
        if mobility[i] <= 0.0:
            mobility[i] = total / movable if movable else 1.0
    return mobility
