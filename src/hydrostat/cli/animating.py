"""From a mesh to a folder with its gait, with a progress bar."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import click
import numpy as np
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bar

from hydrostat.bodies.reduced import ReducedOptions, Surroundings, reduce_body
from hydrostat.contact.ground import Plane
from hydrostat.errors import InputError
from hydrostat.geometry.mesh_files import write_surface
from hydrostat.io.point_cache import write_point_cache
from hydrostat.io.reader import open_recording
from hydrostat.search.evolution import Progress, SearchOptions
from hydrostat.search.finding import Found, Workforce, find_gait
from hydrostat.search.objectives import Objective
from hydrostat.search.recorded import write_recording
from hydrostat.search.reports import Report
from hydrostat.search.subjects import Subject, SubjectOptions, load_subject
from hydrostat.search.trials import Trial
from hydrostat.search.wishes import Wishes, trial_of
from hydrostat.show.recorded import render_movie, render_sheet

# Frames a second of what is written; the simulation makes twice as many steps.
FPS = 30


def animate(
    mesh: str,
    out: Path,
    subject_options: SubjectOptions,
    options: ReducedOptions,
    wishes: Wishes,
    search_options: SearchOptions,
    workforce: Workforce,
    resume: bool,
) -> dict[str, Any]:
    """Search for a gait of ``mesh`` and fill the folder ``out``; what was measured, in JSON's terms."""
    console, started = Console(stderr=True), time.perf_counter()
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{out}", "a folder that can be written", f"choose another ({error})") from error
    kept = out / f"{Path(mesh).stem}.search.npz"
    if resume and not kept.exists():
        raise InputError(f"there is no {kept}", "the file of a search that was stopped", "start without --resume")
    with console.status("tetrahedra"):
        subject = load_subject(mesh, subject_options)
    with console.status("vibrations"):
        body = reduce_body(subject.solid.mesh, options, subject.parts)
        trial = trial_of(body, wishes, Surroundings(ground=Plane()))
    stem, ready = out / subject.name, time.perf_counter()
    found = _search(console, trial, search_options, workforce, kept, resume)
    searched = time.perf_counter()
    walk = Report(trial, trial.space.gait(found.best))
    report = _told(subject, found, walk) | {
        "seconds_of_setting_up": ready - started,
        "seconds_of_search": searched - ready,
    }
    with console.status("movie"):
        report["files"] = [str(path) for path in _write(stem, subject, walk, report)]
    if found.stopped:
        click.echo(f"stopped; the best until then is in {out}; go on with the same command and --resume", err=True)
        raise KeyboardInterrupt
    return report


def _search(
    console: Console, trial: Trial, options: SearchOptions, workforce: Workforce, kept: Path, resume: bool
) -> Found:
    """Search with a bar that tells of the best gait until now."""
    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}"), TimeRemainingColumn())
    with Bar(*columns, console=console, transient=True) as bar:
        task = bar.add_task("the first generation", total=options.generations)
        shown = np.inf

        def report(progress: Progress) -> None:
            nonlocal shown
            if progress.best_score < shown:
                shown = progress.best_score
                outcome = trial.outcome(trial.motion(trial.space.gait(progress.best)))
                lengths = outcome.distance / trial.length
                bar.update(task, description=f"best score {shown:.3f}, {lengths:.2f} body lengths")
            bar.update(task, completed=len(progress.scores))

        return find_gait(trial, options, workforce, kept, resume, report)


def _told(subject: Subject, found: Found, walk: Report) -> dict[str, Any]:
    """What is known of the gait, in JSON's terms."""
    trial, outcome, gait = walk.trial, walk.outcome, walk.gait
    return {
        "name": subject.name,
        "vertices": len(trial.body.mesh.vertices),
        "tets": len(trial.body.mesh.tets),
        "notes": list(subject.solid.notes),
        "score": trial(found.best),
        "J": Objective(trial.objective.gain).score(outcome),
        "distance": outcome.distance,
        "body_lengths": walk.lengths(outcome),
        "rise": outcome.rise,
        "alignment": outcome.alignment,
        "uprightness": outcome.uprightness,
        "work": outcome.work,
        "jitter": walk.jitter,
        "penetration": walk.penetration,
        "replays": {
            "body_lengths": [walk.lengths(other) for other in walk.replays],
            "alignment": [other.alignment for other in walk.replays],
        },
        "modes": np.flatnonzero(trial.space.moving(found.best)).tolist(),
        "gait": {
            "amplitudes": gait.amplitudes.tolist(),
            "periods": gait.periods.tolist(),
            "phases": gait.phases.tolist(),
        },
        "generations": len(found.progress.scores),
        "steps": trial.steps,
    }


def _write(stem: Path, subject: Subject, walk: Report, report: dict[str, Any]) -> list[Path]:
    """Write everything; the files that there are now."""
    trial, motion = walk.trial, walk.motion
    recording, movie, sheet, surface, cache, told = (
        stem.with_suffix(suffix) for suffix in (".vtkhdf", ".mp4", ".png", ".obj", ".pc2", ".json")
    )
    every = max(1, round(1.0 / (FPS * trial.surroundings.dt)))
    write_recording(recording, trial, motion, subject.name, report, every)
    with open_recording(recording) as recorded:
        render_sheet(recorded, sheet)
        render_movie(recorded, movie, size=(640, 360), fps=FPS)
    write_surface(surface, subject.surface)
    instants = (
        subject.surface_at(trial.body.basis @ motion.coordinates[step]) for step in range(0, trial.steps + 1, every)
    )
    write_point_cache(cache, instants)
    told.write_text(json.dumps(report, indent=1) + "\n", "utf-8")
    return [movie, sheet, recording, surface, cache, told]
