"""B2024 figure 9: the user sets the period, and the octopus goes with longer or shorter steps."""

from __future__ import annotations

from hydrostat.bodies.reduced import ReducedOptions
from hydrostat.search.wishes import Wishes
from hydrostat.studies.b2024 import creature_body, find_walk
from hydrostat.studies.b2024_report import TOLD, draw_walks, markdown, told, verdict
from hydrostat.studies.study import Findings, Options, Study

CREATURE, MODES, PERIODS = "octopus", 16, (0.2, 0.4, 0.8, 1.6)
SMALL_PERIODS = (0.2,)


def measure(options: Options) -> Findings:
    """Search with every period held."""
    body = creature_body(CREATURE, ReducedOptions(MODES, weights=6, passive_clusters=20, samples=20), options)
    walks, rows = {}, []
    for period in SMALL_PERIODS if options.small else PERIODS:
        options.progress(f"{period} s")
        walk = find_walk(body, Wishes(periods=(period, period)), options)
        walks[f"{period} s"] = walk
        rows.append([f"{period}", *told(walk), f"{walk.stride:.2f}"])
    lines = markdown(f"period, s | {TOLD} | body lengths a period", rows)
    strides = [walk.stride for walk in walks.values()]
    lines.append(verdict("the longer the period, the longer the steps", strides == sorted(strides)))
    return Findings({}, [*lines, "", draw_walks(options.out / "b2024-fig9.png", walks)])


STUDY = Study("b2024-fig9", "an octopus with given periods", measure)
