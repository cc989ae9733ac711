"""What a rollout amounts to, measured while it runs in a batch: the sums and extremes of ``outcomes.outcome_of``."""

from __future__ import annotations

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from hydrostat.bodies.reduced.batched.characters import Character, Pose
from hydrostat.bodies.reduced.batched.contact import Array, Vector
from hydrostat.bodies.reduced.batched.step import Moving, Rules, begun, step
from hydrostat.search.outcomes import LARGEST_SPREAD


class Gauge(NamedTuple):
    """How a body is measured; in a batch, with one more axis in front.

    fit (3, k): from coordinates to the affine map from the first start. spread (1,): of the first start, m.
    """

    fit: Any
    spread: Any


class Measures(NamedTuple):
    """Numbers of one rollout, see ``outcomes.Outcome``.

    x, y, z: the centre of mass at the end, m. heights: the sum of y over all frames, m. alignment, uprightness: the
    least. work J. blown_up: 1 or 0.
    """

    x: Array
    y: Array
    z: Array
    heights: Array
    alignment: Array
    uprightness: Array
    work: Array
    blown_up: Array


def played(character: Character, gauge: Gauge, pose: Pose, amplitudes: Any, rules: Rules) -> tuple[Moving, Measures]:
    """The end of a rollout from ``pose`` with a step for every row of ``amplitudes`` (T, m), and what was measured."""

    def advance(index: Any, carry: tuple[Moving, Measures]) -> tuple[Moving, Measures]:
        moving, measures = carry
        moving, work = step(character, rules, lambda mode: amplitudes[index, mode], moving)
        return moving, _together(measures, _seen(character, gauge, moving.z, work))

    start = begun(pose)
    seen = _seen(character, gauge, start.z, jnp.zeros((), start.z[0].dtype))
    return jax.lax.fori_loop(0, amplitudes.shape[0], advance, (start, seen))


def _seen(character: Character, gauge: Gauge, coordinates: Vector, work: Array) -> Measures:
    """What one frame shows."""
    shape = tuple(part * character.deforming[...] for part in coordinates)
    x, y, z = (jnp.sum(part - inner) for part, inner in zip(coordinates, shape, strict=True))
    affine = [[jnp.sum(gauge.fit[a, :] * part) for a in range(3)] for part in shape]
    right, _, front = ([row[a] for row in affine] for a in range(3))
    along, across = right[0] + front[2], front[0] - right[2]
    upward = (
        front[1] * right[2] - front[2] * right[1],
        front[2] * right[0] - front[0] * right[2],
        front[0] * right[1] - front[1] * right[0],
    )
    spread = jnp.sqrt(sum(jnp.sum(part * part) for part in shape)) / gauge.spread[0]
    # Comparisons with what is no number are false.
    fine = (spread <= LARGEST_SPREAD) & (along * along + across * across < jnp.inf)
    for part in (x, y, z, work):
        fine = fine & (jnp.abs(part) < jnp.inf)
    return Measures(
        x=x,
        y=y,
        z=z,
        heights=y,
        alignment=_cosine(along, along * along + across * across),
        uprightness=_cosine(upward[1], upward[0] ** 2 + upward[1] ** 2 + upward[2] ** 2),
        work=work,
        blown_up=1.0 - fine.astype(work.dtype),
    )


def _together(before: Measures, now: Measures) -> Measures:
    """The measures of frames until now."""
    return now._replace(
        heights=before.heights + now.heights,
        alignment=jnp.minimum(before.alignment, now.alignment),
        uprightness=jnp.minimum(before.uprightness, now.uprightness),
        work=before.work + now.work,
        blown_up=jnp.maximum(before.blown_up, now.blown_up),
    )


def _cosine(part: Array, square: Array) -> Array:
    """``part`` over the root of ``square``, and 0 where there is nothing to divide by."""
    return part / jnp.sqrt(jnp.maximum(square, float(jnp.finfo(part.dtype).tiny)))
