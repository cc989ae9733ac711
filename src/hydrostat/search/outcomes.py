"""What a motion amounts to: how far, how straight, how upright, at what price, how smoothly."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hydrostat.arrays import Floats

# A body that spreads this much farther than at the start has blown up.
LARGEST_SPREAD = 4.0
# Soft bodies move slower than this; what shakes faster is jitter, Hz.
JITTER_FROM = 10.0


@dataclass(frozen=True)
class Outcome:
    """What a motion amounts to.

    distance: m along the wished direction. rise: m, mean height of the centre of mass over that at the start.
    alignment: least cosine of the angle by which the body has turned about the vertical, ``J_align`` of B2024-(17).
    uprightness: least cosine of the angle by which it leaned. work: J, what the actuation put in. blown_up: whether
    the motion left what a body can do; the other numbers then mean nothing.
    """

    distance: float
    rise: float
    alignment: float
    uprightness: float
    work: float
    blown_up: bool


# Of a motion that blew up.
FAILED = Outcome(0.0, 0.0, 0.0, 0.0, 0.0, blown_up=True)


def outcome_of(centres: Floats, gradients: Floats, spreads: Floats, work: Floats, direction: Floats) -> Outcome:
    """The outcome of a motion by the paths of its centre of mass (f, 3) m and of its best affine fit (f, 3, 3).

    spreads: (f,) root mean square distance of the nodes from their centre, over that at the start. work: (f - 1,) J
    of every step. direction: (3,), horizontal, a unit vector.

    The paper's û(t), the forward direction, is the wished direction turned as the body has turned about the vertical
    since the start: whoever faces elsewhere at first may keep facing there. This turn is the rotation that is nearest
    to the horizontal part of the affine fit. A bending body keeps its heading; one that turns over has no heading any
    more, but is not upright: the image of the horizontal plane tells.
    """
    finite = all(np.isfinite(path).all() for path in (centres, gradients, spreads, work))
    if not finite or spreads.max() > LARGEST_SPREAD:
        return FAILED
    along = gradients[:, 0, 0] + gradients[:, 2, 2]
    across = gradients[:, 0, 2] - gradients[:, 2, 0]
    upward = np.cross(gradients[:, :, 2], gradients[:, :, 0])
    return Outcome(
        distance=float((centres[-1] - centres[0]) @ direction),
        rise=float(centres[:, 1].mean() - centres[0, 1]),
        alignment=float(_cosine(along, np.hypot(along, across)).min()),
        uprightness=float(_cosine(upward[:, 1], np.linalg.norm(upward, axis=1)).min()),
        work=float(work.sum()),
        blown_up=False,
    )


def jitter(points: Floats, dt: float) -> float:
    """Share of the velocity, 0 to 1, of ``points`` (f, k, 3) m that shakes faster than ``JITTER_FROM``.

    It is the root of the share of power in what is left when every point's mean velocity is taken away. Of the
    velocity, as that is what the eye follows: of the acceleration every touch of the ground would be most.
    """
    velocities = np.diff(points, axis=0)
    window = np.hanning(len(velocities))[:, None, None]
    power = (np.abs(np.fft.rfft(window * (velocities - velocities.mean(axis=0)), axis=0)) ** 2).sum(axis=(1, 2))
    fast = np.fft.rfftfreq(len(velocities), dt) > JITTER_FROM
    total = power.sum()
    return float(np.sqrt(power[fast].sum() / total)) if total > 0.0 else 0.0


def _cosine(part: Floats, whole: Floats) -> Floats:
    """``part`` / ``whole``, and 0 where there is nothing to divide by."""
    return np.divide(part, whole, out=np.zeros_like(part), where=whole > 0.0)
