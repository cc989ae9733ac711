"""The step system: what every body says about its next instant.

    M v⁺ = b + A u + Jᵀ p

Simulation knows u and finds p; control leaves u open too. Everything that decides reads only this object.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from hydrostat.arrays import Floats


class Solver(Protocol):
    """Answers M⁻¹ r."""

    def solve(self, right: Floats) -> Floats:
        """M⁻¹ ``right`` for (d,) or (d, k)."""
        ...


@dataclass(frozen=True)
class StepSystem:
    """One linearised step of length ``dt`` (s) with d velocities and m actuators.

    mass: the factored effective mass M (d, d) kg. momentum: b (d,) N·s, after every known force.
    actuation: A (d, m), impulse of one unit of u. lower, upper: bounds of u (m,).
    positions: (n, 3) m and velocities (n, 3) m/s at the start of the step.
    """

    dt: float
    mass: Solver
    momentum: Floats
    actuation: Floats
    lower: Floats
    upper: Floats
    positions: Floats
    velocities: Floats

    def reduce(self, rows: Floats) -> Response:
        """What u and impulses along ``rows`` (r, d) do to the velocities rows · v⁺."""
        solved = self.mass.solve(rows.T)
        return Response(
            rows=rows,
            free=solved.T @ self.momentum,
            actuation=solved.T @ self.actuation,
            compliance=rows @ solved,
        )

    def advance(self, actuation: Floats, contact_impulse: Floats) -> Floats:
        """v⁺ (d,) for actuation u (m,) and contact impulses Jᵀ p (d,)."""
        return self.mass.solve(self.momentum + self.actuation @ actuation + contact_impulse)


@dataclass(frozen=True)
class Response:
    """rows · v⁺ = free + actuation u + compliance q, q being impulses along the rows.

    rows (r, d); free (r,) m/s; actuation (r, m); compliance (r, r), rows M⁻¹ rowsᵀ.
    """

    rows: Floats
    free: Floats
    actuation: Floats
    compliance: Floats
