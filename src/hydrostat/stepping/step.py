"""One step of a world, and the report of how it went."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import Protocol

import numpy as np

from hydrostat.arrays import Floats, Ints
from hydrostat.bodies.step_system import StepSystem
from hydrostat.contact.patches import Contacts
from hydrostat.errors import StepError
from hydrostat.solvers.lcp import solve_lcp
from hydrostat.solvers.problems import ContactProblem
from hydrostat.solvers.residuals import ContactResiduals, contact_residuals
from hydrostat.solvers.threads import one_blas_thread
from hydrostat.stepping.world import State, World


@dataclass(frozen=True)
class Decision:
    """What a controller wants, and the contact impulses that go with it.

    actuation: u (m,). impulses: p (3c,) N·s, normal and two tangents a contact. problem: the contact conditions at u,
    which p satisfies. modes (c,): 0 free, 1 stick, 2 slide. status: in words. memory: what the next step shall
    remember. milliseconds: time by phase.
    """

    actuation: Floats
    impulses: Floats
    problem: ContactProblem
    modes: Ints
    status: str
    memory: Mapping[str, Floats] = field(default_factory=dict)
    milliseconds: Mapping[str, float] = field(default_factory=dict)


class Controller(Protocol):
    """Chooses the actuation of a step."""

    def decide(self, world: World, state: State, system: StepSystem, contacts: Contacts) -> Decision:
        """u and p that satisfy the contact conditions of ``system``."""
        ...


@dataclass(frozen=True)
class StepReport:
    """How a step went. Residuals are recomputed from the velocities that the body really got.

    outside: forces from outside, gravity apart, (k, 2, 3): the place of the middle, m, and the force, N.
    """

    contacts: Contacts
    outside: Floats
    decision: Decision
    residuals: ContactResiduals
    milliseconds: Mapping[str, float]


# A soft body faster than this has blown up, m/s.
FASTEST = 1000.0
# A step whose contact conditions are off by more than this share of the scene's scale is an error, not an answer.
LARGEST_RESIDUAL = 1e-6


def step(world: World, state: State, controller: Controller) -> tuple[State, StepReport]:
    """The state one ``world.dt`` later."""
    with one_blas_thread():
        return _step(world, state, controller)


def _step(world: World, state: State, controller: Controller) -> tuple[State, StepReport]:
    started = perf_counter()
    contacts = world.touch(state)
    system = world.linearise(state)
    prepared = perf_counter()
    decision = controller.decide(world, state, system, contacts)
    decided = perf_counter()
    velocities = system.advance(decision.actuation, contacts.rows.T @ decision.impulses)
    after = advance(state, velocities.reshape(-1, 3), decision, world.dt)
    after = replace(after, positions=lift(world, system, after.positions))
    residuals = measured_residuals(contacts.rows @ velocities, decision)
    finished = perf_counter()
    check(after, residuals, decision)
    simulation = 1e3 * (prepared - started + finished - decided)
    outside = resultants(world.outside(state), state.positions)
    return after, StepReport(
        contacts, outside, decision, residuals, {"simulation": simulation, **decision.milliseconds}
    )


def resultants(forces: Floats, positions: Floats) -> Floats:
    """For every field of ``forces`` (k, n, 3) N on ``positions`` (n, 3) m, (k, 2, 3): its middle and its sum."""
    sizes = np.linalg.norm(forces, axis=2)
    shares = sizes / np.maximum(sizes.sum(axis=1, keepdims=True), np.finfo(float).tiny)
    return np.stack([shares @ positions, forces.sum(axis=1)], axis=1)


def measured_residuals(velocities: Floats, decision: Decision) -> ContactResiduals:
    """How well the contact ``velocities`` (3c,) that the whole body really has obey the contact conditions."""
    before = velocities - decision.problem.delassus @ decision.impulses
    return contact_residuals(replace(decision.problem, velocities=before), decision.impulses)


def advance(state: State, velocities: Floats, decision: Decision, dt: float) -> State:
    """Move with the new velocities. T2012-(9)."""
    return replace(
        state,
        time=state.time + dt,
        positions=state.positions + dt * velocities,
        velocities=velocities,
        actuation=decision.actuation,
        memory=dict(decision.memory),
    )


# Lifting a node may push its neighbours down: so often nodes that then lie too deep are lifted in turn.
LIFTS = 4


def lift(world: World, system: StepSystem, positions: Floats) -> Floats:
    """Positions (n, 3) m with no node deeper in the ground than the patches' slack. T2012-(9b)

    A patch stops the mean of its nodes; single ones may still sink. The impulses that would stop them displace the
    body, but velocities and momentum stay as they are.
    """
    nodes, slack = world.sole.nodes, world.patches.slack
    for _ in range(LIFTS):
        gaps = world.ground.gaps(positions[nodes])
        sunk = np.flatnonzero(gaps < -slack)
        if not len(sunk):
            break
        rows = np.zeros((len(sunk), *positions.shape))
        rows[np.arange(len(sunk)), nodes[sunk]] = world.ground.normals(positions[nodes[sunk]])
        flat = rows.reshape(len(sunk), -1)
        displacements = system.mass.solve(flat.T)
        solution = solve_lcp(flat @ displacements, gaps[sunk] + slack)
        positions = positions + (displacements @ solution.z).reshape(-1, 3)
    return positions


def check(after: State, residuals: ContactResiduals, decision: Decision) -> None:
    """Raise StepError for a NaN or a contact condition that does not hold."""
    for name in ("velocities", "actuation", "positions"):
        values = getattr(after, name)
        if not np.isfinite(values).all():
            raise StepError(
                f"at t = {after.time:.4f} s {name} hold {np.count_nonzero(~np.isfinite(values))} values that are not "
                "finite. Cure: a smaller dt, a softer material or smaller forces"
            )
    fastest = float(np.abs(after.velocities).max(initial=0.0))
    if fastest > FASTEST:
        raise StepError(
            f"at t = {after.time:.4f} s velocities reach {fastest:.1e} m/s, more than {FASTEST:g}: a blow-up. "
            "Cure: a smaller dt, weaker muscles (their springs act explicitly) or more damping"
        )
    if residuals.worst > LARGEST_RESIDUAL:
        raise StepError(
            f"at t = {after.time:.4f} s the contact solver stopped ({decision.status}) with a residual of "
            f"{residuals.worst:.2e}, allowed are {LARGEST_RESIDUAL:.0e}. Cure: fewer patches or less friction",
            decision.problem,
        )
