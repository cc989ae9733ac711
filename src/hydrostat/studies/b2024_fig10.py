"""B2024 figure 10: the more work costs, the less far a gorilla goes in 200 steps, until it stays where it is."""

from __future__ import annotations

from hydrostat.bodies.reduced import ReducedOptions
from hydrostat.search.wishes import Wishes
from hydrostat.studies.b2024 import GROUND, creature_body, find_walk
from hydrostat.studies.b2024_report import TOLD, draw_walks, markdown, told, verdict
from hydrostat.studies.study import Findings, Options, Study

CREATURE, STEPS, ALPHAS = "gorilla", 200, (0.0, 0.03, 0.1, 0.3, 1.0, 3.0)
SMALL_ALPHAS = (0.0,)
STILL = 0.05
NOTE = "α is in body lengths of gain for the energy that lifts the body by its length."


def measure(options: Options) -> Findings:
    """Search with every price of work."""
    body = creature_body(CREATURE, ReducedOptions(), options)
    walks, rows = {}, []
    for alpha in SMALL_ALPHAS if options.small else ALPHAS:
        options.progress(f"α {alpha}")
        walks[f"α {alpha}"] = find_walk(body, Wishes(alpha=alpha, seconds=STEPS * GROUND.dt), options)
    for name, walk in walks.items():
        rows.append([name, *told(walk), f"{walk.outcome.work:.0f}"])
    lines = markdown(f"price | {TOLD} | work, J", rows)
    lengths = [walk.lengths(walk.outcome) for walk in walks.values()]
    lines.append(verdict("the dearer work is, the less far the gorilla goes", lengths == sorted(lengths, reverse=True)))
    lines.append(verdict(f"in the end it stays where it is, within {STILL} body lengths", abs(lengths[-1]) < STILL))
    return Findings({}, [*lines, "", NOTE, "", draw_walks(options.out / "b2024-fig10.png", walks)])


STUDY = Study("b2024-fig10", "a gorilla that pays for its work", measure)
