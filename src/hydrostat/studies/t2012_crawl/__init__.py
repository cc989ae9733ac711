"""T2012 section 7, crawling: front and rear hold and slide by turns, and what is left of it where friction is equal.

The paper says in words: as the earthworm shortens, its front is in static contact while its rear slides, and the other
way around as it lengthens; it lies flat at all times. The inchworm bends upward, its contacts at its two ends. That is
hard for a controller that does not choose its contacts: the one here that holds them all stays where it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from PIL import Image, ImageDraw

from hydrostat.io.reader import Recording, open_recording
from hydrostat.scenes import load_scene
from hydrostat.scenes.crawl import EARTHWORM, SCALES, track_of
from hydrostat.scenes.measure import MODES
from hydrostat.scenes.record import record
from hydrostat.scenes.scene import Settings
from hydrostat.show.colours import CONTACT_MODES
from hydrostat.studies.study import Findings, Options, Study

CHARTED = "crawl-earthworm"
# Scene and settings of every row.
ROWS = {
    CHARTED: (CHARTED, Settings()),
    "the same, all contacts held": (CHARTED, Settings(controller="static")),
    "crawl-earthworm-equal": ("crawl-earthworm-equal", Settings()),
    "crawl-inchworm": ("crawl-inchworm", Settings()),
}
SMALL_CYCLES = 1
QUANTITIES = ("travel", "astray", "flat", "arch", "ends_carry")
# Of the chart, pixels: a frame's width, a patch's height, the curve's height, what stands around them.
FRAME, PATCH, CURVE, LEFT, MARGIN = 2, 22, 70, 76, 24
INK, PALE = (51, 61, 77), (236, 239, 243)
COLOURS = [(round(255 * red), round(255 * green), round(255 * blue)) for red, green, blue in CONTACT_MODES]


def measure(options: Options) -> Findings:
    """Run the scenes, compare them, and draw the modes of the earthworm."""
    found: dict[str, Mapping[str, Any]] = {}
    path = options.out / "t2012-crawl.png"
    for row, (name, settings) in ROWS.items():
        options.progress(row)
        scene = load_scene(name)
        seconds = SMALL_CYCLES * EARTHWORM.period if options.small else None
        with TemporaryDirectory() as folder:
            file = Path(folder) / "run.vtkhdf"
            record(scene, file, settings, seconds)
            with open_recording(file) as recording:
                found[row] = scene.measure(recording)
                if row == CHARTED:
                    draw(path, recording)
    lines = [*compared(found), *alternation(found[CHARTED]), f"Picture: {path}"]
    return Findings({"friction backward over forward": (SCALES.backward or 0.0) / SCALES.coefficient}, lines)


def compared(found: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """A table of the scenes."""
    lines = [f"| scene | {' | '.join(QUANTITIES)} |", "|---" * (1 + len(QUANTITIES)) + "|"]
    for name, measured in found.items():
        lines.append(f"| {name} | " + " | ".join(f"{measured[quantity]:.3f}" for quantity in QUANTITIES) + " |")
    return [*lines, ""]


def alternation(measured: Mapping[str, Any]) -> list[str]:
    """A table of the earthworm's modes: shares of the time of the patches under its ends."""
    lines = [f"| {CHARTED} | {' | '.join(MODES)} |", "|---" * (1 + len(MODES)) + "|"]
    for half in ("shortening", "lengthening"):
        for end in ("front", "rear"):
            shares = " | ".join(f"{measured[f'{half} {end} {mode}']:.2f}" for mode in MODES)
            lines.append(f"| {half}, {end} | {shares} |")
    return [*lines, ""]


def draw(path: Path, recording: Recording) -> None:
    """Modes over time, the front's patches above the rear's, and below them the length of the body."""
    count, patches = len(recording), max(len(recording.contacts(index).modes) for index in range(len(recording)))
    bottom = MARGIN + patches * PATCH
    image = Image.new("RGB", (LEFT + count * FRAME + MARGIN, bottom + CURVE + 3 * MARGIN), "white")
    pen = ImageDraw.Draw(image)
    for index in range(count):
        contacts, left = recording.contacts(index), LEFT + index * FRAME
        for row, patch in enumerate(np.argsort(-contacts.positions[:, 0])):
            top = MARGIN + row * PATCH
            pen.rectangle((left, top, left + FRAME - 1, top + PATCH - 2), fill=COLOURS[contacts.modes[patch]])
    top = bottom + MARGIN // 2
    length = track_of(recording).length
    heights = top + CURVE * (1.0 - (length - length.min()) / np.ptp(length))
    pen.rectangle((LEFT, top, LEFT + count * FRAME, top + CURVE), fill=PALE)
    pen.line([(LEFT + index * FRAME, float(height)) for index, height in enumerate(heights)], fill=INK, width=2)
    for text, height in (("front", MARGIN), ("rear", bottom - PATCH), ("length", top + CURVE // 2 - 9)):
        pen.text((MARGIN // 2, height + 2), text, fill=INK, font_size=16)
    for column, (mode, colour) in enumerate(zip(MODES, COLOURS, strict=True)):
        left, top = LEFT + 90 * column, bottom + CURVE + MARGIN
        pen.rectangle((left, top, left + 16, top + 16), fill=colour)
        pen.text((left + 22, top - 2), mode, fill=INK, font_size=16)
    path.parent.mkdir(parents=True, exist_ok=True)
    image.save(path)


STUDY = Study("t2012-crawl", "crawling: front and rear hold and slide by turns", measure, __name__)
