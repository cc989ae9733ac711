"""Pictures, movies and contact sheets of a recorded motion."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hydrostat.arrays import Floats, Ints
from hydrostat.errors import InputError
from hydrostat.show import colours
from hydrostat.show.motion import RecordedMotion
from hydrostat.show.movie import write_movie, write_png
from hydrostat.show.render import draw
from hydrostat.show.scene3d import (
    ArrowItem,
    DiscItem,
    Ground,
    HeightfieldGround,
    Label,
    MarkerItem,
    MeshItem,
    Picture,
    PlaneGround,
    TubeItem,
)
from hydrostat.show.sheet import contact_sheet, evenly_spaced
from hydrostat.show.stage import CameraOptions, Stage

Bytes = NDArray[np.uint8]

# Shares of the body's size.
_FIBRE_RADIUS = 0.013
_ARROW_RADIUS = 0.009
_PUSH_RADIUS = 0.015
_DISC_RADIUS = 0.024
_MARKER_RADIUS = 0.024
_CHECKER_CELL = 0.25


def draw_frame(
    recorded: RecordedMotion,
    index: int,
    camera_options: CameraOptions | None = None,
    *,
    size: tuple[int, int] = (960, 540),
) -> Bytes:
    """The image (height, width, 3) of one frame; ``index`` as in Python, so -1 is the last.

    Framing reads the whole motion; for many frames use ``frames_of`` or ``render_movie``, which do that once.
    """
    count = len(recorded.times)
    if not -count <= index < count:
        raise InputError(f"frame {index}", f"an index from {-count} to {count - 1}", "choose a recorded frame")
    return next(frames_of(recorded, [index % count], camera_options, size=size))


def frames_of(
    recorded: RecordedMotion,
    indices: list[int] | Ints,
    camera_options: CameraOptions | None = None,
    *,
    size: tuple[int, int] = (960, 540),
    labelled: bool = True,
) -> Iterator[Bytes]:
    """The images of several frames, drawn one at a time, with one stage for all. labelled: title and time."""
    stage = Stage.of(recorded, camera_options or CameraOptions(), size[0] / size[1])
    for index in indices:
        labels = _labels(recorded, int(index)) if labelled else ()
        yield draw(picture_of(recorded, int(index), stage, labels), size)


def render_movie(
    recorded: RecordedMotion,
    path: str | Path,
    size: tuple[int, int] = (960, 540),
    fps: float = 30.0,
    quality: float = 0.8,
    speed: float = 1.0,
    camera_options: CameraOptions | None = None,
) -> None:
    """Write the whole motion as .mp4, .webp or .gif, ``speed`` times as fast as it happened.

    size: (width, height) pixels. fps: frames a second. quality: 0 to 1.
    """
    frames = frames_of(recorded, moments(recorded.times, fps, speed), camera_options, size=size)
    write_movie(path, frames, fps, quality)


def render_sheet(
    recorded: RecordedMotion,
    path: str | Path,
    columns: int = 4,
    rows: int = 2,
    size: tuple[int, int] = (480, 270),
    camera_options: CameraOptions | None = None,
    between: tuple[float, float] = (-np.inf, np.inf),
) -> None:
    """Write a PNG of evenly spaced moments ``between`` two times (s), each of ``size`` pixels, with their times."""
    inside = np.flatnonzero((recorded.times >= between[0]) & (recorded.times <= between[1]))
    if not len(inside):
        raise InputError(
            f"moments between {between[0]:g} and {between[1]:g} s",
            f"some of the {recorded.times[0]:.2f} to {recorded.times[-1]:.2f} s that were recorded",
            "choose other times",
        )
    indices = inside[evenly_spaced(len(inside), columns * rows)]
    images = list(frames_of(recorded, indices, camera_options, size=size, labelled=False))
    times = [_time_text(recorded, int(index)) for index in indices]
    write_png(path, contact_sheet(images, min(columns, len(images)), times))


def moments(times: Floats, fps: float, speed: float = 1.0) -> Ints:
    """The recorded frame that is nearest to each frame of a movie, (k,) indices.

    times: (f,) s, ascending. The movie starts with the first frame, and ends before it would pass the
    last.
    """
    if not len(times) or not 0.0 < fps < np.inf or not 0.0 < speed < np.inf:
        raise InputError(
            f"{len(times)} frames at fps {fps} and speed {speed}",
            "frames and numbers > 0",
            "30 and 1 are usual",
        )
    count = int(np.floor((times[-1] - times[0]) * fps / speed + 1e-6)) + 1
    wanted = times[0] + np.arange(count) * speed / fps
    halfway = 0.5 * (times[:-1] + times[1:])
    nearest: Ints = np.searchsorted(halfway, wanted).astype(np.int64)
    return nearest


def picture_of(recorded: RecordedMotion, index: int, stage: Stage, labels: tuple[Label, ...] = ()) -> Picture:
    """What a frame shows: body, muscles, contacts and pushes with their forces, markers and ground."""
    size = stage.size
    body = MeshItem(recorded.positions(index), recorded.surface_faces)
    contacts = recorded.contacts(index)
    discs = tuple(
        DiscItem(place, normal, _DISC_RADIUS * size, colours.CONTACT_MODES[mode])
        for place, normal, mode in zip(contacts.positions, contacts.normals, contacts.modes, strict=True)
    )
    arrows = tuple(
        ArrowItem(place, stage.arrow(impulse / recorded.dt), _ARROW_RADIUS * size)
        for place, impulse in zip(contacts.positions, contacts.impulses, strict=True)
    )
    pushes = tuple(  # that end where they push, so that they are seen
        ArrowItem(place - vector, vector, _PUSH_RADIUS * size, colours.PUSH)
        for place, vector in ((place, stage.arrow(force)) for place, force in recorded.outside(index))
    )
    return Picture(
        camera=stage.camera_at(index),
        meshes=(body,) if len(recorded.surface_faces) else (),
        tubes=_tubes(recorded, index, _FIBRE_RADIUS * size),
        discs=discs,
        arrows=arrows + pushes,
        markers=_markers(recorded, index, _MARKER_RADIUS * size),
        ground=ground_from(recorded.ground, _CHECKER_CELL * size),
        labels=labels,
    )


def ground_from(description: Mapping[str, Any], cell: float) -> Ground | None:
    """The ground of a recording's description, with a checker of ``cell`` m; none of an empty one."""
    if not description:
        return None
    kind = description.get("kind")
    if kind not in _GROUNDS:
        raise InputError(f"ground of kind {kind!r}", f"one of {', '.join(_GROUNDS)}", "record one of these")
    return _GROUNDS[kind](description, cell)


