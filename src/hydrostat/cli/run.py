"""`hydrostat run SCENE`: run a scene, record it, and say what was measured."""

from __future__ import annotations

import json
from pathlib import Path

import click


@click.command(name="run")
@click.argument("scene")
@click.option("-o", "--out", type=click.Path(path_type=Path), help="Recording to write (default: out/SCENE.vtkhdf).")
@click.option("--seconds", type=float, help="Scene time to run to (default: the scene's own).")
@click.option("--controller", default="qpcc", show_default=True, help="'qpcc', 'static' to hold contacts, or 'none'.")
@click.option("--jitter", type=float, default=0.0, show_default=True, help="Relative noise in pose and parameters.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of that noise.")
@click.option("--resume", type=click.Path(path_type=Path), help="A recording of the scene to go on from.")
@click.option("--json", "as_json", is_flag=True, help="Print what was measured as one JSON object.")
def command(
    scene: str,
    out: Path | None,
    seconds: float | None,
    controller: str,
    jitter: float,
    seed: int,
    resume: Path | None,
    as_json: bool,
) -> None:
    """Run SCENE and record it.

    Ctrl-C stops and keeps what was recorded until then.
    """
    from hydrostat.cli.running import record
    from hydrostat.io.reader import open_recording
    from hydrostat.scenes import load_scene
    from hydrostat.scenes.measure import measures, summary, verdicts
    from hydrostat.scenes.scene import Settings

    chosen = load_scene(scene)
    path = out or Path("out") / f"{chosen.name}.vtkhdf"
    record(chosen, Settings(controller, jitter, seed), path, seconds, resume)
    with open_recording(path) as recording:
        measured = summary(recording) | {
            "measures": measures(chosen, recording),
            "demands": verdicts(chosen, recording),
        }
    if as_json:
        click.echo(json.dumps(measured))
        return
    volume, spent = measured["volume_ratio"], measured["milliseconds_a_frame"]
    click.echo(f"{chosen.name}: {measured['frames']} frames, {measured['seconds']:.2f} s of motion in {path}")
    click.echo(f"  {measured['tets']} tets, {measured['segments']} muscle segments")
    click.echo(
        f"  volume {volume['min']:.3f} to {volume['max']:.3f}, residual {max(measured['residual_max'].values()):.1e}"
    )
    click.echo("  ms a frame: " + ", ".join(f"{name} {value['median']:.1f}" for name, value in spent.items()))
    if measured["seconds"] < chosen.telling:
        click.echo(f"  too short to tell more: {chosen.name} is measured from {chosen.telling:g} s on")
    for name, value in measured["measures"].items():
        click.echo(f"  {name}: {value}")
    for demand, held in measured["demands"].items():
        click.echo(f"  {'holds' if held else 'FAILS'}: {demand}")
