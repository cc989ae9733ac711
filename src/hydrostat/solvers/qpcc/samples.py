"""Control problems like those of T2012's Table 2: a soft lattice on its feet, without a scene around it."""

from __future__ import annotations

import itertools

import numpy as np

from hydrostat.arrays import Floats
from hydrostat.solvers.contact import solve_contact
from hydrostat.solvers.friction import isotropic
from hydrostat.solvers.problems import ContactProblem, ControlProblem

_SHAPE = (4, 3, 3)
_FEET = ((0, 0, 0), (3, 0, 0), (0, 0, 2), (3, 0, 2), (1, 0, 0), (2, 0, 0), (1, 0, 2), (2, 0, 2))
_SPACING, _MASS, _DT = 0.1, 0.02, 1.0 / 60.0
_STIFFNESS, _DAMPING, _PULL = 60.0, 0.3, 6.0


def lattice_problem(
    seed: int, *, muscles: int = 58, feet: int = 4, reachable: bool = False, friction: float = 0.8
) -> ControlProblem:
    """Springs between 36 nodes, ``muscles`` of which also pull; the top is to move with given velocities.

    reachable: the targets are what some actuation would do; otherwise they are random. The body moves at random
    before the step, so that its feet (at most 8) stick, slide or lift.
    """
    rng = np.random.default_rng(seed)
    nodes = np.array(list(itertools.product(*map(range, _SHAPE))), dtype=float)
    positions = _SPACING * (nodes + 0.15 * rng.uniform(-1.0, 1.0, nodes.shape))
    springs = _springs(positions)
    stiffness = springs.T @ (_STIFFNESS * springs)
    size = positions.size
    effective = _MASS * np.eye(size) + (_DT * _DAMPING + _DT**2) * stiffness
    velocities = rng.normal(size=3)[None] * [0.2, 0.05, 0.2] + 0.05 * rng.normal(size=positions.shape)
    momentum = _MASS * (velocities - [0.0, 9.81 * _DT, 0.0]).ravel()
    pulls = -_DT * _PULL * springs[rng.choice(len(springs), muscles, replace=False)].T
    contact = np.zeros((3 * feet, size))
    for foot, place in enumerate(_FEET[:feet]):
        node = int(np.argmin(np.abs(nodes - place).sum(axis=1)))
        for row, axis in enumerate((1, 2, 0)):
            contact[3 * foot + row, 3 * node + axis] = 1.0
    top = np.flatnonzero(nodes[:, 1] == _SHAPE[1] - 1)[::3]
    goal = np.zeros((3 * len(top), size))
    goal[np.arange(3 * len(top)), (3 * top[:, None] + np.arange(3)).ravel()] = 1.0
    solved = np.linalg.solve(effective, np.column_stack([momentum, pulls, contact.T]))
    free, response, compliance = solved[:, 0], solved[:, 1 : 1 + muscles], solved[:, 1 + muscles :]
    delassus = contact @ compliance
    contacts = ContactProblem(
        0.5 * (delassus + delassus.T), contact @ free, np.zeros(feet), isotropic(np.full(feet, friction))
    )
    target = goal @ velocities.ravel() + 1.0 * rng.normal(size=len(goal))
    if reachable:
        actuation = rng.uniform(-1.0, 1.0, muscles)
        known = ContactProblem(
            contacts.delassus,
            contacts.velocities + contact @ (response @ actuation),
            contacts.clearance,
            contacts.friction,
        )
        target = goal @ (free + response @ actuation + compliance @ solve_contact(known).impulses)
    to_goals = goal @ np.concatenate([response, compliance], axis=1)
    hessian = to_goals.T @ to_goals
    own = np.arange(muscles)
    hessian[own, own] += 1e-4
    return ControlProblem(
        hessian=hessian,
        gradient=to_goals.T @ (goal @ free - target),
        lower=-np.ones(muscles),
        upper=np.ones(muscles),
        response=contact @ response,
        contacts=contacts,
    )


def _springs(positions: Floats) -> Floats:
    """Rows (s, 3n) that give the rate of length of every spring."""
    rows = []
    for a, b in itertools.combinations(range(len(positions)), 2):
        along = positions[b] - positions[a]
        length = float(np.linalg.norm(along))
        if length < 1.6 * _SPACING:
            row = np.zeros(positions.size)
            row[3 * a : 3 * a + 3], row[3 * b : 3 * b + 3] = -along / length, along / length
            rows.append(row)
    return np.array(rows)
