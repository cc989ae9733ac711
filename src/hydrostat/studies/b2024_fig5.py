"""B2024 figure 5: the fewer actuation clusters, the sooner a body takes on the shape that it is told to.

A free body at rest is told a mode of constant amplitude; what is measured is how much of it its shape has, as the part
of its displacement along the mode. Local-global rounds are 10, as usual, and 200, which find the solution itself.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from hydrostat.actuation.modes import largest_amplitudes
from hydrostat.arrays import Floats
from hydrostat.bodies.fem import FemBody, Material
from hydrostat.bodies.reduced import ReducedBody, ReducedOptions, Surroundings, rest_state, rollout
from hydrostat.studies.b2024 import FREE_SPACE, creature_body
from hydrostat.studies.b2024_report import markdown, verdict
from hydrostat.studies.study import Findings, Options, Study

CREATURE, STRETCH, SECONDS = "seal", 0.1, 4.0
CLUSTERS, ROUNDS = (1, 2, 5, 10, 20, 50, 100), (10, 200)
SMALL_CLUSTERS, SMALL_ROUNDS = (1, 5), (10,)
REACHED = 0.5  # of the target
HEAD = "clusters | rounds | half of the target after, s | share after 0.1 s | most | mean of the last half"
NOTES = (
    "The claim holds, but not for the reason that the word speed suggests: the solution itself, of 200 rounds, is less",
    "of the target with more clusters. A mode bends the body, so its parts turn, and the rotation of a cluster takes",
    "out what of that is a turn of the whole cluster: less is asked for. Beyond ten clusters ten rounds are too few",
    "to find the solution.",
)


def measure(options: Options) -> Findings:
    """Tell bodies with more and more clusters the same shape."""
    rows, delays = [], []
    for clusters in SMALL_CLUSTERS if options.small else CLUSTERS:
        options.progress(f"{clusters} clusters")
        body = creature_body(CREATURE, ReducedOptions(1, actuation_clusters=clusters), options)
        for rounds in SMALL_ROUNDS if options.small else ROUNDS:
            surroundings = replace(FREE_SPACE, iterations=rounds)
            shares = response(body, surroundings)
            delay = surroundings.dt * int(np.argmax(shares > REACHED)) if shares.max() > REACHED else np.inf
            if rounds == FREE_SPACE.iterations:
                delays.append(delay)
            numbers = (shares[round(0.1 / surroundings.dt)], shares.max(), shares[len(shares) // 2 :].mean())
            rows.append([str(clusters), str(rounds), f"{delay:.3f}", *(f"{number:.2f}" for number in numbers)])
    claim = verdict("with more clusters it takes longer or as long", delays == sorted(delays))
    return Findings({}, [*markdown(HEAD, rows), claim, "", *NOTES])


def response(body: ReducedBody, surroundings: Surroundings) -> Floats:
    """How much of the first mode's target the free ``body`` has after every step, (T + 1,)."""
    target = largest_amplitudes(body.mesh, body.modes, STRETCH)[:1]
    motion = rollout(body, rest_state(body), np.tile(target, (round(SECONDS / surroundings.dt), 1)), surroundings)
    masses = FemBody(body.mesh, Material()).masses
    # The mode as the body's coordinates can have it.
    mode = body.basis.T @ (masses[:, None] * body.modes[:, :, 0]) / masses.sum()
    shifts = motion.coordinates - body.rest_coordinates
    shares: Floats = np.einsum("tki,ki->t", shifts, mode) / ((mode**2).sum() * target[0])
    return shares


STUDY = Study("b2024-fig5", "actuation clusters, and how soon a body follows its target", measure)
