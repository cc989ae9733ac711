"""Many gaits of many characters in one call: on a GPU in one kernel, elsewhere as JAX maps them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas
from jax.experimental.pallas import triton

from hydrostat.actuation.sines import Sines
from hydrostat.arrays import Floats
from hydrostat.bodies.reduced.batched.characters import Character, Pose, character_of, common_sizes, pose_of
from hydrostat.bodies.reduced.batched.step import Rules, rules_of
from hydrostat.errors import InputError
from hydrostat.search.measures import Gauge, Measures, played
from hydrostat.search.outcomes import FAILED, Outcome
from hydrostat.search.trials import Trial

# A rollout is the work of one warp: its 32 lanes share the coordinates, the clusters or the samples. More warps would
# spend their time on waiting for one another.
WARPS = 1

# What makes all rollouts: from characters, gauges, poses, amplitudes of the modes and rules to ends and measures.
Way = Callable[[Character, Gauge, Pose, Any, Rules], tuple[Any, Measures]]


class Gaits(NamedTuple):
    """Sines of n gaits for each of b trials, (b, n, m, k), see ``actuation.sines``."""

    amplitudes: Any
    periods: Any
    phases: Any


class Batch:
    """Trials whose gaits are played together; they have the same surroundings and as many steps and starts.

    precision: "float32" or "float64"; the latter needs ``jax.enable_x64``. in_one_kernel: how; None for what suits the
    machine. The kernel is made for GPUs; elsewhere it is interpreted, which is slow and for tests.
    """

    def __init__(self, trials: Sequence[Trial], precision: str = "float32", in_one_kernel: bool | None = None) -> None:
        kinds = {(repr(trial.surroundings), trial.steps, len(trial.starts)) for trial in trials}
        if len(kinds) > 1:
            raise InputError(
                f"trials of {len(kinds)} kinds in one batch",
                "the same surroundings and as many steps and starts",
                "make a batch of each kind",
            )
        surroundings, sizes = trials[0].surroundings, common_sizes([trial.body for trial in trials])
        self._trials, self._modes = trials, sizes.modes
        self._rules = rules_of(surroundings)
        self._times = surroundings.dt * np.arange(1.0, trials[0].steps + 1)
        poses = [_stacked([pose_of(start, sizes) for start in trial.starts]) for trial in trials]
        self._constants = jax.tree.map(
            partial(jnp.asarray, dtype=precision),
            (
                _stacked([character_of(trial.body, surroundings, sizes) for trial in trials]),
                _stacked([_gauge_of(trial, sizes.coordinates) for trial in trials]),
                _stacked(poses),
            ),
        )
        on_gpu = jax.default_backend() == "gpu"
        self._way: Way = _in_one_kernel if (on_gpu if in_one_kernel is None else in_one_kernel) else _mapped

    def packed(self, gaits: Sequence[Sequence[Sines]]) -> Gaits:
        """``gaits``, n for each of b trials, with modes that do not move behind the trial's own."""
        return Gaits(*(np.stack([_filled(row, name, self._modes) for row in gaits]) for name in Gaits._fields))

    def play(self, gaits: Gaits) -> tuple[Any, Measures]:
        """Every one of the ``gaits`` from all r starts of its trial.

        The coordinates at the end (b, n, r, 3, k) m, with zeros behind those of the body, and measures (b, n, r).
        """
        return _play(
            self._way, *self._constants, Gaits(*map(jnp.asarray, gaits)), jnp.asarray(self._times), self._rules
        )

    def outcomes(self, gaits: Sequence[Sequence[Sines]]) -> list[list[list[Outcome]]]:
        """What each of ``gaits`` amounts to: of every trial, gait and start."""
        _, measures = self.play(self.packed(gaits))
        columns = np.stack([np.asarray(column, np.float64) for column in measures], axis=-1)
        return [
            [
                [_outcome_of(trial, start, Measures(*numbers)) for start, numbers in enumerate(of_gait)]
                for of_gait in of_trial
            ]
            for trial, of_trial in zip(self._trials, columns.tolist(), strict=True)
        ]


def _stacked(parts: Sequence[Any]) -> Any:
    """Tuples of arrays as one tuple of arrays with one more axis in front."""
    return jax.tree.map(lambda *arrays: np.stack(arrays), *parts)


def _gauge_of(trial: Trial, coordinates: int) -> Gauge:
    """As ``Trial.outcome`` measures."""
    shape = trial.starts[0].coordinates[1:]
    fit = np.zeros((3, coordinates))
    fit[:, 1 : len(shape) + 1] = np.linalg.pinv(shape)
    return Gauge(fit, np.array([np.linalg.norm(shape)]))


