"""Batches of rollouts in JAX beside the compiled loop of the CPU."""

from dataclasses import replace

import numpy as np
import pytest

from hydrostat.bodies.reduced import Coulomb, Damping, ReducedOptions, Surroundings, reduce_body
from hydrostat.bodies.reduced.rotations import lanes_of, read_quaternions, turn_to_best
from hydrostat.contact.ground import Heightfield, slope
from hydrostat.errors import InputError
from hydrostat.geometry.primitives import box_tets
from hydrostat.geometry.tetrahedra import TetMesh
from hydrostat.search.trials import Trial
from hydrostat.search.wishes import Wishes, trial_of

jax = pytest.importorskip("jax", reason="batches need the package jax")

from hydrostat.bodies.reduced.batched.rotations import turned_to_best  # noqa: E402
from hydrostat.search.batches import Batch  # noqa: E402

# What is compiled here runs for an instant only.
jax.config.update("jax_disable_most_optimizations", True)


def trial(size, surroundings, **options) -> Trial:
    mesh = box_tets(size, (3, 2, 2))
    standing = mesh.vertices - [0.0, mesh.vertices[:, 1].min(), 0.0]
    body = reduce_body(TetMesh(standing, mesh.tets), ReducedOptions(**options))
    made = trial_of(body, Wishes(starts=2, alpha=1.0), surroundings)
    coordinates = made.starts[1].coordinates.copy()
    coordinates[0, 1] -= 0.02  # into the ground, deeper than one step pushes out
    sunk = replace(made.starts[1], coordinates=coordinates)
    return replace(made, steps=20, starts=(made.starts[0], sunk))


def gaits_of(some, count):
    generator = np.random.default_rng(1)
    return [some.space.gait(generator.random(some.space.dimension)) for _ in range(count)]


@pytest.mark.parametrize(
    ("friction", "precision", "in_one_kernel", "error"),
    [(Coulomb(0.5), "float64", False, 1e-9), (Damping(0.3), "float32", True, 5e-5)],
)
def test_unlike_characters_in_one_batch_move_as_on_the_cpu(friction, precision, in_one_kernel, error):
    surroundings = Surroundings(ground=replace(slope(0.05), offset=0.1), friction=friction)
    some = [
        trial((0.6, 0.2, 0.3), surroundings, modes=3, weights=2, passive_clusters=2, samples=6),
        trial((0.3, 0.4, 0.3), surroundings, modes=2, weights=3, passive_clusters=4, actuation_clusters=2, samples=9),
    ]
    gaits = [gaits_of(each, 3) for each in some]
    gaits[1][2] = replace(gaits[1][2], amplitudes=np.full((2, 1), 1e30))
    with jax.enable_x64(precision == "float64"):
        batch = Batch(some, precision, in_one_kernel)
        ends, _ = batch.play(batch.packed(gaits))
        outcomes, ends = batch.outcomes(gaits), np.asarray(ends)
    assert outcomes[1][2][0].blown_up
    for each, of_trial, seen, end in zip(some, gaits, outcomes, ends, strict=True):
        k, pressed = len(each.body.stiffnesses), 0
        for n, gait in enumerate(of_trial[:2]):
            for r, start in enumerate(each.starts):
                motion = each.motion(gait, start)
                np.testing.assert_allclose(end[n, r, :, :k].T, motion.coordinates[-1], atol=error)
                assert not end[n, r, :, k:].any()
                got, wanted = vars(seen[n][r]), vars(each.outcome(motion))
                assert got == pytest.approx(wanted, rel=100 * error, abs=10 * error)
                pressed += np.count_nonzero(motion.impulses)
        assert pressed > 100  # the ground had its say


def test_rotations_are_the_best_also_from_afar_and_where_inverted():
    """H of any kind, from rotations that have nothing to do with it."""
    generator = np.random.default_rng(0)
    covariances = generator.standard_normal((3, 3 * 64))
    quaternions = generator.standard_normal((64, 4))
    quaternions /= np.linalg.norm(quaternions, axis=1)[:, None]
    wanted, lanes = quaternions.copy(), lanes_of(quaternions)
    turn_to_best(covariances, lanes, np.zeros((3, 3 * 64)))
    read_quaternions(lanes, wanted)
    assert (np.linalg.det(covariances.reshape(3, 64, 3).transpose(1, 0, 2)) < 0).sum() > 20
    for precision, error in (("float64", 1e-11), ("float32", 1e-5)):
        with jax.enable_x64(precision == "float64"):
            matrix = np.asarray(covariances.reshape(3, 64, 3).transpose(0, 2, 1), precision)
            got = np.array(jax.jit(turned_to_best)(list(map(list, matrix)), tuple(quaternions.T.astype(precision))))
        assert np.abs((got.T * wanted).sum(axis=1)).min() > 1.0 - error


def test_what_does_not_fit_in_a_batch_is_refused():
    one = trial((0.6, 0.2, 0.3), Surroundings(ground=slope(0.0)), modes=2, weights=2, samples=4)
    with pytest.raises(InputError, match="2 kinds"):
        Batch([one, replace(one, steps=21)])
    bumpy = Surroundings(ground=Heightfield(np.zeros((3, 3)), 1.0))
    with pytest.raises(InputError, match="heightfield"):
        Batch([replace(one, surroundings=bumpy)])
