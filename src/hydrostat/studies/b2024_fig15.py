"""B2024 figure 15: where the time of a step with ten local-global rounds goes.

Ten rounds are the difference between steps of 20 and of 10 rounds in free space. Their local steps, the rotations, and
their global steps, the coordinates, are timed on their own, again and again on the arrays of a last step; what else is
in them follows where the samples are. What the same step costs more on the ground are the contact forces. What is
done once a step is actuation, inertia, spin and output.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numba
import numpy as np

from hydrostat.bodies.reduced import ReducedBody, ReducedOptions, ReducedState, rollout
from hydrostat.bodies.reduced.loops import add_blend, blend, copy
from hydrostat.bodies.reduced.rotations import lanes_of, turn_to_best
from hydrostat.search.starts import settled
from hydrostat.studies.b2024 import FREE_SPACE, GROUND, creature_body, rhythm
from hydrostat.studies.b2024_report import markdown, quickest
from hydrostat.studies.study import Findings, Options, Study

CREATURE, STEPS, REPEATS, ROUNDS = "arc-fine", 300, 1000, 10
SMALL_REPEATS = 100
# Of a rhythm so gentle that the body stays on the ground.
STRETCH = 0.01
REDUCED = ReducedOptions(weights=5, samples=40, passive_clusters=5)


def measure(options: Options) -> Findings:
    """Time whole steps, and the pieces of a round."""
    options.progress(CREATURE)
    body = creature_body(CREATURE, REDUCED, options)
    start, actuation = settled(body, GROUND), rhythm(body, STEPS, GROUND, STRETCH)
    whole, free, twice = (
        seconds / STEPS
        for seconds in quickest(
            lambda: rollout(body, start, actuation, GROUND),
            lambda: rollout(body, start, actuation, FREE_SPACE),
            lambda: rollout(body, start, actuation, replace(FREE_SPACE, iterations=2 * ROUNDS)),
        )
    )
    rounds = twice - free
    end = rollout(body, start, actuation, FREE_SPACE).end
    local, moved = (ROUNDS * spent for spent in _pieces(body, end, SMALL_REPEATS if options.small else REPEATS))
    parts = {
        "local steps: rotations": local,
        "global steps: coordinates": moved,
        "where the samples are": rounds - local - moved,
        "contact forces": whole - free,
        "once a step: actuation, inertia, spin, output": free - rounds,
        "a whole step": whole,
    }
    rows = [[name, f"{1e6 * seconds:.2f}", f"{seconds / whole:.0%}"] for name, seconds in parts.items()]
    return Findings({}, markdown("part | µs a step | share", rows))


def _pieces(body: ReducedBody, state: ReducedState, repeats: int) -> tuple[float, float]:
    """Seconds of one local and of one global step of a round."""
    tensor = np.hstack([body.passive, body.actuation[-1]])
    inverse = 1.0 / (body.mass / GROUND.dt**2 + body.stiffnesses)
    coordinates = np.ascontiguousarray(state.coordinates.T)
    held, moved, answers = coordinates.copy(), coordinates.copy(), np.ascontiguousarray((inverse[:, None] * tensor).T)
    covariances, rotations = np.zeros((3, tensor.shape[1])), np.zeros((3, tensor.shape[1]))
    lanes = lanes_of(state.quaternions)
    locally, globally = quickest(
        lambda: _local(repeats, coordinates, tensor, covariances, lanes, rotations),
        lambda: _global(repeats, held, rotations, answers, moved),
    )
    return locally / repeats, globally / repeats


@numba.njit(cache=True)
def _local(repeats: int, coordinates: Any, tensor: Any, covariances: Any, lanes: Any, rotations: Any) -> None:
    for _ in range(repeats):
        blend(coordinates, tensor, covariances)
        turn_to_best(covariances, lanes, rotations)


@numba.njit(cache=True)
def _global(repeats: int, held: Any, rotations: Any, answers: Any, free: Any) -> None:
    for _ in range(repeats):
        copy(held, free)
        add_blend(rotations, answers, free)


STUDY = Study("b2024-fig15", "where the time of a step goes", measure)
