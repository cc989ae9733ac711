"""B2024 figure 11: a bat jumps with a single mode; which of its first ones can do that?

Strain is limited as in the paper, and where the bat looks does not count: what turns in the air would score nothing.
"""

from __future__ import annotations

from dataclasses import replace

from hydrostat.bodies.reduced import ReducedOptions
from hydrostat.search.starts import ground_of
from hydrostat.search.wishes import Wishes
from hydrostat.studies.b2024 import Walk, creature_body, find_walk
from hydrostat.studies.b2024_report import TOLD, draw_walks, markdown, told, verdict
from hydrostat.studies.study import Findings, Options, Study

CREATURE, MODES, SMALL_MODES = "bat", 6, 1
HIGH = 0.05
JUMP = Wishes(objective="jump", straightness=0.0, amplitude=1.0, starts=1)
HEAD = f"mode | {TOLD} | mean rise, m | highest of the lowest sample, m | share of the time in the air"


def measure(options: Options) -> Findings:
    """Search for a jump with one mode after the other."""
    body = creature_body(CREATURE, ReducedOptions(MODES), options)
    walks = {}
    for mode in range(SMALL_MODES if options.small else MODES):
        options.progress(f"mode {mode}")
        walks[f"mode {mode}"] = find_walk(body, replace(JUMP, only_modes=(mode,)), options)
    rows = [[name, *told(walk), *_flight(walk)] for name, walk in walks.items()]
    best = min(walks, key=lambda name: -walks[name].outcome.rise)
    picture = draw_walks(options.out / "b2024-fig11.png", {best: walks[best]})
    holds = _clearance(walks[best]) > HIGH * walks[best].trial.body.height
    line = verdict(f"{best}, the best, lifts the whole bat by more than {HIGH:.0%} of its height", holds)
    return Findings({}, [*markdown(HEAD, rows), line, "", picture])


def _clearance(walk: Walk) -> float:
    """How high the whole body ever is above the ground, m."""
    ground, samples = ground_of(walk.trial.surroundings), walk.motion.sample_positions(walk.trial.body)
    return max(float(ground.gaps(points).min()) for points in samples)


def _flight(walk: Walk) -> list[str]:
    aloft = 1.0 - walk.motion.impulses.any(axis=(1, 2)).mean()
    return [f"{walk.outcome.rise:.3f}", f"{_clearance(walk):.3f}", f"{aloft:.0%}"]


STUDY = Study("b2024-fig11", "a bat jumps with a single mode", measure)
