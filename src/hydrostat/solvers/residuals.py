"""How far impulses are from solving a contact problem, computed apart from every solver."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit

from hydrostat.arrays import Floats
from hydrostat.errors import InputError
from hydrostat.solvers.dense import product
from hydrostat.solvers.problems import ContactProblem, ControlProblem


@dataclass(frozen=True)
class ContactResiduals:
    """Largest violation over all contacts of each condition, without unit; all are 0 at a solution.

    Velocities are divided by the contact's characteristic velocity, impulses by its characteristic impulse
    (see `scaling.ScaledContacts`) and products of the two by both.

    non_penetration: how far w_n + clearance is below 0. cone: distance of p from the friction cone along
    its worst facet, and of p_n below 0. complementarity: |min(p_n, w_n + clearance)|. dissipation: p_t·w_t
    + λ p_n with λ the greatest of -μ_k d_k·w_t and 0: what friction could dissipate and does not.
    """

    non_penetration: float
    cone: float
    complementarity: float
    dissipation: float

    @property
    def worst(self) -> float:
        """The largest of the four."""
        return max(self.non_penetration, self.cone, self.complementarity, self.dissipation)


def contact_residuals(problem: ContactProblem, impulses: Floats) -> ContactResiduals:
    """Residuals of ``impulses`` (3c,) N·s."""
    if np.shape(impulses) != problem.velocities.shape:
        raise InputError(
            f"impulses have shape {np.shape(impulses)}",
            f"shape {problem.velocities.shape}",
            "pass 3 a contact",
        )
    scaled = problem.scaled
    return ContactResiduals(
        *_residuals(
            scaled.delassus,
            scaled.velocities,
            scaled.clearance,
            problem.polygons,
            np.asarray(impulses, dtype=np.float64) / scaled.impulse,
        )
    )


@dataclass(frozen=True)
class ControlResiduals:
    """Residuals of a control problem, without unit.

    motion: difference between the velocities that were claimed and w0 + response u + W p. box: how far u is outside of
    its box, as a share of its width (of its bound's size where the other bound is infinite). contacts: at u.
    """

    motion: float
    box: float
    contacts: ContactResiduals

    @property
    def worst(self) -> float:
        """The largest of all."""
        return max(self.motion, self.box, self.contacts.worst)


def control_residuals(
    problem: ControlProblem, actuation: Floats, impulses: Floats, velocities: Floats
) -> ControlResiduals:
    """Residuals of ``actuation`` (m,), ``impulses`` (3c,) N·s and the ``velocities`` (3c,) m/s said to follow."""
    at = problem.at(actuation)
    off = (velocities - at.velocities - at.delassus @ impulses) / at.scaled.velocity
    outside = np.maximum(problem.lower - actuation, actuation - problem.upper)
    width = problem.upper - problem.lower
    bound = np.where(np.isfinite(problem.lower), problem.lower, problem.upper)
    width = np.where(np.isfinite(width), width, np.where(np.isfinite(bound), np.abs(bound), 1.0))
    scaled = np.where(outside > 0.0, outside / np.where(width > 0.0, width, 1.0), 0.0)
    return ControlResiduals(
        motion=float(np.abs(off).max(initial=0.0)),
        box=float(scaled.max(initial=0.0)),
        contacts=contact_residuals(at, impulses),
    )


@njit(cache=True)
def _residuals(delassus, velocities, clearance, polygons, impulses):  # type: ignore[no-untyped-def]
    w = velocities + product(delassus, impulses)
    non_penetration = cone = complementarity = dissipation = 0.0
    for i in range(clearance.size):
        normal, x, y = impulses[3 * i : 3 * i + 3]
        slip_x, slip_y = w[3 * i + 1], w[3 * i + 2]
        separation = w[3 * i] + clearance[i]
        non_penetration = max(non_penetration, -separation)
        complementarity = max(complementarity, abs(min(normal, separation)))
        for f in range(9):
            a, b, c = polygons.facets[i, f]
            inside = a * normal + b * x + c * y
            cone = max(cone, abs(inside) if polygons.fixed[i, f] else -inside)
        slip = 0.0
        for k in range(8):
            slip = max(slip, -polygons.corners[i, k, 0] * slip_x - polygons.corners[i, k, 1] * slip_y)
        dissipation = max(dissipation, abs(x * slip_x + y * slip_y + slip * normal))
    return non_penetration, cone, complementarity, dissipation
