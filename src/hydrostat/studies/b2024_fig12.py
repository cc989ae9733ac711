"""B2024 figure 12: the search itself chooses two or three of a bat's modes; the paper finds that three do worse."""

from __future__ import annotations

from hydrostat.bodies.reduced import ReducedOptions
from hydrostat.search.wishes import Wishes
from hydrostat.studies.b2024 import Walk, creature_body, find_walk
from hydrostat.studies.b2024_report import TOLD, draw_walks, markdown, told, verdict
from hydrostat.studies.study import Findings, Options, Study

CREATURE, OFFERED, CHOSEN, TRIALS = "bat", 10, (2, 3), 2
SMALL_OFFERED, SMALL_TRIALS = 4, 1


def measure(options: Options) -> Findings:
    """Search with the choice left open, and with the lowest modes given."""
    offered, trials = (SMALL_OFFERED, SMALL_TRIALS) if options.small else (OFFERED, TRIALS)
    body = creature_body(CREATURE, ReducedOptions(offered), options)
    walks: dict[str, Walk] = {}
    rows = []
    for count in CHOSEN:
        wishes = {
            f"{count} of {offered} modes": Wishes(choose_modes=count),
            f"the lowest {count} modes": Wishes(only_modes=tuple(range(count))),
        }
        for name, wished in wishes.items():
            for seed in range(trials):
                options.progress(f"{name}, trial {seed}")
                walk = find_walk(body, wished, options, seed=seed)
                rows.append([name, str(seed), walk.moving, *told(walk)])
                if name not in walks or walk.score < walks[name].score:
                    walks[name] = walk
    lines = markdown(f"modes | trial | chosen | {TOLD}", rows)
    two, three = (walks[f"{count} of {offered} modes"].score for count in CHOSEN)
    lines.append(verdict("the best that it finds with three modes is worse than with two", three > two))
    return Findings({}, [*lines, "", draw_walks(options.out / "b2024-fig12.png", walks)])


STUDY = Study("b2024-fig12", "a bat whose modes the search chooses", measure)
