"""Ten control problems out of real frames: an I with 58 muscle segments and 4 patches that is pushed, slides, lands."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from hydrostat.actuation.muscles import Fibre, MuscleGroup, build_muscles, radial
from hydrostat.characters.letter_i import CHARACTER as LETTER_I
from hydrostat.contact.friction import Friction
from hydrostat.control.behaviours.balance import Balance
from hydrostat.control.controllers import GoalController, start_of
from hydrostat.control.plans import always
from hydrostat.solvers.problems import ControlProblem
from hydrostat.solvers.qpcc.exploration import Start
from hydrostat.solvers.qpcc.solve import METHODS
from hydrostat.stepping.forces import Push, shares_near
from hydrostat.stepping.step import step
from hydrostat.stepping.world import State, World

# Five radial muscles of two segments beside the 48 longitudinal ones: 58 + 4 · 10 = 98 variables, as in Table 2.
RADIAL_HEIGHTS = (0.1, 0.3, 0.5, 0.7, 0.9)
SPAN = 0.18
HEAD = (0.0, 0.95, 0.0)
EFFORT, CHANGE = 1e-4, 1e-3


@dataclass(frozen=True)
class Situation:
    """How the I comes into trouble, and the time (s) of the frame whose problem is taken.

    push: N at the head for 0.1 s from the start. velocity: m/s of the whole body at the start. tilt: radians about x.
    drop: m above the ground.
    """

    name: str
    at: float
    push: tuple[float, float, float] | None = None
    velocity: tuple[float, float, float] = (0.0, 0.0, 0.0)
    tilt: float = 0.0
    drop: float = 0.0
    friction: float = 0.8


SITUATIONS = (
    Situation("pushed right", 0.10, push=(260.0, 0.0, 0.0)),
    Situation("pushed left", 0.15, push=(-260.0, 0.0, 0.0)),
    Situation("pushed forward", 0.10, push=(0.0, 0.0, 160.0)),
    Situation("pushed backward", 0.15, push=(0.0, 0.0, -160.0)),
    Situation("pushed aslant", 0.20, push=(180.0, 0.0, 110.0)),
    Situation("sliding right", 0.05, velocity=(1.0, 0.0, 0.0), friction=0.2),
    Situation("sliding aslant", 0.05, velocity=(0.6, 0.0, 0.5), friction=0.3),
    Situation("sliding to a halt", 0.20, velocity=(0.6, 0.0, 0.0), friction=0.3),
    Situation("landing flat", 0.10, drop=0.04),
    Situation("landing on a rim", 0.10, drop=0.03, tilt=0.05),
)


def problem_of(situation: Situation) -> tuple[ControlProblem, Start]:
    """The control problem of the situation's frame, and what is known from the frame before."""
    world = _world(situation)
    controller = GoalController(always(Balance().goals(world)), EFFORT, CHANGE, "search", METHODS["search"].budget)
    state = _start(world, situation)
    while state.time < situation.at - 0.5 * world.dt:
        state, _ = step(world, state, controller)
    contacts = world.touch(state)
    problem, plan = controller.problem(world, state, world.linearise(state), contacts)
    return problem, start_of(state, contacts, plan)


def _world(situation: Situation) -> World:
    body = LETTER_I.body
    across: list[Fibre] = []
    for height in RADIAL_HEIGHTS:
        across += radial((0.0, height, 0.0), spans=((SPAN, 0.0, 0.0), (0.0, 0.0, SPAN)))
    muscles = build_muscles(body.mesh, [*LETTER_I.groups(), MuscleGroup("radial", across)], LETTER_I.stiffness)
    shares = shares_near(body.rest_positions, body.masses, HEAD, 0.15)
    forces = (Push(shares, situation.push, 0.0, 0.1),) if situation.push else ()
    return World(body, muscles, friction=Friction(situation.friction), forces=forces, patches=LETTER_I.patches)


def _start(world: World, situation: Situation) -> State:
    rest = world.rest_state()
    cos, sin = np.cos(situation.tilt), np.sin(situation.tilt)
    turn = np.array([[1.0, 0.0, 0.0], [0.0, cos, -sin], [0.0, sin, cos]])
    positions = rest.positions @ turn.T
    positions[:, 1] += situation.drop - positions[:, 1].min()
    return replace(rest, positions=positions, velocities=rest.velocities + np.array(situation.velocity))
