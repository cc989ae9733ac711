"""T2012's figures 4 to 10, drawn from our own motions: a page with a contact sheet for every behaviour.

The page is out/t2012-figures/index.html; the recordings beside it open in ParaView.
"""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import NamedTuple

import numpy as np

from hydrostat.io.reader import open_recording
from hydrostat.scenes import load_scene
from hydrostat.scenes.record import record
from hydrostat.show.movie import write_png
from hydrostat.show.recorded import draw_frame, frames_of, render_sheet
from hydrostat.show.sheet import contact_sheet
from hydrostat.show.stage import CameraOptions
from hydrostat.studies.study import Findings, Options, Study


class Figure(NamedTuple):
    """A figure or a part of the paper's film: which scene, seen from where, and the time (s) that it shows.

    moment: of the picture on the cover, s; 0 leaves it out.
    """

    scene: str
    paper: str
    view: str = "three-quarter"
    follow: bool = False
    between: tuple[float, float] = (0.0, float("inf"))
    columns: int = 5
    rows: int = 2
    moment: float = 0.0


FIGURES = (
    Figure("exercise-h", "Figure 4: morning exercises", "front", rows=1, moment=1.22),
    Figure("balance-i", "Figure 5: balance", between=(0.0, 2.5), moment=1.15),
    Figure("slide-f-right", "Figure 6: sliding, pulled to the right", "front", follow=True, moment=3.5),
    Figure("slide-f-left", "Film: pulled to the left", "front", follow=True),
    Figure("slide-f-late", "Film: a late reaction", "front", follow=True),
    Figure("jump-i-forward", "Figure 7: a jump forward", "front", moment=1.15),
    Figure("jump-i-place", "Film: jumps in place", "front"),
    Figure("jump-t-twist", "Figure 8: a twist in the air", moment=1.3),
    Figure("walk-x", "Figure 9: walking, one foot at a time", follow=True, between=(0.0, 6.0), moment=3.0),
    Figure("walk-x-fast", "Film: walking, two feet at a time", follow=True, between=(0.0, 4.0)),
    Figure("roll-o", "Film: rolling", "front", moment=1.6),
    Figure("roll-o-turn", "Film: rolling to and fro", "front"),
    Figure("crawl-earthworm", "Film: crawling like an earthworm", follow=True, between=(0.0, 4.0)),
    Figure("crawl-inchworm", "Film: crawling like an inchworm", "front", follow=True, between=(0.0, 4.0), moment=1.0),
)
SMALL = FIGURES[:1]
SMALL_SECONDS = 0.3
# Whose muscles figure 10 shows, relaxed.
DESIGNS = ("exercise-h", "balance-i", "jump-t-twist", "roll-o", "walk-x", "crawl-earthworm")
SIZE = (360, 270)
COVER_SIZE = (480, 360)


def measure(options: Options) -> Findings:
    """Record every scene, draw its sheet, and write the page."""
    folder = options.out / "t2012-figures"
    figures, seconds = (SMALL, SMALL_SECONDS) if options.small else (FIGURES, None)
    for figure in figures:
        options.progress(figure.scene)
        path = folder / f"{figure.scene}.vtkhdf"
        record(load_scene(figure.scene), path, seconds=seconds)
        camera = CameraOptions(figure.view, figure.follow)
        with open_recording(path) as recording:
            render_sheet(recording, path.with_suffix(".png"), figure.columns, figure.rows, SIZE, camera, figure.between)
    designs = [folder / f"{scene}.vtkhdf" for scene in DESIGNS if (folder / f"{scene}.vtkhdf").exists()]
    _draw_designs(designs, folder / "muscles.png")
    _draw_cover([figure for figure in figures if figure.moment], folder)
    page = folder / "index.html"
    page.write_text(_page(figures), encoding="utf-8")
    return Findings({}, [f"Page: {page}"])


def _draw_designs(paths: list[Path], target: Path) -> None:
    """The first frame of every recording, side by side."""
    images = []
    for path in paths:
        with open_recording(path) as recording:
            images.append(draw_frame(recording, 0, size=SIZE))
    write_png(target, contact_sheet(images, 3, [path.stem for path in paths]))


def _draw_cover(figures: list[Figure], folder: Path) -> None:
    """One moment of every figure, on one picture."""
    images = []
    for figure in figures:
        with open_recording(folder / f"{figure.scene}.vtkhdf") as recording:
            index = int(np.argmin(np.abs(recording.times - figure.moment)))
            camera = CameraOptions(figure.view, True)
            images.append(next(frames_of(recording, [index], camera, size=COVER_SIZE, labelled=False)))
    write_png(folder / "behaviours.png", contact_sheet(images, 4))


def _page(figures: tuple[Figure, ...]) -> str:
    """The page in HTML; pictures stand beside it."""
    blocks = [
        f"<h2>{escape(figure.paper)}</h2>\n<p><code>hydrostat run {figure.scene}</code>: "
        f'{escape(load_scene(figure.scene).summary)}.</p>\n<img src="{figure.scene}.png" alt="{escape(figure.paper)}">'
        for figure in figures
    ]
    blocks.append('<h2>Figure 10: muscles</h2>\n<img src="muscles.png" alt="Muscles of the characters, relaxed">')
    style = "body { font-family: sans-serif; margin: 2em auto; max-width: 1900px } img { max-width: 100% }"
    return (
        f'<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>T2012, figures 4 to 10</title>\n'
        f"<style>{style}</style>\n<h1>Soft Body Locomotion, figures 4 to 10, simulated</h1>\n"
        + "\n".join(blocks)
        + "\n</html>\n"
    )


STUDY = Study("t2012-figures", "a page of contact sheets, one for every behaviour", measure)
