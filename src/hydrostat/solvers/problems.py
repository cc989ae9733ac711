"""The problem objects of this room: contacts alone, and contacts with an open actuation."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from hydrostat.arrays import Floats, frozen
from hydrostat.errors import InputError
from hydrostat.solvers.friction import FrictionPolygons, friction_polygons
from hydrostat.solvers.scaling import ScaledContacts, scale_contacts

# A matrix counts as symmetric up to this fraction of its largest entry.
_ASYMMETRY = 1e-6


@dataclass(frozen=True)
class ContactProblem:
    """Find impulses p of c contacts that forbid approach and dissipate most, where w = w0 + W p.

    Three rows a contact: normal, tangent 1, tangent 2. With μ_k and d_k the friction coefficient and the unit
    vector of direction k (T2012-(11), with its diagonal S of direction-dependent friction):

        0 ≤ p_n ⟂ w_n + clearance ≥ 0          p_t = Σ_k β_k μ_k d_k
        0 ≤ β_k ⟂ μ_k d_k·w_t + λ ≥ 0          0 ≤ λ ⟂ p_n - Σ_k β_k ≥ 0

    delassus: W (3c, 3c) m/s per N·s, symmetric positive semidefinite. velocities: w0 (3c,) m/s, relative
    velocities at the end of the step without contact impulses. clearance: (c,) m/s, gap / dt; a little
    below zero to push out of a penetration. friction: (c, 8) coefficients μ_k ≥ 0 along
    `friction.DIRECTIONS`. speed: m/s, a velocity that is not small in this problem, where w0 may be so: the
    least that residuals are measured by.
    """

    delassus: Floats
    velocities: Floats
    clearance: Floats
    friction: Floats
    speed: float = 0.0

    def __post_init__(self) -> None:
        """Check and freeze the fields."""
        count = np.size(self.clearance)
        _check(self, "clearance", (count,))
        _check(self, "velocities", (3 * count,))
        _check(self, "friction", (count, 8))
        _check(self, "delassus", (3 * count, 3 * count))
        _check_symmetric(self, "delassus")
        if not 0 <= self.speed < np.inf:
            raise InputError(f"speed is {self.speed}", "a finite number ≥ 0", "leave it at 0")
        if np.any(self.friction < 0):
            i, k = np.argwhere(self.friction < 0)[0]
            raise InputError(
                f"friction[{i}, {k}] is {self.friction[i, k]:g}",
                "coefficients ≥ 0",
                "pass 0 for a direction without friction",
            )

    @property
    def count(self) -> int:
        """Number of contacts c."""
        return self.clearance.size

    @cached_property
    def polygons(self) -> FrictionPolygons:
        """The friction polygons of all contacts."""
        return friction_polygons(self.friction)

    @cached_property
    def scaled(self) -> ScaledContacts:
        """The problem without units."""
        return scale_contacts(self.delassus, self.velocities, self.clearance, self.speed)


@dataclass(frozen=True)
class ControlProblem:
    """Minimise ½ zᵀ H z + gᵀ z over z = (u, p): actuation in its box and impulses that obey the contacts.

    hessian: H (m + 3c, m + 3c) symmetric positive semidefinite. gradient: g (m + 3c,). lower, upper: (m,)
    box of the actuation u, ±inf allowed. response: (3c, m) m/s per unit of actuation, so that w = w0 +
    response u + W p with w0 and W in ``contacts``. impulse_effort: a number ≥ 0 without unit; see
    `impulse_penalty`. constant: what the objective has beside z, so that a cost of squares is one.
    """

    hessian: Floats
    gradient: Floats
    lower: Floats
    upper: Floats
    response: Floats
    contacts: ContactProblem
    impulse_effort: float = 1e-8
    constant: float = 0.0

    def __post_init__(self) -> None:
        """Check and freeze the fields."""
        size = np.size(self.lower)
        rows = 3 * self.contacts.count
        _check(self, "lower", (size,), infinite=True)
        _check(self, "upper", (size,), infinite=True)
        _check(self, "hessian", (size + rows, size + rows))
        _check(self, "gradient", (size + rows,))
        _check(self, "response", (rows, size))
        _check_symmetric(self, "hessian")
        if np.any(self.lower > self.upper):
            i = int(np.argmax(self.lower > self.upper))
            raise InputError(
                f"lower[{i}] is {self.lower[i]:g}, above its upper bound {self.upper[i]:g}",
                "lower ≤ upper",
                "swap the bounds",
            )
        if not 0 <= self.impulse_effort < np.inf:
            raise InputError(f"impulse_effort is {self.impulse_effort}", "a number ≥ 0", "leave it at 1e-8")

    @property
    def size(self) -> int:
        """Number of actuations m."""
        return self.lower.size

    def at(self, actuation: Floats) -> ContactProblem:
        """The contacts alone, with the actuation (m,) known."""
        actuation = np.asarray(actuation, dtype=np.float64)
        return replace(self.contacts, velocities=self.contacts.velocities + self.response @ actuation)

    def objective(self, actuation: Floats, impulses: Floats) -> float:
        """½ zᵀ H z + gᵀ z + constant at z = (actuation, impulses), without the penalty on impulses."""
        z = np.concatenate([actuation, impulses])
        return float(z @ (0.5 * (self.hessian @ z) + self.gradient)) + self.constant

    @cached_property
    def impulse_penalty(self) -> Floats:
        """Diagonal (3c,) added to the impulses' block of H, which makes the objective strictly convex there.

        An impulse that changes the velocity of contact i as much as some actuation does costs the fraction
        ``impulse_effort`` of what that actuation costs: ε / (m_i² Σ_j response_ij² / H_jj), with the sum
        averaged over all contacts. So the penalty carries the right unit whatever the units of u, p and the
        objective are.
        """
        costs = np.diagonal(self.hessian)[: self.size]
        costly = costs > 0
        reach = (self.response[:, costly] ** 2 / costs[costly]).sum(axis=1)
        typical = float(reach.mean()) if reach.size else 0.0
        mobility = np.diagonal(self.contacts.delassus).reshape(-1, 3).mean(axis=1)
        weights = self.impulse_effort * mobility**2 / typical if typical > 0 else np.zeros(self.contacts.count)
        return np.repeat(weights, 3)


def without_actuation(contacts: ContactProblem) -> ControlProblem:
    """The control problem with nothing to control: any answer is one of the contacts alone, of least impulse."""
    rows = 3 * contacts.count
    weight = 1.0 / np.maximum(np.square(contacts.scaled.impulse), np.finfo(float).tiny)
    nothing = np.empty(0)
    return ControlProblem(np.diag(weight), np.zeros(rows), nothing, nothing, np.empty((rows, 0)), contacts)


def _check(problem: object, name: str, shape: tuple[int, ...], *, infinite: bool = False) -> None:
    """Freeze a field after checking shape and numbers."""
    array = frozen(getattr(problem, name))
    if array.shape != shape:
        raise InputError(f"{name} has shape {array.shape}", f"shape {shape}", "check the number of contacts")
    refused = np.isnan(array) if infinite else ~np.isfinite(array)
    if refused.any():
        where = tuple(int(i) for i in np.argwhere(refused)[0])
        raise InputError(f"{name}{list(where)} is {array[where]}", "numbers", "look where it was computed")
    object.__setattr__(problem, name, array)


def _check_symmetric(problem: object, name: str) -> None:
    matrix: Floats = getattr(problem, name)
    size = np.abs(matrix).max(initial=0.0)
    if np.abs(matrix - matrix.T).max(initial=0.0) > _ASYMMETRY * size:
        raise InputError(f"{name} is not symmetric", "a symmetric matrix", "pass (A + Aᵀ) / 2 if it should be")
    if np.any(np.diagonal(matrix) < 0):
        i = int(np.argmin(np.diagonal(matrix)))
        raise InputError(
            f"{name}[{i}, {i}] is {matrix[i, i]:g}", "a positive semidefinite matrix", "check its assembly"
        )
