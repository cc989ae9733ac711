"""Contact problems without units: the form in which every solver of this room works and residuals are measured."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from hydrostat.arrays import Floats

# Added to the diagonal of the scaled W. Where contacts outnumber the degrees of freedom W is singular; this picks
# the impulses of least norm, and it moves velocities by no more than this fraction.
RIDGE = 1e-10


class ScaledContacts(NamedTuple):
    """A contact problem in hats, with w = velocity · ŵ and p = impulse · p̂ row by row.

    Let m_i = 3 / trace(W_ii) be the mass that contact i feels and e the energy of the problem, the largest m_i w0²
    (m_i clearance² where a penetration is pushed out). Then velocity_i = √(e / m_i) and impulse_i = √(e m_i). The
    blocks Ŵ_ii have trace 3, Ŵ stays symmetric, and every condition of a contact keeps its form.

    delassus: Ŵ (3c, 3c). ridged: Ŵ + RIDGE · 1, what solvers use. velocities: ŵ0 (3c,). clearance: (c,). velocity: (3c,) m/s. impulse: (3c,) N·s; both
    scales are 1 where there is nothing to scale by.
    """

    delassus: Floats
    ridged: Floats
    velocities: Floats
    clearance: Floats
    velocity: Floats
    impulse: Floats


def scale_contacts(delassus: Floats, velocities: Floats, clearance: Floats) -> ScaledContacts:
    """Scale W (3c, 3c), w0 (3c,) and clearance (c,)."""
    return ScaledContacts(*_scale(delassus, velocities, clearance))


@njit(cache=True)
def _scale(delassus, velocities, clearance):  # type: ignore[no-untyped-def]
    count = clearance.size
    mobility = np.zeros(count)
    for i in range(count):
        mobility[i] = (
            delassus[3 * i, 3 * i] + delassus[3 * i + 1, 3 * i + 1] + delassus[3 * i + 2, 3 * i + 2]
        ) / 3.0
    movable = np.count_nonzero(mobility)
    typical = mobility.sum() / movable if movable else 1.0
    energy_root = 0.0
    velocity, impulse = np.empty(3 * count), np.empty(3 * count)
    for i in range(count):
        root = np.sqrt(mobility[i] if mobility[i] > 0.0 else typical)
        velocity[3 * i : 3 * i + 3] = root
        speed = max(-clearance[i], np.abs(velocities[3 * i : 3 * i + 3]).max())
        energy_root = max(energy_root, speed / root)
    if energy_root == 0.0:
        energy_root = 1.0
    impulse[:] = energy_root / velocity
    velocity *= energy_root
    scaled = np.empty(delassus.shape)
    for row in range(3 * count):
        for column in range(3 * count):
            scaled[row, column] = delassus[row, column] * (impulse[column] / velocity[row])
    ridged = scaled + RIDGE * np.eye(3 * count)
    return scaled, ridged, velocities / velocity, clearance / velocity[::3], velocity, impulse
