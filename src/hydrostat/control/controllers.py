"""Controllers: from goals to actuation, in the same step system that simulation uses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from time import perf_counter

import numpy as np

from hydrostat.arrays import Floats, Ints
from hydrostat.bodies.step_system import Response, StepSystem
from hydrostat.contact.patches import Contacts
from hydrostat.control.goals import Goal, Moment, Rows
from hydrostat.control.plans import Behaviour, Plan
from hydrostat.errors import InputError
from hydrostat.solvers.contact import ContactSolution, solve_contact
from hydrostat.solvers.pieces import FREE
from hydrostat.solvers.problems import ContactProblem, ControlProblem
from hydrostat.solvers.qpcc.exploration import Budget, Start
from hydrostat.solvers.qpcc.solution import QpccSolution
from hydrostat.solvers.qpcc.solve import solve_qpcc
from hydrostat.stepping.step import Decision
from hydrostat.stepping.world import State, World


@dataclass(frozen=True)
class Passive:
    """Muscles keep their last desired lengths; only contact is solved."""

    def decide(self, world: World, state: State, system: StepSystem, contacts: Contacts) -> Decision:
        """u as it was, p from the contact problem."""
        started = perf_counter()
        response = system.reduce(contacts.rows)
        reduced = perf_counter()
        problem = contact_problem(world, contacts, response)
        problem = replace(problem, velocities=problem.velocities + response.actuation @ state.actuation)
        solution = solve_contact(problem)
        return Decision(
            actuation=state.actuation,
            impulses=solution.impulses,
            problem=problem,
            modes=solution.modes,
            status=str(solution.status),
            memory=state.memory,
            milliseconds=_milliseconds(started, reduced),
        )


# How many convex programs a step may spend: enough to improve on the contacts of the step before.
BUDGET = Budget(30)
PIECES = "pieces"


@dataclass(frozen=True)
class GoalController:
    """Muscles and contacts that come closest to the goals of a behaviour in the next step (T2012-(11)).

    effort: weight of the squared activation of every segment, (m/s)². change: weight of its squared change from the
    last step, (m/s)². method: a key of `solvers.qpcc.solve.METHODS`; "static" holds all contacts. Where it finds
    nothing feasible, the last muscles are kept and only contact is solved.
    """

    behaviour: Behaviour
    effort: float = 1e-4
    change: float = 1e-3
    method: str = "search"
    budget: Budget = BUDGET

    def decide(self, world: World, state: State, system: StepSystem, contacts: Contacts) -> Decision:
        """u and p of least cost."""
        started = perf_counter()
        problem, plan = self.problem(world, state, system, contacts)
        reduced = perf_counter()
        solution = solve_qpcc(problem, self.method, self.budget, start_of(state, contacts, plan))
        if solution.solved:
            found: QpccSolution | ContactSolution = solution
            actuation = solution.actuation
        else:
            actuation = np.clip(state.actuation, problem.lower, problem.upper)
            found = solve_contact(problem.at(actuation))
        return Decision(
            actuation=actuation,
            impulses=found.impulses,
            problem=problem.at(actuation),
            modes=found.modes,
            status=str(found.status),
            memory={**plan.memory, PIECES: _padded(found.pieces, world.patches.count)},
            milliseconds=_milliseconds(started, reduced),
        )

    def problem(
        self, world: World, state: State, system: StepSystem, contacts: Contacts
    ) -> tuple[ControlProblem, Plan]:
        """The control problem of a step, and the plan that it serves."""
        if world.muscles is None:
            raise InputError("a body without muscles", "muscles to control", "give it some, or take Passive()")
        moment = Moment(world, state, contacts)
        plan = self.behaviour(moment)
        wishes = [_checked(goal, goal.rows(moment)) for goal in plan.goals]
        response = system.reduce(np.concatenate([contacts.rows, *(wish.matrix for wish in wishes)]))
        return control_problem(moment, plan, response, wishes, self.effort, self.change), plan


def _checked(goal: Goal, rows: Rows) -> Rows:
    """Refuse a wish that is none."""
    for name in ("target", "weight"):
        values = getattr(rows, name)
        if not np.isfinite(values).all():
            raise InputError(f"the {name} of the goal {type(goal).__name__} is {values}", "finite numbers", "mend it")
    if (rows.weight < 0.0).any():
        raise InputError(f"the weight of the goal {type(goal).__name__} is {rows.weight}", "numbers ≥ 0", "mend it")
    return rows


def start_of(state: State, contacts: Contacts, plan: Plan) -> Start:
    """What a control problem knows from the step before: muscles, and the pieces of as many patches as there are.

    A patch is taken as free where most of it is of nodes that the plan wants to leave the ground: to keep a foot down
    and to lift it are answers far apart, and who begins to search at the one may not find the other.
    """
    pieces = state.memory.get(PIECES, np.empty(0)).astype(np.int64)
    pieces = pieces[pieces >= 0]
    if not len(pieces) == len(contacts) > 0:
        return Start(state.actuation)
    normals = contacts.rows.reshape(len(contacts), 3, -1, 3)[:, 0]  # a patch's weights of its nodes, times its normal
    leaving = np.linalg.norm(normals[:, plan.leaving], axis=2).sum(axis=1) > 0.5
    return Start(state.actuation, np.where(leaving, FREE, pieces))


def _padded(pieces: Ints, count: int) -> Floats:
    """``pieces`` and then −1 for every patch that is not there, (count,): recordings want one shape in all frames."""
    return np.concatenate([pieces, np.full(count - len(pieces), -1)]).astype(np.float64)


def control_problem(
    moment: Moment, plan: Plan, response: Response, wishes: Sequence[Rows], effort: float, change: float
) -> ControlProblem:
    """The quadratic program in (u, p) whose cost is Σ ½ weight (C v⁺ − d)² + effort, over rows [J; C] of ``response``.

    With z = (u, p), C v⁺ = c₀ + C_u u + C_p p, so H = Σ weight [C_u C_p]ᵀ [C_u C_p].
    """
    world, state, contacts = moment.world, moment.state, moment.contacts
    touching = 3 * len(contacts)
    segments = response.actuation.shape[1]
    to_goals = np.concatenate([response.actuation[touching:], response.compliance[touching:, :touching]], axis=1)
    weight = np.concatenate([np.empty(0), *(wish.weight for wish in wishes)])
    error = response.free[touching:] - np.concatenate([np.empty(0), *(wish.target for wish in wishes)])
    constant = 0.5 * float(weight @ error**2)
    hessian = to_goals.T @ (weight[:, None] * to_goals)
    gradient = to_goals.T @ (weight * error)
    lower, upper = np.empty(0), np.empty(0)
    if world.muscles is not None:
        lower, upper = world.muscles.lower, world.muscles.upper
        scale = 1.0 / (upper - lower) ** 2  # activation = (upper − u) / (upper − lower)
        own = np.arange(segments)
        hessian[own, own] += scale * (effort + change)
        gradient[:segments] -= scale * (effort * upper + change * state.actuation)
        constant += 0.5 * float(scale @ (effort * upper**2 + change * state.actuation**2))
        lower = upper - plan.ceiling * (upper - lower)
    return ControlProblem(
        hessian=hessian,
        gradient=gradient,
        lower=lower,
        upper=upper,
        response=response.actuation[:touching],
        contacts=contact_problem(world, contacts, response),
        constant=constant,
    )


def contact_problem(world: World, contacts: Contacts, response: Response) -> ContactProblem:
    """The contact conditions alone, over the first rows of ``response``, with u = 0.

    What gravity does in a step is a speed that matters: it measures the residuals where muscles hold everything still.
    """
    touching = 3 * len(contacts)
    compliance = response.compliance[:touching, :touching]
    return ContactProblem(
        delassus=0.5 * (compliance + compliance.T),
        velocities=response.free[:touching],
        clearance=contacts.clearance,
        friction=contacts.friction,
        speed=world.dt * float(np.linalg.norm(world.gravity)),
    )


def _milliseconds(started: float, reduced: float) -> dict[str, float]:
    return {"reduction": 1e3 * (reduced - started), "optimisation": 1e3 * (perf_counter() - reduced)}