def _plane(description: Mapping[str, Any], cell: float) -> Ground:
    return PlaneGround(np.array(description["normal"]), float(description["offset"]), cell)


def _heightfield(description: Mapping[str, Any], cell: float) -> Ground:
    origin, heights = np.array(description["origin"]), np.array(description["heights"])
    return HeightfieldGround(origin, float(description["spacing"]), heights, cell)


_GROUNDS: dict[str, Callable[[Mapping[str, Any], float], Ground]] = {
    "plane": _plane,
    "heightfield": _heightfield,
}


def _tubes(recorded: RecordedMotion, index: int, radius: float) -> tuple[TubeItem, ...]:
    """One tube a fibre."""
    points, activation = recorded.fibre_points(index), recorded.activation(index)
    ends = np.cumsum([len(fibre) - 1 for fibre in recorded.fibres])
    return tuple(
        TubeItem(points[fibre], values, radius)
        for fibre, values in zip(recorded.fibres, np.split(activation, ends[:-1]), strict=False)
    )


def _markers(recorded: RecordedMotion, index: int, radius: float) -> tuple[MarkerItem, ...]:
    """A cross for what is aimed at, a ball for what is."""
    return tuple(
        MarkerItem(place, radius, colours.TARGET, "cross")
        if "target" in name
        else MarkerItem(place, radius, colours.CENTRE_OF_MASS)
        for name, place in recorded.markers(index).items()
    )


def _labels(recorded: RecordedMotion, index: int) -> tuple[Label, ...]:
    """Title and time."""
    return Label(recorded.title), Label(_time_text(recorded, index), "upper right", 0.035)


def _time_text(recorded: RecordedMotion, index: int) -> str:
    return f"{recorded.times[index]:.2f} s"
