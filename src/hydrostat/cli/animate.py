"""`hydrostat animate MESH`: any mesh learns to move."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

DIRECTIONS = {"+x": (1.0, 0.0, 0.0), "-x": (-1.0, 0.0, 0.0), "+z": (0.0, 0.0, 1.0), "-z": (0.0, 0.0, -1.0)}


def _numbers(context: click.Context, parameter: click.Parameter, value: str | None) -> tuple[int, ...] | None:
    """Whole numbers with commas between, like 0,2,5."""
    try:
        return None if value is None else tuple(int(part) for part in value.split(","))
    except ValueError:
        raise click.BadParameter(f"{value!r} is no list of whole numbers like 0,2,5", context, parameter) from None


@click.command(name="animate")
@click.argument("mesh")
@click.option("--out", type=click.Path(path_type=Path), default=Path("out"), show_default=True, help="Folder to fill.")
@click.option("--up", default="+y", show_default=True, help="Axis of the file that points up, like +z.")
@click.option("--height", type=float, help="Of the body in a file, m (default: 1).")
@click.option("--scale", type=float, help="Metres a unit of the file, instead of --height.")
@click.option("--tets", type=int, help="Number of tetrahedra, nearly (default: what suits the body).")
@click.option("--direction", type=click.Choice(list(DIRECTIONS)), default="+x", show_default=True, help="Where to go.")
@click.option("--objective", default="travel", show_default=True, help="'travel', or 'jump' to raise the body.")
@click.option("--straightness", type=float, default=3.0, show_default=True, help="How much the heading counts.")
@click.option("--alpha", type=float, default=0.0, show_default=True, help="Price of work: more makes calmer motions.")
@click.option("--seconds", type=float, default=5.0, show_default=True, help="Of motion.")
@click.option("--modes", type=int, help="How many vibrations drive the body (default: 10, or 2 a part).")
@click.option("--local", type=(float,) * 4, multiple=True, help="A part that moves by itself: x y z of it, and radius.")
@click.option("--whole", is_flag=True, help="Move a creature as a whole even if it has parts that move by themselves.")
@click.option("--only-modes", callback=_numbers, help="Use only these of them, like 0,2,5.")
@click.option("--choose-modes", type=int, help="Let the search choose this many of them.")
@click.option("--sinusoids", type=int, default=1, show_default=True, help="How many each mode adds up.")
@click.option("--periods", type=(float, float), default=(0.25, 0.75), show_default=True, help="Limits, s.")
@click.option("--own-periods", is_flag=True, help="Every sinusoid has its own period: the gait does not repeat.")
@click.option("--amplitude", type=float, help="Greatest squared strain of an element (default: mostly 0.2).")
@click.option("--clusters", type=int, default=1, show_default=True, help="Parts that are driven on their own.")
@click.option("--passive-clusters", type=int, default=10, show_default=True, help="Parts that bend on their own.")
@click.option("--weights", type=int, default=5, show_default=True, help="Skinning weights: more bend more finely.")
@click.option("--samples", type=int, default=30, show_default=True, help="Points that can touch the ground.")
@click.option("--starts", type=int, help="Poses from which a gait must work (default: mostly 4).")
@click.option("--seed", type=int, default=0, show_default=True, help="Of the search.")
@click.option("--generations", type=int, default=200, show_default=True, help="Of the search.")
@click.option("--population", type=int, default=16, show_default=True, help="Gaits in each generation.")
@click.option("--finalists", type=int, default=24, show_default=True, help="Gaits that are tried again in the end.")
@click.option("--workers", type=int, help="Processes to search with (default: one a core).")
@click.option("--cluster", help="Search on the dask cluster whose scheduler has this address.")
@click.option(
    "--device",
    type=click.Choice(["cpu", "gpu"]),
    default="cpu",
    show_default=True,
    help="A GPU plays hundreds of gaits at once.",
)
@click.option("--resume", is_flag=True, help="Go on with the search that was stopped in this folder.")
@click.option("--json", "as_json", is_flag=True, help="Print what was measured as one JSON object.")
def command(
    mesh: str,
    out: Path,
    up: str,
    height: float | None,
    scale: float | None,
    tets: int | None,
    direction: str,
    objective: str,
    straightness: float,
    alpha: float,
    seconds: float,
    modes: int | None,
    local: tuple[tuple[float, float, float, float], ...],
    whole: bool,
    only_modes: tuple[int, ...] | None,
    choose_modes: int | None,
    sinusoids: int,
    periods: tuple[float, float],
    own_periods: bool,
    amplitude: float | None,
    clusters: int,
    passive_clusters: int,
    weights: int,
    samples: int,
    starts: int | None,
    seed: int,
    generations: int,
    population: int,
    finalists: int,
    workers: int | None,
    cluster: str | None,
    device: str,
    resume: bool,
    as_json: bool,
) -> None:
    """Find out how MESH can move by its own vibrations, and leave the motion in a folder.

    MESH is a file (surface or tetrahedra), or the name of a creature, like seal; `hydrostat list` names them. The
    folder gets a recording, a movie, a contact sheet, the surface (.obj) and its motion as a point cache (.pc2), which
    Blender's modifier Mesh Cache plays. Ctrl-C stops the search and keeps the best; --resume goes on.
    """
    from hydrostat.bodies.reduced import ReducedOptions
    from hydrostat.cli.animating import animate
    from hydrostat.geometry.any_mesh import MeshOptions
    from hydrostat.search.evolution import SearchOptions
    from hydrostat.search.finding import Workforce
    from hydrostat.search.subjects import SubjectOptions, wishes_of
    from hydrostat.search.wishes import Wishes

    usual = wishes_of(mesh)
    report = animate(
        mesh,
        out,
        SubjectOptions(MeshOptions(up, height, scale), tets, local, whole),
        ReducedOptions(modes, weights, passive_clusters, clusters, samples),
        Wishes(
            direction=DIRECTIONS[direction],
            objective=objective,
            straightness=straightness,
            alpha=alpha,
            seconds=seconds,
            only_modes=only_modes,
            choose_modes=choose_modes,
            sinusoids=sinusoids,
            periods=periods,
            common_period=not own_periods,
            amplitude=usual.amplitude if amplitude is None else amplitude,
            starts=usual.starts if starts is None else starts,
        ),
        SearchOptions(generations, population, seed, finalists=finalists),
        Workforce(workers, cluster, device),
        resume,
    )
    if as_json:
        click.echo(json.dumps(report))
        return
    click.echo(f"{report['name']}: {report['tets']} tets, {report['generations']} generations, J {report['J']:.3f}")
    click.echo(f"  {report['distance']:.2f} m, {report['body_lengths']:.2f} body lengths, in {seconds:g} s")
    click.echo(f"  alignment {report['alignment']:.2f}, uprightness {report['uprightness']:.2f}")
    click.echo(f"  rise {report['rise']:.3f} m, jitter {report['jitter']:.2f}, penetration {report['penetration']:.4f}")
    click.echo(f"  again from {len(report['replays']['alignment'])} poses with noise: {_worst(report)}")
    click.echo(f"  {report['seconds_of_setting_up']:.1f} s to set up, {report['seconds_of_search']:.1f} s to search")
    for note in report["notes"]:
        click.echo(f"  {note}")
    for path in report["files"]:
        click.echo(f"  {path}")


def _worst(report: dict[str, Any]) -> str:
    replays = report["replays"]
    return f"{min(replays['body_lengths']):.2f} body lengths and alignment {min(replays['alignment']):.2f} at least"
