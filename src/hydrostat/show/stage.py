"""What stays the same through a movie: the camera's path, the length of a newton, the body's size."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hydrostat.arrays import Floats
from hydrostat.errors import InputError
from hydrostat.show.camera import Camera
from hydrostat.show.motion import RecordedMotion

# Directions from the body to the camera.
VIEWS = {
    "three-quarter": (0.60, 0.42, 1.0),
    "front": (0.0, 0.16, 1.0),
    "side": (1.0, 0.16, 0.0),
    "top": (0.0, 1.0, 0.0),
}

_FAR = 2.5  # body sizes of travel from which on a camera follows by itself
_CALM = 0.4  # s, over which a following camera averages the body's place
_USUAL_FORCE = 0.35  # body sizes that the largest force of an ordinary frame is long
_LONGEST_FORCE = 1.2  # body sizes at which an arrow ends even if the force is larger, as in a hard landing


@dataclass(frozen=True)
class CameraOptions:
    """How to look at a motion.

    view: three-quarter, front, side or top. follow: whether the camera goes with the body; None leaves it to
    how far the body travels. margin: how much larger than the motion the picture is.
    """

    view: str = "three-quarter"
    follow: bool | None = None
    margin: float = 1.12

    def __post_init__(self) -> None:
        """Refuse an unknown view."""
        if self.view not in VIEWS:
            raise InputError(f"view {self.view!r}", f"one of {', '.join(VIEWS)}", "choose one of these")


@dataclass(frozen=True)
class Stage:
    """The measures of one motion.

    camera: that of the first frame. path: (f, 3) m, how far it has moved in each. size: of the body, m, its
    longest side at rest. force_length: m/N.
    """

    camera: Camera
    path: Floats
    size: float
    force_length: float

    @classmethod
    def of(cls, recorded: RecordedMotion, options: CameraOptions, aspect: float) -> Stage:
        """Look through all frames once. aspect: width by height of the picture."""
        frames = range(len(recorded.times))
        if not frames:
            raise InputError(f"the motion {recorded.title!r} has no frames", "at least one", "record it again")
        boxes = np.array([_box(recorded, i) for i in frames])
        lows, highs = boxes[:, 0], boxes[:, 1]
        size = float(np.ptp(recorded.rest_positions, axis=0).max())
        path = _smoothed(0.5 * (lows + highs), recorded.times)
        travel = float(np.ptp(path, axis=0).max())
        follow = travel > _FAR * size if options.follow is None else options.follow
        path = path - path[0] if follow else np.zeros_like(path)
        bounds = np.stack([(lows - path).min(axis=0), (highs - path).max(axis=0)])
        camera = Camera.framing(bounds, VIEWS[options.view], aspect=aspect, margin=options.margin)
        return cls(camera, path, size, _force_length(recorded, size))

    def camera_at(self, index: int) -> Camera:
        """The camera of a frame."""
        moved = self.path[index]
        return Camera(
            self.camera.position + moved,
            self.camera.target + moved,
            self.camera.up,
            self.camera.field_of_view,
        )

    def arrow(self, force: Floats) -> Floats:
        """The arrow (3,) m of a force (3,) N."""
        vector = self.force_length * force
        length = float(np.linalg.norm(vector))
        return vector * min(1.0, _LONGEST_FORCE * self.size / length) if length > 0.0 else vector


def _box(recorded: RecordedMotion, index: int) -> Floats:
    """Lowest and highest corner (2, 3) m of the body and its markers in a frame."""
    places = [
        recorded.positions(index),
        *(np.reshape(place, (1, 3)) for place in recorded.markers(index).values()),
    ]
    points = np.concatenate(places)
    return np.stack([points.min(axis=0), points.max(axis=0)])


def _smoothed(places: Floats, times: Floats) -> Floats:
    """``places`` (f, 3) averaged with a Gaussian, over as much time before as after: none lags behind."""
    smooth = np.empty_like(places)
    for i, time in enumerate(times):
        span = min(3.0 * _CALM, time - times[0], times[-1] - time) * (1.0 + 1e-9)
        near = slice(np.searchsorted(times, time - span), np.searchsorted(times, time + span, side="right"))
        weights = np.exp(-0.5 * ((times[near] - time) / _CALM) ** 2)
        smooth[i] = weights @ places[near] / weights.sum()
    return smooth


def _force_length(recorded: RecordedMotion, size: float) -> float:
    """Metres of arrow a newton, such that the largest force of an ordinary frame is easy to see."""
    largest = []
    for i in range(len(recorded.times)):
        impulses = recorded.contacts(i).impulses
        if len(impulses):
            largest.append(float(np.linalg.norm(impulses, axis=1).max()) / recorded.dt)
    pressing = [force for force in largest if force > 0.0]
    return _USUAL_FORCE * size / float(np.median(pressing)) if pressing else 0.0
