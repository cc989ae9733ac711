"""`hydrostat demo`: a first moving picture."""

from __future__ import annotations

from pathlib import Path

import click

SCENE, SECONDS = "exercise-h", 4.0


@click.command(name="demo")
@click.option("--out", type=click.Path(path_type=Path), default=Path("out"), show_default=True, help="Folder to fill.")
def command(out: Path) -> None:
    """Run exercise-h and leave its movie, contact sheet and recording in a folder."""
    from hydrostat.cli.running import record
    from hydrostat.io.reader import open_recording
    from hydrostat.scenes import load_scene
    from hydrostat.scenes.scene import Settings
    from hydrostat.show.recorded import render_movie, render_sheet

    scene = load_scene(SCENE)
    path = out / f"{scene.name}.vtkhdf"
    record(scene, Settings(), path, SECONDS)
    with open_recording(path) as recording:
        render_sheet(recording, path.with_suffix(".png"))
        render_movie(recording, path.with_suffix(".mp4"), size=(640, 360))
    for suffix in (".mp4", ".png", ".vtkhdf"):
        click.echo(path.with_suffix(suffix))
