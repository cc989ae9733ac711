"""The worm crawls (T2012 section 7): as an earthworm, as an inchworm, and where friction does not help it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from hydrostat.arrays import Floats
from hydrostat.characters.worm import CHARACTER as WORM
from hydrostat.contact.friction import Friction
from hydrostat.control.behaviours.crawl import Crawl
from hydrostat.control.controllers import GoalController
from hydrostat.io.reader import Recording
from hydrostat.scenes.measure import MODES
from hydrostat.scenes.scene import Demand, Scene, Settings, Stage
from hydrostat.scenes.staging import controller_of, start_of, world_of

CYCLES = 10
# Backward ten times as much as in all other directions, as in the paper; and the same everywhere.
SCALES, SMOOTH = Friction(0.2, backward=2.0), Friction(0.2)
# Weights of activation and of its change, (m/s)². Without effort that counts, muscles of front and rear differ for next
# to no gain, weight wanders between the ends, and a worm on even friction wanders with it.
EFFORT, CHANGE = 5e-3, 3e-3


@dataclass(frozen=True)
class Crawling:
    """A worm on even ground with ``friction``."""

    crawl: Crawl
    friction: Friction

    def __call__(self, settings: Settings) -> Stage:
        """The stage."""
        world = world_of(WORM, settings, self.friction)
        controller = controller_of(GoalController(self.crawl.behaviour(world), EFFORT, CHANGE), settings)
        details = {"crawl": vars(self.crawl), "friction": vars(self.friction)}
        return Stage(world, start_of(world, settings), controller, WORM.height, details=details)


@dataclass(frozen=True)
class Track:
    """Every frame of a worm, f in number. front, rear (f, 3) m: middles of the two end faces. belly (f,) m: height of
    the lowest node in the middle of the underside. highest (f,) m: height of the highest node of the underside."""

    front: Floats
    rear: Floats
    belly: Floats
    highest: Floats

    @property
    def length(self) -> Floats:
        """Distance between the ends along x, (f,) m."""
        return self.front[:, 0] - self.rear[:, 0]


def track_of(recording: Recording) -> Track:
    """Where the worm was in every frame."""
    rest = recording.rest_positions
    length = np.ptp(rest[:, 0])
    front, rear = rest[:, 0] > rest[:, 0].max() - 1e-3 * length, rest[:, 0] < rest[:, 0].min() + 1e-3 * length
    under = rest[:, 1] < rest[:, 1].min() + 1e-3 * length
    belly = under & (np.abs(rest[:, 0] - rest[:, 0].mean()) < 0.05 * length)
    positions = [recording.positions(index) for index in range(len(recording))]
    return Track(
        np.array([p[front].mean(axis=0) for p in positions]),
        np.array([p[rear].mean(axis=0) for p in positions]),
        np.array([p[belly, 1].min() for p in positions]),
        np.array([p[under, 1].max() for p in positions]),
    )


def measure(recording: Recording) -> dict[str, Any]:
    """How the worm got on; lengths are in m or, where that is said, over the length of its body at rest.

    travel: of its centre of mass along x, over its length. astray: m across. heading: greatest angle between the line
    from rear to front and x, degrees. slip: how far the end that should hold slid back, over the way that the other
    one came. flat: greatest height of any node of the underside. arch: least of the cycles' greatest heights of the
    middle of the underside. ends_carry: share of the weight on the outer thirds where it is arched at least half.
    """
    track, length = track_of(recording), float(np.ptp(recording.rest_positions[:, 0]))
    centre = np.array([recording.markers(index)["centre of mass"] for index in range(len(recording))])
    along = track.front - track.rear
    frames = round(recording.metadata["details"]["crawl"]["period"] / recording.dt)
    cycles = [slice(start, start + frames) for start in range(0, len(recording) - frames + 1, frames)]
    return {
        "travel": float((centre[-1] - centre[0])[0] / length),
        "astray": float(np.abs(centre[:, 2] - centre[0, 2]).max()),
        "heading": float(np.degrees(np.arctan2(np.abs(along[:, 2]), along[:, 0])).max()),
        "slip": slip(track),
        "flat": float(track.highest.max()),
        "arch": min((float(track.belly[cycle].max()) for cycle in cycles), default=0.0),
        "ends_carry": ends_carry(recording, track),
        **modes(recording, track),
    }


def slip(track: Track) -> float:
    """Way of the holding end, backward, over that of the moving one: front holds while it shortens, else the rear."""
    front, rear = np.diff(track.front[:, 0]), np.diff(track.rear[:, 0])
    shortening = np.diff(track.length) < 0.0
    back = -np.minimum(np.where(shortening, front, rear), 0.0).sum()
    return float(back / np.maximum(np.where(shortening, rear, front), 1e-12).sum())


def ends_carry(recording: Recording, track: Track) -> float:
    """Share of the normal impulses on the outer thirds of the body in the frames in which it is half arched or more."""
    total = outer = 0.0
    for index in np.flatnonzero(track.belly >= 0.5 * track.belly.max()).tolist():
        contacts = recording.contacts(index)
        place = (contacts.positions[:, 0] - track.rear[index, 0]) / track.length[index]
        total += float(contacts.impulses[:, 1].sum())
        outer += float(contacts.impulses[np.abs(place - 0.5) > 1.0 / 6.0, 1].sum())
    return outer / total if total > 0.0 else 0.0


def modes(recording: Recording, track: Track) -> dict[str, float]:
    """Share of the time that patches under an end, its outer quarter, spend in each mode, like ``shortening front
    stick``; frames around the turns, in which the length hardly changes, do not count."""
    rate = np.gradient(track.length, recording.dt)
    counts = {(half, end): np.zeros(len(MODES)) for half in ("shortening", "lengthening") for end in ("front", "rear")}
    for index in np.flatnonzero(np.abs(rate) > 0.25 * np.abs(rate).max()).tolist():
        half = "shortening" if rate[index] < 0.0 else "lengthening"
        contacts = recording.contacts(index)
        place = (contacts.positions[:, 0] - track.rear[index, 0]) / track.length[index]
        for end, under in (("front", place > 0.75), ("rear", place < 0.25)):
            counts[half, end] += np.bincount(contacts.modes[under], minlength=len(MODES))
    return {
        f"{half} {end} {mode}": float(share)
        for (half, end), count in counts.items()
        for mode, share in zip(MODES, count / max(count.sum(), 1.0), strict=True)
    }


STRAIGHT = (Demand("astray", most=0.05), Demand("heading", most=3.0))
FORWARD = (Demand("travel", least=1.0), Demand("slip", most=0.15), *STRAIGHT)
ALTERNATING = (
    Demand("shortening front stick", least=0.4),
    Demand("shortening rear slide", least=0.9),
    Demand("lengthening front slide", least=0.9),
    Demand("lengthening rear stick", least=0.4),
)
EARTHWORM, INCHWORM = Crawl(), Crawl(stride=0.18, resting=("upper",))
SCENE_LIST = (
    Scene(
        "crawl-earthworm",
        "a worm crawls flat on the ground: front and rear hold and slide by turns",
        CYCLES * EARTHWORM.period,
        Crawling(EARTHWORM, SCALES),
        measure,
        (*FORWARD, *ALTERNATING, Demand("flat", most=0.02)),
    ),
    Scene(
        "crawl-earthworm-equal",
        "the same worm where friction is the same forward and backward: it gets nowhere",
        CYCLES * EARTHWORM.period,
        Crawling(EARTHWORM, SMOOTH),
        measure,
        (Demand("travel", least=-0.1, most=0.1), *STRAIGHT),
    ),
    Scene(
        "crawl-inchworm",
        "a worm whose upper muscles rest crawls with an arched back",
        CYCLES * INCHWORM.period,
        Crawling(INCHWORM, SCALES),
        measure,
        (*FORWARD, Demand("arch", least=0.1), Demand("ends_carry", least=0.95)),
    ),
)
