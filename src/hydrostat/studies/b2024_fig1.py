"""B2024, figure 1: whether all eleven creatures walk with the defaults of `hydrostat animate`, and how they look.

A creature walks if it travels at least its own length with an alignment of at least 0.9, no sample sinks deeper than
0.5 % of its height, and it does so again from ten other poses with 1 % of noise. Its lift tells whether it raises feet:
how high the samples that bear it rise, the median of them. Depth is that of the samples, which the ground holds up;
what lies between them may sink deeper, as the next column tells.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import numpy as np

from hydrostat.bodies.reduced import ReducedOptions, Surroundings, reduce_body
from hydrostat.characters.creatures import CREATURES
from hydrostat.contact.ground import Plane
from hydrostat.io.reader import open_recording
from hydrostat.search.evolution import SearchOptions
from hydrostat.search.finding import Workforce, find_gait
from hydrostat.search.recorded import write_recording
from hydrostat.search.reports import DEEP, REPLAYS, Report
from hydrostat.search.subjects import wishes_of
from hydrostat.search.wishes import trial_of
from hydrostat.show.movie import write_png
from hydrostat.show.recorded import frames_of
from hydrostat.show.sheet import Bytes, contact_sheet
from hydrostat.show.stage import CameraOptions
from hydrostat.studies.study import Findings, Options, Study

# At most so many; the coarse arch has fewer.
TETS = 8000
SMALL_NAMES, SMALL_SECONDS = ("arc-coarse",), 0.5
SMALL_SEARCH = SearchOptions(generations=2, population=4)
# Of the picture: pixels of one moment, and moments a row.
SIZE, MOMENTS = (240, 180), 6


def measure(options: Options) -> Findings:
    """Search a gait for every creature, and tell and draw what was found."""
    names = SMALL_NAMES if options.small else tuple(CREATURES)
    lines = [
        "| creature | tets | modes | body lengths | alignment | lift, % of height | jitter | depth, % of height "
        "| of any node | again: lengths | again: alignment | walks again | set-up, s | search, s | walks |",
        "|" + "---|" * 15,
    ]
    images: list[Bytes] = []
    for name in names:
        options.progress(name)
        walk, times = _walk(name, options.small)
        lines.append(_told(name, walk, times))
        images += _drawn(name, walk)
    picture = options.out / "b2024-fig1.png"
    picture.parent.mkdir(parents=True, exist_ok=True)
    write_png(picture, contact_sheet(images, MOMENTS, [name for name in names for _ in range(MOMENTS)]))
    return Findings({}, [*lines, "", f"Moments of one period of every gait: {picture}"])


def _walk(name: str, small: bool) -> tuple[Report, tuple[float, float]]:
    """What `hydrostat animate` finds for a creature, and the seconds of setting up and of searching."""
    started, creature = perf_counter(), CREATURES[name]
    mesh = creature.mesh(creature.coarse if small else min(creature.tets, TETS))
    body = reduce_body(mesh, ReducedOptions(), creature.parts(mesh.vertices) if creature.parts else None)
    wishes = replace(wishes_of(name), seconds=SMALL_SECONDS) if small else wishes_of(name)
    trial = trial_of(body, wishes, Surroundings(ground=Plane()))
    ready = perf_counter()
    with TemporaryDirectory() as folder:
        search, workforce = (SMALL_SEARCH, Workforce(1)) if small else (SearchOptions(), Workforce())
        found = find_gait(trial, search, workforce, Path(folder) / "search.npz")
    return Report(trial, trial.space.gait(found.best)), (ready - started, perf_counter() - ready)


def _told(name: str, walk: Report, times: tuple[float, float]) -> str:
    """A row of the table."""
    outcome, again, body = walk.outcome, walk.walked_again, walk.trial.body
    lengths, alignments = zip(*((walk.lengths(other), other.alignment) for other in walk.replays), strict=True)
    good = walk.walks(outcome) and again == REPLAYS and walk.penetration <= DEEP
    return (
        f"| {name} | {len(body.mesh.tets)} | {body.modes.shape[2]} | {walk.lengths(outcome):.2f} "
        f"| {outcome.alignment:.2f} | {100 * walk.lift:.1f} | {walk.jitter:.2f} | {100 * walk.penetration:.3f} "
        f"| {100 * walk.sunk:.1f} | ≥ {min(lengths):.2f} | ≥ {min(alignments):.2f} | {again} of {REPLAYS} "
        f"| {times[0]:.1f} | {times[1]:.1f} | {'yes' if good else 'no'} |"
    )


def _drawn(name: str, walk: Report) -> list[Bytes]:
    """Moments of the last period of a walk, seen from the side."""
    last, period = walk.trial.steps, walk.gait.periods.max() / walk.trial.surroundings.dt
    steps = np.rint(last - period * np.arange(MOMENTS, 0, -1) / MOMENTS).astype(int).clip(0)
    with TemporaryDirectory() as folder:
        file = Path(folder) / "walk.vtkhdf"
        write_recording(file, walk.trial, walk.motion, name, {}, every=1)
        with open_recording(file) as recording:
            return list(frames_of(recording, steps, CameraOptions("front", follow=True), size=SIZE, labelled=False))


STUDY = Study("b2024-fig1", "whether every creature walks", measure)
