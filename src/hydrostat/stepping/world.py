"""A world: a body, its muscles, the ground and the forces on it; and the state that changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

import numpy as np

from hydrostat.actuation.muscles import Muscles
from hydrostat.arrays import Floats
from hydrostat.bodies.fem import FemBody
from hydrostat.bodies.step_system import StepSystem
from hydrostat.contact.friction import Friction
from hydrostat.contact.ground import Ground, Plane
from hydrostat.contact.patches import Contacts, PatchOptions, Sole, find_contacts, sole_of
from hydrostat.errors import InputError


class ExternalForce(Protocol):
    """A named force from outside: a push, a pull."""

    def forces(self, time: float, positions: Floats) -> Floats:
        """Force on every node, (n, 3) N, during the step that starts at ``time`` s."""
        ...


@dataclass(frozen=True)
class State:
    """All that a restart needs, and nothing else.

    time s; positions (n, 3) m; velocities (n, 3) m/s; actuation (m,), the last u; memory: what a behaviour remembers.
    """

    time: float
    positions: Floats
    velocities: Floats
    actuation: Floats
    memory: Mapping[str, Floats] = field(default_factory=dict)


@dataclass(frozen=True)
class World:
    """Everything that stays the same while a body moves. dt in s, gravity in m/s²."""

    body: FemBody
    muscles: Muscles | None = None
    ground: Ground = Plane()
    friction: Friction = Friction()
    patches: PatchOptions = PatchOptions()
    forces: tuple[ExternalForce, ...] = ()
    dt: float = 1.0 / 60.0
    gravity: tuple[float, float, float] = (0.0, -9.81, 0.0)

    def __post_init__(self) -> None:
        """Refuse time steps that lead nowhere."""
        if not 0.0 < self.dt < np.inf:
            raise InputError(f"dt is {self.dt}", "a positive number of seconds", "try 1/60")

    @cached_property
    def sole(self) -> Sole:
        """The surface that may touch the ground."""
        return sole_of(self.body.mesh)

    def rest_state(self, height: float = 0.0) -> State:
        """The body at rest, moved up by ``height`` (m), its muscles relaxed."""
        positions = self.body.rest_positions + np.array([0.0, height, 0.0])
        relaxed = self.muscles.upper if self.muscles else np.empty(0)
        return State(0.0, positions, np.zeros_like(positions), relaxed.copy())

    def outside(self, state: State) -> Floats:
        """The forces from outside during the step from ``state``, gravity apart, (k, n, 3) N."""
        forces = [external.forces(state.time, state.positions) for external in self.forces]
        return np.array(forces).reshape(-1, *state.positions.shape)

    def linearise(self, state: State) -> StepSystem:
        """The step system at ``state``: M̃ v⁺ = f̃ + Ã u + Jᵀ p. T2012-(8)."""
        body, dt = self.body, self.dt
        deformation = body.deform(state.positions)
        forces = (
            body.elastic_forces(deformation) + np.outer(body.masses, self.gravity) + self.outside(state).sum(axis=0)
        )
        momentum = (body.masses[:, None] * state.velocities + dt * forces).ravel()
        if self.muscles is None:
            actuation, bounds = np.zeros((momentum.size, 0)), (np.empty(0), np.empty(0))
        else:
            actuation = dt * self.muscles.force_matrix(
                deformation.rotations, deformation.areas, body.mesh.tets, len(body.masses)
            )
            momentum -= actuation @ self.muscles.lengths(state.positions)
            bounds = self.muscles.lower, self.muscles.upper
        return StepSystem(
            dt=dt,
            mass=body.effective_mass(deformation, dt),
            momentum=momentum,
            actuation=actuation,
            lower=bounds[0],
            upper=bounds[1],
            positions=state.positions,
            velocities=state.velocities,
        )

    def touch(self, state: State) -> Contacts:
        """The contact patches at ``state``."""
        return find_contacts(
            self.sole, state.positions, state.velocities, self.ground, self.friction, self.patches, self.dt
        )
