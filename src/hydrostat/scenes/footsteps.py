"""What feet do in a recording: where they are, what they bear, and the steps that they make."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.spatial.transform import Rotation

from hydrostat.arrays import Floats, Ints
from hydrostat.io.reader import Recording

# A foot that is faster, m/s, and gets farther than this, m, makes a step. Ends of a step that do not count, in shares.
MOVING, STEP, ENDS = 0.1, 0.02, 0.15
# A foot is down whose lowest node is lower, and up whose lowest node is higher, in body heights.
DOWN, UP = 2e-3, 0.04
# An impulse below this, N·s, is rounding.
NOTHING = 1e-9


@dataclass(frozen=True)
class Tracks:
    """What k feet and their body do over f frames.

    places (f, k, 2) m: of the soles, forward and aside. heights (f, k): of their lowest nodes, in body heights. loads
    (f, k) N·s: normal impulses. centres (f, 3) m: of mass. turns (f, 3) degrees: of the body about x, y, z.
    """

    places: Floats
    heights: Floats
    loads: Floats
    centres: Floats
    turns: Floats


def tracks(recording: Recording, feet: Sequence[Ints]) -> Tracks:
    """The tracks of a body on level ground whose ``feet`` are these nodes; an impulse belongs to the nearest foot."""
    rest, height = recording.rest_positions, recording.metadata["height"]
    rows = []
    for index in range(len(recording)):
        positions, contacts = recording.positions(index), recording.contacts(index)
        middles = np.array([positions[foot].mean(axis=0) for foot in feet])
        nearest = np.linalg.norm(contacts.positions[:, None] - middles, axis=2).argmin(axis=1)
        normal = np.einsum("ci,ci->c", contacts.impulses, contacts.normals)
        rows.append(
            (
                middles[:, [0, 2]],
                [positions[foot, 1].min() / height for foot in feet],
                np.bincount(nearest, normal, len(feet)),
                recording.markers(index)["centre of mass"],
                _turn(rest, positions),
            )
        )
    return Tracks(*(np.array(column) for column in zip(*rows, strict=True)))


def _turn(rest: Floats, positions: Floats) -> Floats:
    """How far the body as a whole has turned from ``rest``, a rotation vector (3,) in degrees."""
    turned = Rotation.align_vectors(positions - positions.mean(axis=0), rest - rest.mean(axis=0))[0]
    answer: Floats = turned.as_rotvec(degrees=True)
    return answer


@dataclass(frozen=True)
class Footstep:
    """A foot on its way: from frame ``first`` to ``last``.

    way m. height: of its lowest node in the middle of the step, in body heights. loaded: share of the step, but for its
    ends, in which it pressed on the ground. whole: not cut off by the end.
    """

    foot: int
    first: int
    last: int
    way: float
    height: float
    loaded: float
    whole: bool


def footsteps(seen: Tracks, dt: float) -> list[Footstep]:
    """All steps: a foot that moves on, whether it lifts or drags, or sets out to when the recording ends."""
    found = []
    for foot in range(seen.heights.shape[1]):
        places, heights, loads = seen.places[:, foot], seen.heights[:, foot], seen.loads[:, foot]
        speeds = np.linalg.norm(np.diff(places, axis=0), axis=1) / dt
        moving = (speeds > MOVING) | (heights[1:] > UP)
        edges = np.flatnonzero(np.diff(np.concatenate([[0], moving, [0]])))
        for first, last in edges.reshape(-1, 2).tolist():
            way, whole = float(np.linalg.norm(places[last] - places[first])), last < len(speeds)
            if way > STEP or not whole:
                ends = round(ENDS * (last - first))
                loaded = float((loads[first + ends : last - ends + 1] > NOTHING).mean())
                found.append(Footstep(foot, first, last, way, float(heights[(first + last) // 2]), loaded, whole))
    return found


def greatest_slip(seen: Tracks, steps: Sequence[Footstep]) -> float:
    """The greatest distance of a foot, while it stands between its ``steps``, from where it came down, m."""
    worst = 0.0
    for foot in range(seen.heights.shape[1]):
        own = [step for step in steps if step.foot == foot]
        starts, ends = [0, *(step.last for step in own)], [*(step.first for step in own), len(seen.heights)]
        for start, end in zip(starts, ends, strict=True):
            stand = seen.places[start : end + 1, foot]
            worst = max(worst, float(np.linalg.norm(stand - stand[:1], axis=1).max(initial=0.0)))
    return worst


def fewest_down(seen: Tracks) -> int:
    """The fewest feet on the ground at a time, since all were for the first time."""
    count = (seen.heights < DOWN).sum(axis=1)
    return int(count[count.argmax() :].min()) if count.max() == seen.heights.shape[1] else 0


def most_up(seen: Tracks) -> int:
    """The most feet in the air at a time."""
    return int((seen.heights > UP).sum(axis=1).max())
