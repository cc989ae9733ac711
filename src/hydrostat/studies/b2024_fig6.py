"""B2024 figure 6: the same shape in two meshes, one ten times finer: the same gaits in the same time?

A gait that fails from its first start is not tried from the others, so a search that finds good gaits early makes more
steps: what a step costs is told too.
"""

from __future__ import annotations

import numpy as np

from hydrostat.bodies.reduced import ReducedOptions
from hydrostat.search.wishes import Wishes
from hydrostat.studies.b2024 import Walk, creature_body, find_walk
from hydrostat.studies.b2024_report import TOLD, busy, draw_walks, markdown, quickest, told, verdict
from hydrostat.studies.study import Findings, Options, Study

CREATURES, TRIALS, SMALL_TRIALS = ("arc-coarse", "arc-fine"), 5, 1
# What this project asks of the ratio of times; the paper says "negligible".
NEGLIGIBLE = 1.1
MEASURED = ("score", "seconds", "effort")


def measure(options: Options) -> Findings:
    """Search several times with both meshes, by turns: what else the machine does then slows both alike."""
    bodies = {name: creature_body(name, ReducedOptions(), options) for name in CREATURES}
    walks: dict[str, list[Walk]] = {name: [] for name in CREATURES}
    for seed in range(SMALL_TRIALS if options.small else TRIALS):
        for name, body in bodies.items():
            options.progress(f"{name}, trial {seed}")
            walks[name].append(find_walk(body, Wishes(), options, seed=seed))
    rows = [
        [name, str(len(bodies[name].mesh.tets)), str(seed), *told(walk)]
        for name in CREATURES
        for seed, walk in enumerate(walks[name])
    ]
    lines = markdown(f"mesh | tets | trial | {TOLD}", rows)
    for name in CREATURES:
        scores, seconds, efforts = (_spread([getattr(walk, what) for walk in walks[name]]) for what in MEASURED)
        lines.append(f"- {name}: J {scores} m, search {seconds} s, of all cores {efforts} s")
    coarse, fine = (np.mean([walk.effort for walk in walks[name]]) for name in CREATURES)
    claim = f"the fine mesh takes {fine / coarse:.2f} of the coarse one's seconds of cores, at most {NEGLIGIBLE}"
    lines.append(verdict(claim, bool(fine <= NEGLIGIBLE * coarse)))
    lines.append(f"- a step: {_steps_of([walks[name][0] for name in CREATURES])} µs")
    best = {name: min(walks[name], key=lambda walk: walk.score) for name in CREATURES}
    return Findings({}, [*lines, "", busy(), draw_walks(options.out / "b2024-fig6.png", best)])


def _steps_of(walks: list[Walk]) -> str:
    """Microseconds of a step of each of ``walks``."""
    seconds = quickest(*(lambda walk=walk: walk.trial.motion(walk.gait) for walk in walks))
    return " and ".join(f"{1e6 * spent / walk.trial.steps:.1f}" for spent, walk in zip(seconds, walks, strict=True))


def _spread(values: list[float]) -> str:
    return f"{np.mean(values):.2f} ± {np.std(values):.2f}"


STUDY = Study("b2024-fig6", "searches with two meshes of one shape, five trials each", measure)
