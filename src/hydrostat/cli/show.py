"""`hydrostat show RECORDING`: contact sheets, movies and stills."""

from __future__ import annotations

from pathlib import Path

import click

VIEWS = ("three-quarter", "front", "side", "top")


@click.command(name="show")
@click.argument("recording", type=click.Path(path_type=Path))
@click.option("--sheet", type=click.Path(path_type=Path), help="Write a contact sheet (PNG).")
@click.option("--movie", type=click.Path(path_type=Path), help="Write a movie (.mp4, .webp or .gif).")
@click.option("--still", type=click.Path(path_type=Path), help="Write one frame (PNG).")
@click.option("--frame", type=int, default=-1, show_default=True, help="Frame of the still; -1 is the last.")
@click.option("--view", type=click.Choice(VIEWS), default=VIEWS[0], show_default=True, help="Where to look from.")
@click.option("--follow", is_flag=True, help="Let the camera go with the body, also where it does not travel far.")
@click.option("--columns", type=click.IntRange(1, 12), default=4, show_default=True, help="Of the sheet.")
@click.option("--rows", type=click.IntRange(1, 12), default=2, show_default=True, help="Of the sheet.")
@click.option("--start", type=float, default=0.0, show_default=True, help="Of the sheet, s.")
@click.option("--end", type=float, default=float("inf"), help="Of the sheet, s (default: the end of the motion).")
@click.option("--width", type=click.IntRange(64, 3840), default=960, show_default=True, help="Pixels; height is 9/16.")
@click.option("--fps", type=click.FloatRange(1, 120), default=30.0, show_default=True, help="Frames a second.")
def command(
    recording: Path,
    sheet: Path | None,
    movie: Path | None,
    still: Path | None,
    frame: int,
    view: str,
    follow: bool,
    columns: int,
    rows: int,
    start: float,
    end: float,
    width: int,
    fps: float,
) -> None:
    """Make pictures and movies of RECORDING. Without an option: a contact sheet beside it."""
    from hydrostat.io.reader import open_recording
    from hydrostat.show.movie import write_png
    from hydrostat.show.recorded import draw_frame, render_movie, render_sheet
    from hydrostat.show.stage import CameraOptions

    camera = CameraOptions(view=view, follow=follow or None)
    size = (width - width % 2, 2 * round(width * 9 / 32))
    with open_recording(recording) as recorded:
        if not (sheet or movie or still):
            sheet = recording.with_suffix(".png")
        if sheet:
            render_sheet(recorded, sheet, columns, rows, (size[0] // 2, size[1] // 2), camera, (start, end))
            click.echo(sheet)
        if still:
            write_png(still, draw_frame(recorded, frame, camera, size=size))
            click.echo(still)
        if movie:
            render_movie(recorded, movie, size, fps, camera_options=camera)
            click.echo(movie)
