"""Run a scene into a recording, with a progress bar."""

from __future__ import annotations

from pathlib import Path

import click
from rich.console import Console
from rich.progress import Progress

from hydrostat.errors import InputError, StepError
from hydrostat.scenes.record import frame_of, writer_for
from hydrostat.scenes.scene import Scene, Settings, play, steps_left


def record(scene: Scene, settings: Settings, path: Path, seconds: float | None = None) -> None:
    """Run ``scene`` to ``seconds`` of scene time (default: its own) and record it in ``path``.

    A failing step leaves the recording until then, from which the failure can be replayed.
    """
    seconds = scene.seconds if seconds is None else seconds
    stage = scene.build(settings)
    steps = steps_left(stage, seconds, stage.state)
    if not steps:
        raise InputError(f"{seconds} seconds", f"at least one step of {stage.world.dt:.4f} s", "run for longer")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{path}", "a file in a folder that can be written", f"choose another ({error})") from error
    with (
        Progress(console=Console(stderr=True), transient=True) as progress,
        writer_for(path, scene, stage, settings) as writer,
    ):
        bar = progress.add_task(scene.name, total=steps)
        try:
            for state, report in play(stage, seconds):
                writer.append(frame_of(stage, state, report))
                progress.advance(bar)
        except StepError as error:
            raise StepError(f"{scene.name}: {error}. The motion until then is in {path}") from error
        except KeyboardInterrupt:
            click.echo(f"stopped; the motion until then is in {path}", err=True)
            raise
