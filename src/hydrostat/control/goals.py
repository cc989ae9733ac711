"""Goals: what the next velocities should satisfy. Every goal is rows C v⁺ ≈ d with a weight (T2012 section 5.2).

All rows are scaled to m/s, so that weights of different goals compare: a weight of 1 means that an error of 1 m/s
costs ½. A place is a vector of node weights (n,), see ``places``; a difference of two places is a relative position.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from hydrostat.arrays import Floats, Ints
from hydrostat.contact.patches import Contacts
from hydrostat.stepping.world import State, World


@dataclass(frozen=True)
class Moment:
    """What a goal may look at: the world, its state and its contacts at the start of a step."""

    world: World
    state: State
    contacts: Contacts


@dataclass(frozen=True)
class Rows:
    """C v⁺ ≈ d: matrix C (r, 3n), target d (r,) m/s, weight (r,)."""

    matrix: Floats
    target: Floats
    weight: Floats


class Goal(Protocol):
    """Something to be wished of the next velocities."""

    def rows(self, moment: Moment) -> Rows:
        """The goal as rows at ``moment``."""
        ...


Target = Callable[[float], Floats]
AXES = (1.0, 1.0, 1.0)


def constant(value: tuple[float, float, float] | Floats) -> Target:
    """A target that does not move."""
    return lambda time: np.asarray(value)


@dataclass(frozen=True)
class Position:
    """A place at a target position at the end of the step. T2012-(17)

    target: of time, (3,) m. share: part of the remaining way to go in one step. axes: weight of x, y and z.
    """

    place: Floats
    target: Target
    weight: float = 1.0
    share: float = 1.0
    axes: tuple[float, float, float] = AXES

    def rows(self, moment: Moment) -> Rows:
        """place · v⁺ ≈ share · (target − place) / dt."""
        dt = moment.world.dt
        way = self.target(moment.state.time + dt) - self.place @ moment.state.positions
        return _axes_rows(self.place, self.share * way / dt, self.weight, self.axes)


@dataclass(frozen=True)
class Velocity:
    """A place with a target velocity at the end of the step, of time, (3,) m/s. T2012-(18)"""

    place: Floats
    target: Target
    weight: float = 1.0
    axes: tuple[float, float, float] = AXES

    def rows(self, moment: Moment) -> Rows:
        """place · v⁺ ≈ target."""
        return _axes_rows(self.place, self.target(moment.state.time + moment.world.dt), self.weight, self.axes)


@dataclass(frozen=True)
class LinearMomentum:
    """A place pulled after a target as by a spring and a damper; for the centre of mass T2012-(12), T2012-(13) and
    T2012-(13a).

    stiffness 1/s², damping 1/s: place · v⁺ ≈ v + dt (ẍ + K_p (x − place) + K_d (ẋ − v)) for a target x(t). The paper's
    target stands still; following one that moves without lag takes its velocity and acceleration too.
    """

    place: Floats
    target: Target
    stiffness: float = 60.0
    damping: float = 12.0
    weight: float = 1.0
    axes: tuple[float, float, float] = AXES

    def rows(self, moment: Moment) -> Rows:
        """The desired change of momentum, divided by the mass."""
        dt, time = moment.world.dt, moment.state.time
        before, now, after = (self.target(time + step * dt) for step in (-1.0, 0.0, 1.0))
        velocity = self.place @ moment.state.velocities
        wanted = (after - 2.0 * now + before) / dt**2
        wanted = wanted + self.stiffness * (now - self.place @ moment.state.positions)
        wanted = wanted + self.damping * ((now - before) / dt - velocity)
        return _axes_rows(self.place, velocity + dt * wanted, self.weight, self.axes)


@dataclass(frozen=True)
class AngularMomentum:
    """The angular momentum about the centre of mass changes at a target rate. T2012-(14)

    rate: of time, (3,) N·m. damping 1/s adds −damping · H. Rows are H / (mass · radius of gyration), m/s.
    """

    rate: Target = constant((0.0, 0.0, 0.0))
    damping: float = 0.0
    weight: float = 1.0
    axes: tuple[float, float, float] = AXES

    def rows(self, moment: Moment) -> Rows:
        """Σ mᵢ (pᵢ − c) × vᵢ⁺ ≈ H + dt (rate − damping H)."""
        world, state = moment.world, moment.state
        masses = world.body.masses
        arms = state.positions - masses @ state.positions / world.body.mass
        gyration = np.sqrt(masses @ (arms**2).sum(axis=1) / world.body.mass)
        scale = 1.0 / (world.body.mass * gyration)
        x, y, z = (scale * masses[:, None] * arms).T
        zero = np.zeros_like(x)
        matrix = np.stack(  # rows of m [p − c]×, one 3-vector a node
            [
                np.stack([zero, -z, y], axis=1).ravel(),
                np.stack([z, zero, -x], axis=1).ravel(),
                np.stack([-y, x, zero], axis=1).ravel(),
            ]
        )
        now = matrix @ state.velocities.ravel()
        wanted = now + world.dt * (scale * self.rate(state.time + world.dt) - self.damping * now)
        return Rows(matrix, wanted, self.weight * np.asarray(self.axes))


@dataclass(frozen=True)
class BaseArea:
    """The area of a base, projected on the ground, grows at a target rate. T2012-(15) and (16)

    triangles (b, 3): nodes. rate: of time, m²/s. normal: of the ground. Rows are dA/dt / √A, m/s.
    """

    triangles: Ints
    rate: Callable[[float], float]
    weight: float = 1.0
    normal: tuple[float, float, float] = (0.0, 1.0, 0.0)

    def area(self, positions: Floats) -> float:
        """A, m², at ``positions`` (n, 3) m."""
        a, b, c = (positions[self.triangles[:, i]] for i in range(3))
        return float(0.5 * np.sum(np.cross(b - a, c - a) @ np.asarray(self.normal)))

    def gradient(self, positions: Floats) -> Floats:
        """∂A/∂p, (n, 3) m."""
        normal = np.asarray(self.normal)
        gradient = np.zeros_like(positions)
        for i in range(3):
            opposite = positions[self.triangles[:, (i + 2) % 3]] - positions[self.triangles[:, (i + 1) % 3]]
            np.add.at(gradient, self.triangles[:, i], 0.5 * np.cross(normal, opposite))
        return gradient

    def rows(self, moment: Moment) -> Rows:
        """Positions from the start of the step, velocities from its end: linear, as in the paper."""
        positions = moment.state.positions
        scale = 1.0 / np.sqrt(abs(self.area(positions)))
        wanted = self.rate(moment.state.time + moment.world.dt)
        return Rows(
            scale * self.gradient(positions).reshape(1, -1),
            np.array([scale * wanted]),
            np.array([self.weight]),
        )


@dataclass(frozen=True)
class Planted:
    """What touches the ground stays where it is: tangential velocities of all patches ≈ 0.

    upward: weight of their normal velocities ≈ 0; 0 leaves those free. A small weight keeps a controller that may slide
    and lift from doing so where it gains next to nothing.
    """

    weight: float = 1.0
    upward: float = 0.0

    def rows(self, moment: Moment) -> Rows:
        """J v⁺ ≈ 0, without the normal rows where ``upward`` is 0."""
        count = len(moment.contacts)
        weights = np.tile([self.upward, self.weight, self.weight], count)
        used = np.flatnonzero(weights)
        return Rows(moment.contacts.rows[used], np.zeros(len(used)), weights[used])


@dataclass(frozen=True)
class Elongation:
    """How much longer the body is one way than across it, pulled after a target as by spring and damper. T2012-(16a)

    With S = Σ mᵢ (pᵢ − c)(pᵢ − c)ᵀ / m, the second moments of the mass, elongation in the plane of ``axes`` (u, v) is
    ((S_uu − S_vv) / 2, S_uv): for an ellipse that is longest at an angle φ from u it points to 2φ. It belongs to the
    world and not to the body: a wheel that keeps it while it turns keeps its outline, and its material goes round.

    target: of time, (2,) m². stiffness 1/s², damping 1/s. Rows are rates over the radius of gyration, m/s.
    """

    target: Target
    stiffness: float = 60.0
    damping: float = 12.0
    weight: float = 1.0
    axes: tuple[int, int] = (0, 1)

    def of(self, world: World, positions: Floats) -> Floats:
        """The elongation (2,) m² at ``positions`` (n, 3) m."""
        shares = world.body.masses / world.body.mass
        u, v = (positions - shares @ positions).T[list(self.axes)]
        return np.array([shares @ (u**2 - v**2) / 2.0, shares @ (u * v)])

    def rows(self, moment: Moment) -> Rows:
        """Rate of the elongation ≈ what it is + dt (K_p (target − elongation) − K_d rate)."""
        world, positions, dt = moment.world, moment.state.positions, moment.world.dt
        shares = world.body.masses / world.body.mass
        arms = positions - shares @ positions
        gyration = np.sqrt(shares @ (arms**2).sum(axis=1))
        (u, v), (along_u, along_v) = self.axes, (shares[:, None] * arms / gyration).T[list(self.axes)]
        matrix = np.zeros((2, *positions.shape))
        matrix[0, :, u], matrix[0, :, v] = along_u, -along_v
        matrix[1, :, u], matrix[1, :, v] = along_v, along_u
        flat = matrix.reshape(2, -1)
        rate = flat @ moment.state.velocities.ravel()
        missing = (self.target(moment.state.time) - self.of(world, positions)) / gyration
        wanted = rate + dt * (self.stiffness * missing - self.damping * rate)
        return Rows(flat, wanted, np.full(2, self.weight))


def _axes_rows(place: Floats, target: Floats, weight: float, axes: tuple[float, float, float]) -> Rows:
    """Rows of the velocity of a place, one an axis of positive weight."""
    used = np.flatnonzero(axes)
    matrix = np.zeros((len(used), len(place), 3))
    for row, axis in enumerate(used):
        matrix[row, :, axis] = place
    return Rows(matrix.reshape(len(used), -1), target[used], weight * np.asarray(axes)[used])
