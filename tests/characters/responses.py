"""What a body does when some of its muscles contract as far as they can, in free space."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from hydrostat.arrays import Bools, Floats
from hydrostat.characters.character import Character
from hydrostat.control.controllers import Passive
from hydrostat.stepping.step import step
from hydrostat.stepping.world import State, World


def contracted(character: Character, chosen: Bools, seconds: float = 1.0) -> Floats:
    """Positions (n, 3) m after ``seconds`` in which the ``chosen`` (m,) segments wanted to be as short as they can."""
    world = World(character.body, character.muscles, gravity=(0.0, 0.0, 0.0))
    start = world.rest_state(height=2.0)
    muscles = character.muscles
    state: State = replace(start, actuation=np.where(chosen, muscles.lower, muscles.upper))
    for _ in range(round(seconds / world.dt)):
        state, _ = step(world, state, Passive())
    return state.positions


def group(character: Character, *names: str) -> Bools:
    """The segments (m,) of the groups with these names."""
    muscles = character.muscles
    return np.isin(muscles.groups, [muscles.names.index(name) for name in names])


def beside(character: Character, axis: int, sign: int) -> Bools:
    """The segments (m,) whose middle lies on that side of the origin along ``axis``."""
    muscles = character.muscles
    points = muscles.fibre_points(character.body.rest_positions)
    return sign * points[muscles.segments].mean(axis=1)[:, axis] > 1e-6


def between(rest: Floats, positions: Floats, start: Bools, end: Bools) -> tuple[float, Floats]:
    """How the nodes of ``end`` moved as seen from those of ``start``: share of the old distance, turn in degrees.

    The turn is a rotation vector (3,), in the directions that the ``start`` had at rest.
    """
    distances = [np.linalg.norm(p[end].mean(axis=0) - p[start].mean(axis=0)) for p in (rest, positions)]
    first, second = (_rotation(rest[part], positions[part]) for part in (start, end))
    turn = first.T @ second
    angle = np.arccos(np.clip((np.trace(turn) - 1.0) / 2.0, -1.0, 1.0))
    axis = np.array([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]])
    return float(distances[1] / distances[0]), np.degrees(angle) * axis / max(np.linalg.norm(axis), 1e-12)


def seen_from(still: Bools, rest: Floats, positions: Floats) -> Floats:
    """The body turned and moved so that the nodes ``still`` are as near to their ``rest`` as can be, (n, 3) m."""
    turned = (positions - positions[still].mean(axis=0)) @ _rotation(rest[still], positions[still])
    return turned + rest[still].mean(axis=0)


def _rotation(rest: Floats, positions: Floats) -> Floats:
    """The rotation (3, 3) that brings ``rest`` closest to ``positions``."""
    left, _, right = np.linalg.svd((positions - positions.mean(axis=0)).T @ (rest - rest.mean(axis=0)))
    left[:, -1] *= np.linalg.det(left @ right)
    return left @ right
