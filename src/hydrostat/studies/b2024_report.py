"""How the studies of B2024 tell what they found: times, tables, verdicts, pictures."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

from hydrostat.io.reader import open_recording
from hydrostat.search.executors import cores
from hydrostat.search.recorded import write_recording
from hydrostat.show.movie import write_png
from hydrostat.show.recorded import frames_of
from hydrostat.show.sheet import Bytes, contact_sheet, evenly_spaced
from hydrostat.show.stage import CameraOptions
from hydrostat.studies.b2024 import Walk

# Of pictures: pixels of one moment, moments a row, steps a frame.
SIZE, MOMENTS, EVERY = (320, 240), 6, 6
# How often what is timed runs.
TIMES = 30


def quickest(*runs: Callable[[], object]) -> list[float]:
    """Seconds of the quickest of several calls of each of ``runs``, which take turns; first calls compile.

    They are seconds of the processor, which other work on the machine hardly lengthens.
    """
    spent = []
    for _ in range(1 + TIMES):
        for run in runs:
            started = process_time()
            run()
            spent.append(process_time() - started)
    return [min(spent[len(runs) + index :: len(runs)]) for index in range(len(runs))]


def markdown(head: str, rows: Iterable[Sequence[str]]) -> list[str]:
    """A table with a ``head`` such as "creature | J, m" above ``rows`` of cells, and an empty line below."""
    count = head.count("|") + 1
    return [f"| {head} |", "|---" * count + "|", *(f"| {' | '.join(row)} |" for row in rows), ""]


def verdict(claim: str, holds: bool) -> str:
    """The line that tells whether a ``claim`` of the paper holds here."""
    return f"- {claim}: {'holds' if holds else 'FAILS'}"


# The head over what ``told`` tells.
TOLD = "J, m | body lengths | alignment | uprightness | jitter | search, s | of all cores, s"


def told(walk: Walk) -> list[str]:
    """Cells about a walk, under ``TOLD``."""
    outcome = walk.outcome
    numbers = (walk.score, walk.lengths(outcome), outcome.alignment, outcome.uprightness, walk.jitter)
    return [*(f"{number:.2f}" for number in numbers), f"{walk.seconds:.1f}", f"{walk.effort:.1f}"]


def busy() -> str:
    """The line that tells how far measured seconds can be trusted."""
    load = f"{os.getloadavg()[1]:.1f}" if hasattr(os, "getloadavg") else "unknown"
    return f"Searches are timed by the clock, on {cores()} cores; load of the machine in the last minutes: {load}."


def draw_walks(path: Path, walks: Mapping[str, Walk]) -> str:
    """Draw moments of every walk, a row each, to a PNG; the line that tells where it is."""
    images: list[Bytes] = []
    labels: list[str] = []
    for name, walk in walks.items():
        with TemporaryDirectory() as folder:
            file = Path(folder) / "walk.vtkhdf"
            write_recording(file, walk.trial, walk.motion, name, {}, EVERY)
            with open_recording(file) as recording:
                indices = evenly_spaced(len(recording.times), MOMENTS)
                images += frames_of(recording, indices, CameraOptions(follow=True), size=SIZE, labelled=False)
                labels += [f"{name}: {recording.times[index]:.1f} s" for index in indices]
    path.parent.mkdir(parents=True, exist_ok=True)
    write_png(path, contact_sheet(images, MOMENTS, labels))
    return f"Picture: {path}"
