"""Run a scene into a recording, with a progress bar."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click
from rich.console import Console
from rich.progress import Progress

from hydrostat.errors import InputError, StepError
from hydrostat.io.frames import Frame
from hydrostat.io.reader import open_recording
from hydrostat.scenes.record import frame_of, state_of, writer_for
from hydrostat.scenes.scene import Scene, Settings, play, steps_left
from hydrostat.solvers.problem_files import save_problem
from hydrostat.solvers.problems import without_actuation


def record(
    scene: Scene, settings: Settings, path: Path, seconds: float | None = None, resume: Path | None = None
) -> None:
    """Run ``scene`` to ``seconds`` of scene time (default: its own) and record it in ``path``.

    resume: a recording of the same scene to go on from; its frames come first, so that the outcome is the same as
    that of a run which never stopped. A failing step leaves the recording until then, to replay the failure from.
    """
    seconds = scene.seconds if seconds is None else seconds
    earlier = _frames_to_resume(scene, settings, resume) if resume else []
    stage = scene.build(settings)
    start = state_of(earlier[-1]) if earlier else stage.state
    steps = steps_left(stage, seconds, start)
    if not steps:
        raise InputError(
            f"{seconds} seconds from {start.time:.3f} s on",
            f"at least one step of {stage.world.dt:.4f} s",
            "run longer",
        )
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{path}", "a file in a folder that can be written", f"choose another ({error})") from error
    with (
        Progress(console=Console(stderr=True), transient=True) as progress,
        _replacing(path, bool(earlier)) as target,
        writer_for(target, scene, stage, settings) as writer,
    ):
        for frame in earlier:
            writer.append(frame)
        bar = progress.add_task(scene.name, total=steps)
        try:
            for state, report in play(stage, seconds, start):
                writer.append(frame_of(stage, state, report))
                progress.advance(bar)
        except StepError as error:
            raise StepError(f"{scene.name}: {error}. The motion until then is in {path}{_kept(error, path)}") from error
        except KeyboardInterrupt:
            click.echo(f"stopped; the motion until then is in {path}; go on with --resume {path}", err=True)
            raise


def _kept(error: StepError, path: Path) -> str:
    """Keep the problem that could not be solved in a file beside ``path``, and say so."""
    if error.problem is None:
        return ""
    beside = path.with_suffix(".problem.npz")
    save_problem(beside, without_actuation(error.problem))
    return f"; solve the failed problem again with `hydrostat study qpcc {beside}`"


@contextmanager
def _replacing(path: Path, resumed: bool) -> Iterator[Path]:
    """Where to write: ``path``, or beside it until all is written, so that a resumed recording is never lost."""
    beside = path.with_name(f"resumed-{path.name}") if resumed else path
    try:
        yield beside
    finally:
        if resumed and beside.exists():
            beside.replace(path)


def _frames_to_resume(scene: Scene, settings: Settings, path: Path) -> list[Frame]:
    """All frames of a recording of ``scene`` with the same ``settings``; read before it may be replaced."""
    with open_recording(path) as recording:
        recorded = (recording.metadata.get("scene"), recording.metadata.get("settings"))
        if recorded != (scene.name, vars(settings)):
            raise InputError(
                f"{path} holds {recorded[0]} with {recorded[1]}",
                f"{scene.name} with {vars(settings)}",
                "resume with the scene and the settings of the recording",
            )
        if not len(recording.times):
            raise InputError(f"{path} has no frames", "a recording to go on from", "run the scene from its start")
        return [recording.frame(index) for index in range(len(recording.times))]
