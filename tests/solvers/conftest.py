"""Contact problems for the tests of this room."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from hydrostat.solvers.friction import isotropic
from hydrostat.solvers.problems import ContactProblem, ControlProblem


def body_on_ground(velocity, mass=2.0, friction=0.5, clearance=0.0) -> ContactProblem:
    """One particle in contact: velocity (3,) m/s along normal and tangents, friction a number or (8,)."""
    coefficients = np.full((1, 8), friction) if np.isscalar(friction) else np.asarray(friction)[None]
    return ContactProblem(np.eye(3) / mass, np.asarray(velocity, dtype=float), np.array([clearance]), coefficients)


def random_contacts(count, freedoms, seed, friction=0.6) -> ContactProblem:
    """``count`` contacts on a random body of so many freedoms; with few of them W is rank-deficient."""
    rng = np.random.default_rng(seed)
    jacobian = rng.normal(size=(3 * count, freedoms)) / np.sqrt(freedoms)
    clearance = 0.1 * np.abs(rng.normal(size=count))
    return ContactProblem(
        jacobian @ jacobian.T,
        jacobian @ rng.normal(size=freedoms),
        clearance,
        isotropic(np.full(count, friction)),
    )


def stacked_boxes(boxes, push=0.0) -> ContactProblem:
    """A tower of unit cubes of 1 kg at rest under gravity for 0.01 s; the lowest lies on the ground.

    Four corner contacts a cube, 6 degrees of freedom: W has half its rank. push: N·s sideways on the top.
    """
    rows = np.zeros((12 * boxes, 6 * boxes))
    for box in range(boxes):
        for corner, (x, z) in enumerate(((-0.5, -0.5), (-0.5, 0.5), (0.5, 0.5), (0.5, -0.5))):
            row = 12 * box + 3 * corner
            for body, sign, height in ((box, 1.0, -0.5), (box - 1, -1.0, 0.5)):
                if body >= 0:
                    arm = np.array([x, height, z])
                    for axis, direction in enumerate(np.array([[0, 1, 0], [1, 0, 0], [0, 0, 1]])):
                        rows[row + axis, 6 * body : 6 * body + 3] = sign * direction
                        rows[row + axis, 6 * body + 3 : 6 * body + 6] = sign * np.cross(arm, direction)
    inverse_mass = np.tile([1.0, 1.0, 1.0, 6.0, 6.0, 6.0], boxes)
    velocity = np.zeros(6 * boxes)
    velocity[1::6] = -9.81 * 0.01
    velocity[-6] += push
    return ContactProblem(
        (rows * inverse_mass) @ rows.T,
        rows @ velocity,
        np.zeros(4 * boxes),
        isotropic(np.full(4 * boxes, 0.5)),
    )


def random_control(seed, count=4, size=20, friction=0.8, box=2.0, freedoms=60, speed=0.1) -> ControlProblem:
    """``size`` muscles and ``count`` contacts of a body pressed to the ground; 6 goal rows, some effort."""
    rng = np.random.default_rng(seed)
    root = rng.normal(size=(freedoms, freedoms)) / np.sqrt(freedoms)
    inverse_mass = root @ root.T + 0.3 * np.eye(freedoms)
    contact, muscle = rng.normal(size=(3 * count, freedoms)), 0.3 * rng.normal(size=(freedoms, size))
    goal, velocity = rng.normal(size=(6, freedoms)), speed * rng.normal(size=freedoms)
    delassus = contact @ inverse_mass @ contact.T
    response = contact @ inverse_mass @ muscle
    goals = np.hstack([goal @ inverse_mass @ muscle, goal @ inverse_mass @ contact.T])
    hessian = goals.T @ goals
    hessian[:size, :size] += 1e-2 * np.eye(size)
    weight = np.tile([1.0, 0.0, 0.0], count)
    return ControlProblem(
        hessian=hessian,
        gradient=goals.T @ (goal @ velocity - 20.0 * rng.normal(size=6)),
        lower=np.full(size, -box),
        upper=np.full(size, box),
        response=response,
        contacts=ContactProblem(
            0.5 * (delassus + delassus.T),
            contact @ velocity - delassus @ weight,
            np.zeros(count),
            isotropic(np.full(count, friction)),
        ),
    )


def _builder(function: Callable) -> Callable:
    def fixture() -> Callable:
        return function

    return pytest.fixture(fixture, name=function.__name__)


provided = [_builder(f) for f in (body_on_ground, random_contacts, stacked_boxes, random_control)]
fixture_ground, fixture_contacts, fixture_stack, fixture_control = provided