def _filled(gaits: Sequence[Sines], name: str, modes: int) -> Floats:
    """One of the arrays of ``gaits``, (n, modes, k): the modes behind their own have no amplitude and any period."""
    given: Floats = np.stack([getattr(gait, name) for gait in gaits])
    filled = np.full((len(given), modes, given.shape[2]), 1.0 if name == "periods" else 0.0)
    filled[:, : given.shape[1]] = given
    return filled


def _outcome_of(trial: Trial, start: int, seen: Measures) -> Outcome:
    """What was measured from the start of this number, in terms of the trial."""
    if seen.blown_up:
        return FAILED
    first = trial.starts[start].coordinates[0]
    return Outcome(
        distance=float((np.array([seen.x, seen.y, seen.z]) - first) @ np.array(trial.direction)),
        rise=seen.heights / (trial.steps + 1) - float(first[1]),
        alignment=seen.alignment,
        uprightness=seen.uprightness,
        work=seen.work,
        blown_up=False,
    )


def _values(gaits: Gaits, times: Any) -> Any:
    """Values of ``gaits`` at ``times`` (T,) s: (b, n, T, m). B2024-(6)"""
    amplitudes, periods, phases = (array[:, :, None] for array in gaits)
    turns = times[:, None, None] / periods + phases
    # In whole turns first: float32 has few digits left of a large angle.
    return (amplitudes * jnp.sin(2.0 * jnp.pi * (turns - jnp.round(turns)))).sum(axis=-1)


@partial(jax.jit, static_argnames=("way", "rules"))
def _play(
    way: Way, characters: Character, gauges: Gauge, poses: Pose, gaits: Gaits, times: Any, rules: Rules
) -> tuple[Any, Measures]:
    """The ends of all rollouts and what was measured of them, made the given ``way``."""
    return way(characters, gauges, poses, _values(gaits, times).astype(characters.mass.dtype), rules)


def _mapped(characters: Character, gauges: Gauge, poses: Pose, values: Any, rules: Rules) -> tuple[Any, Measures]:
    """Every rollout by itself, mapped over starts, gaits and characters."""

    def one(character: Character, gauge: Gauge, pose: Pose, of_gait: Any) -> tuple[Any, Measures]:
        end, measures = played(character, gauge, pose, of_gait, rules)
        return jnp.stack(end.z), measures

    over_starts = jax.vmap(one, (None, None, 0, None))
    over_gaits = jax.vmap(over_starts, (None, None, None, 0))
    return jax.vmap(over_gaits)(characters, gauges, poses, values)


def _in_one_kernel(
    characters: Character, gauges: Gauge, poses: Pose, values: Any, rules: Rules
) -> tuple[Any, Measures]:
    """All steps of all rollouts in one kernel: what a rollout changes never leaves its warp."""
    grid = (values.shape[0], values.shape[1], poses.forces.shape[1])
    dtype, k = values.dtype, characters.inverse.shape[-1]

    def one(*references: Any) -> None:
        *given, end, measured = references
        character, gauge, pose, of_gait = jax.tree.unflatten(structure, given)
        moving, measures = played(character, gauge, pose, of_gait, rules)
        for axis in range(3):
            end[axis, :] = moving.z[axis]
        for number, value in enumerate(measures):
            measured[number] = value

    def own(array: Any, *axes: int) -> pallas.BlockSpec:
        """The part of ``array`` that belongs to a place in the grid, which its leading axes count along ``axes``."""
        rest = array.shape[len(axes) :]
        return pallas.BlockSpec(
            (*(None for _ in axes), *rest), lambda *place: (*(place[axis] for axis in axes), *(0 for _ in rest))
        )

    given, structure = jax.tree.flatten((characters, gauges, poses, values))
    specs = (
        *jax.tree.leaves(jax.tree.map(lambda array: own(array, 0), (characters, gauges))),
        *(own(array, 0, 2) for array in poses),
        own(values, 0, 1),
    )
    shapes = [jax.ShapeDtypeStruct((*grid, 3, k), dtype), jax.ShapeDtypeStruct((*grid, len(Measures._fields)), dtype)]
    end, measured = pallas.pallas_call(
        one,
        out_shape=shapes,
        grid=grid,
        in_specs=specs,
        out_specs=[own(shape, 0, 1, 2) for shape in shapes],
        compiler_params=triton.CompilerParams(num_warps=WARPS, num_stages=1),
        interpret=jax.default_backend() != "gpu",
    )(*given)
    return end, Measures(*(measured[..., number] for number in range(len(Measures._fields))))
