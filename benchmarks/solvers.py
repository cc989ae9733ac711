"""Medians of the solvers on problems of the sizes that characters make."""

from __future__ import annotations

import numpy as np

from benchmarks.measuring import milliseconds
from hydrostat.solvers.contact import solve_contact
from hydrostat.solvers.friction import isotropic
from hydrostat.solvers.problems import ContactProblem, ControlProblem
from hydrostat.solvers.qpcc.solve import solve_qpcc

MUSCLES = 58


def contacts(count: int, seed: int) -> ContactProblem:
    """Contacts of a random body with more degrees of freedom than contact rows."""
    rng = np.random.default_rng(seed)
    freedoms = 5 * count + 20
    jacobian = rng.normal(size=(3 * count, freedoms)) / np.sqrt(freedoms)
    friction = isotropic(np.full(count, 0.6))
    return ContactProblem(jacobian @ jacobian.T, jacobian @ rng.normal(size=freedoms), np.zeros(count), friction)


def control(count: int, seed: int) -> ControlProblem:
    """Muscles, contacts pressed to the ground, and 12 rows of goals."""
    rng = np.random.default_rng(seed)
    problem = contacts(count, seed)
    response = 0.1 * rng.normal(size=(3 * count, MUSCLES))
    goals = rng.normal(size=(12, MUSCLES + 3 * count))
    hessian = goals.T @ goals + np.diag(np.repeat([0.01, 0.0], [MUSCLES, 3 * count]))
    pressed = problem.velocities - problem.delassus @ np.tile([2.0, 0.0, 0.0], count)
    return ControlProblem(
        hessian,
        goals.T @ rng.normal(size=12),
        -np.ones(MUSCLES),
        np.ones(MUSCLES),
        response,
        ContactProblem(problem.delassus, pressed, problem.clearance, problem.friction),
    )


def main() -> None:
    print("contacts   Lemke ms    cold ms    warm ms")
    for count in (1, 4, 10, 20, 40):
        problem = contacts(count, seed=0)
        pieces = solve_contact(problem).pieces
        print(
            f"{count:8d}"
            f" {milliseconds(lambda p=problem: solve_contact(p, method='lemke')):10.3f}"
            f" {milliseconds(lambda p=problem: solve_contact(p)):10.3f}"
            f" {milliseconds(lambda p=problem, g=pieces: solve_contact(p, g)):10.3f}"
        )
    print(f"\ncontacts   static control ms ({MUSCLES} muscles)")
    for count in (0, 1, 4, 8):
        problem = control(count, seed=0)
        status = solve_qpcc(problem, "static").status.name
        print(f"{count:8d} {milliseconds(lambda p=problem: solve_qpcc(p, 'static')):10.3f}   {status}")
