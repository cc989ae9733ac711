"""B2024 Table 1: sizes of six creatures, and what a search for a gait of each costs.

The first table is searched by the paper's rules: two sinusoids a mode, each with its own period, its limits, its
objective, its friction, one start. The second one shows the same bodies by this project's own rules, those of
`hydrostat animate`: one period for all modes, a lower limit on strain, Coulomb friction, three starts.
"""

from __future__ import annotations

import os
from dataclasses import replace
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import NamedTuple
from unittest.mock import patch

from hydrostat.bodies.reduced import ReducedBody, ReducedOptions
from hydrostat.search.wishes import Wishes
from hydrostat.studies.b2024 import (
    GROUND,
    PAPER_GROUND,
    PAPER_WISHES,
    Printed,
    Walk,
    creature_mesh,
    find_walk,
    reduce_creature,
)
from hydrostat.studies.b2024_report import TOLD, busy, draw_walks, markdown, quickest, told
from hydrostat.studies.study import Findings, Options, Study


class Row(NamedTuple):
    """A row of the table: modes m, skinning weights r, passive clusters, contact samples, steps, sinusoids k."""

    modes: int
    weights: int
    clusters: int
    samples: int
    steps: int
    sinusoids: int = 2


ROWS = {
    "couch": Row(10, 5, 5, 20, 300),
    "creepy-tree": Row(6, 5, 5, 40, 300),
    "bat": Row(3, 5, 10, 20, 300),
    "bearded-dragon": Row(6, 7, 10, 30, 200),
    "octopus": Row(16, 6, 20, 20, 300),
    "treefrog": Row(5, 5, 10, 30, 200, 3),
}
SMALL_ROWS = ("bat",)
HEAD = f"creature | set-up, s | step, µs | {TOLD}"
NOTES = (
    "The paper does not tell how large its creatures are, so J, which is in metres, can be held against its numbers",
    "only roughly; ours are 0.5 to 1.8 m high. As printed, it does not mind a creature that rolls over: its",
    "uprightness is the least cosine of how far it leans, and our rules count it. Set-up is everything between",
    "tetrahedra and a reduced body. Seconds of a search include starting its processes.",
)


def measure(options: Options) -> Findings:
    """Set every creature up from its tetrahedra, and search by both rules."""
    numbers: dict[str, float] = {}
    paper: dict[str, Walk] = {}
    own: dict[str, Walk] = {}
    set_up: dict[str, float] = {}
    for name in SMALL_ROWS if options.small else ROWS:
        options.progress(name)
        row = ROWS[name]
        seconds = row.steps * GROUND.dt
        body, set_up[name] = _set_up(name, row, options)
        wishes = replace(PAPER_WISHES, sinusoids=row.sinusoids, seconds=seconds)
        paper[name] = find_walk(body, wishes, options, PAPER_GROUND, objective=Printed())
        own[name] = find_walk(body, Wishes(seconds=seconds), options)
        numbers |= {f"{name} {quantity}": value for quantity, value in _numbers(row, paper[name]).items()}
    lines = ["By the paper's rules:", "", *markdown(HEAD, (_told(name, paper[name], set_up[name]) for name in paper))]
    lines += ["By our rules:", "", *markdown(HEAD, (_told(name, own[name], set_up[name]) for name in own))]
    return Findings(numbers, [*lines, *NOTES, busy(), "", draw_walks(options.out / "b2024-table1.png", own)])


def _set_up(name: str, row: Row, options: Options) -> tuple[ReducedBody, float]:
    """The body, and the seconds from its tetrahedra to it where nothing is kept from before."""
    mesh = creature_mesh(name, options)
    reduced = ReducedOptions(row.modes, row.weights, row.clusters, 1, row.samples)
    started = perf_counter()
    with TemporaryDirectory() as empty, patch.dict(os.environ, HYDROSTAT_CACHE=empty):
        body = reduce_creature(name, mesh, reduced)
    return body, perf_counter() - started


def _numbers(row: Row, walk: Walk) -> dict[str, float]:
    """What the paper's table has, by its names."""
    body, trial = walk.trial.body, walk.trial
    return {
        "vertices": len(body.mesh.vertices),
        "tets": len(body.mesh.tets),
        "m": body.modes.shape[2],
        "k": trial.space.sinusoids,
        "r": row.weights,
        "passive clusters": body.passive.shape[1] // 3,
        "samples": len(body.samples),
        "J": walk.score,
        "steps": trial.steps,
        "search": walk.seconds,
    }


def _told(name: str, walk: Walk, set_up: float) -> list[str]:
    """A row of a table of walks."""
    [seconds] = quickest(lambda: walk.trial.motion(walk.gait))
    return [name, f"{set_up:.1f}", f"{1e6 * seconds / walk.trial.steps:.1f}", *told(walk)]


STUDY = Study("b2024-table1", "six creatures, and what a search for a gait of each costs", measure, __name__)
