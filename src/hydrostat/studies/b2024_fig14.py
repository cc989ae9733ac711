"""B2024 figure 14: what 200 steps cost against skinning modes, contact samples and passive clusters."""

from __future__ import annotations

from dataclasses import replace

from hydrostat.bodies.reduced import ReducedOptions, rollout
from hydrostat.search.starts import settled
from hydrostat.studies.b2024 import GROUND, creature_body, rhythm
from hydrostat.studies.b2024_report import markdown, quickest
from hydrostat.studies.study import Findings, Options, Study

# The mesh makes no difference to a step.
CREATURE, STEPS = "arc-coarse", 200
# Of a rhythm so gentle that the body stays on the ground.
STRETCH = 0.01
USUAL = ReducedOptions(weights=5, samples=40, passive_clusters=5)
VARIED = {
    "weights": (2, 5, 10, 15, 20),
    "samples": (5, 10, 20, 40, 80, 160),
    "passive_clusters": (1, 5, 10, 20, 40, 80),
}
SMALL_COUNT = 1
HEAD = "varied | value | coordinates | clusters | samples | touching, mean | 200 steps, ms | a step, µs"


def measure(options: Options) -> Findings:
    """Vary one number at a time."""
    rows = []
    for name, values in VARIED.items():
        for value in values[:SMALL_COUNT] if options.small else values:
            options.progress(f"{name} {value}")
            rows.append([name.replace("_", " "), str(value), *_cost(replace(USUAL, **{name: value}), options)])
    return Findings({}, markdown(HEAD, rows))


def _cost(reduced: ReducedOptions, options: Options) -> list[str]:
    body = creature_body(CREATURE, reduced, options)
    start, actuation = settled(body, GROUND), rhythm(body, STEPS, GROUND, STRETCH)
    touching = rollout(body, start, actuation, GROUND).impulses.any(axis=2).sum(axis=1).mean()
    [seconds] = quickest(lambda: rollout(body, start, actuation, GROUND))
    return [
        *(str(12 * reduced.weights), str(body.passive.shape[1] // 3), str(len(body.samples)), f"{touching:.1f}"),
        *(f"{1e3 * seconds:.2f}", f"{1e6 * seconds / STEPS:.1f}"),
    ]


STUDY = Study("b2024-fig14", "what 200 steps cost against every size of the subspace", measure)
