"""Weights, bases, clusters, and whole reductions."""

import pickle

import numpy as np
import pytest
from scipy.linalg import eigh

from hydrostat.bodies.fem import FemBody
from hydrostat.bodies.mesh_matrices import laplacian, node_pairs
from hydrostat.bodies.reduced import ReducedOptions, Surroundings, reduce_body, rest_state, rollout
from hydrostat.bodies.reduced.clusters import clusters
from hydrostat.bodies.reduced.skinning import orthonormal, skinning_basis, skinning_weights
from hydrostat.errors import InputError
from hydrostat.geometry.primitives import box_tets, tetrahedron
from hydrostat.geometry.tetrahedra import TetMesh


def slab():
    return box_tets((1.0, 0.5, 0.3), (5, 4, 3))


def test_weights_are_the_lowest_waves_of_the_laplacian():
    body = FemBody(slab())
    weights = skinning_weights(body, 5)
    matrix = laplacian(node_pairs(len(weights), body.mesh.tets), body.rest_gradients, body.mesh.volumes).toarray()
    exact = eigh(matrix, np.diag(body.masses), eigvals_only=True)[:5]
    assert np.allclose(weights.T @ (body.masses[:, None] * weights), body.mass * np.eye(5), atol=1e-8 * body.mass)
    assert np.allclose(np.diag(weights.T @ matrix @ weights) / body.mass, exact, atol=1e-9 * exact[-1])
    assert np.allclose(weights[:, 0], 1.0)


def test_the_basis_holds_all_affine_motions_of_every_weight():
    body = FemBody(slab())
    weights = skinning_weights(body, 3)
    raw = skinning_basis(body.rest_positions, weights)
    basis = orthonormal(raw, body.masses)
    assert basis.shape == (len(weights), 12)
    assert np.allclose(basis.T @ (body.masses[:, None] * basis), body.mass * np.eye(12), atol=1e-10 * body.mass)
    wanted = weights[:, [2]] * (body.rest_positions @ np.random.default_rng(0).normal(size=(3, 3)) + [1.0, 2.0, 3.0])
    for columns in (raw, basis):
        fitted = columns @ np.linalg.lstsq(columns, wanted, rcond=None)[0]
        assert np.allclose(fitted, wanted, atol=1e-11)


def test_clusters_are_compact_and_never_empty():
    rng = np.random.default_rng(2)
    middles = 10.0 * np.array([[0, 0], [1, 0], [0, 1], [1, 1]])
    features = np.vstack([middle + rng.normal(size=(50, 2)) for middle in middles])
    members = clusters(features, np.ones(200), 4)
    assert all(len(np.unique(members[k : k + 50])) == 1 for k in range(0, 200, 50))
    assert len(np.unique(members)) == 4
    assert (clusters(features, np.ones(200), 500) == np.arange(200)).all()
    same = np.zeros((30, 2))
    same[0] = 1.0
    assert sorted(np.unique(clusters(same, np.ones(30), 5))) == [0, 1, 2, 3, 4]


def test_lloyd_ends_at_nearest_middles():
    rng = np.random.default_rng(4)
    features, sizes = rng.normal(size=(400, 3)), rng.uniform(0.5, 2.0, size=400)
    members = clusters(features, sizes, 7)
    middles = np.stack([np.average(features[members == c], axis=0, weights=sizes[members == c]) for c in range(7)])
    distance = np.linalg.norm(features[:, None] - middles, axis=2)
    assert (distance.argmin(axis=1) == members).mean() > 0.99


def test_sizes_of_everything():
    body = reduce_body(slab(), ReducedOptions(modes=3, weights=4, passive_clusters=6, actuation_clusters=2, samples=9))
    k = 16
    assert body.basis.shape == (len(slab().vertices), k)
    assert body.passive.shape == (k, 18)
    assert body.actuation.shape == (4, k, 6)
    assert body.modes.shape == (len(slab().vertices), 3, 3)
    assert len(body.samples) == 9
    assert body.clusters == 8
    assert body.mass == pytest.approx(150.0)


def test_the_same_mesh_gives_the_same_bytes_and_pickles():
    first, second = (pickle.dumps(reduce_body(slab())) for _ in range(2))
    assert first == second
    assert pickle.dumps(pickle.loads(first)) == first


@pytest.mark.parametrize(("factor", "density"), [(1e-2, 1000.0), (1e2, 1000.0), (1.0, 30.0)])
def test_small_and_large_light_and_heavy_bodies_move_alike(factor, density):
    """In units of size and √(size/g) the default materials make the same motion."""
    one = reduce_body(slab(), ReducedOptions(modes=3))
    other = reduce_body(TetMesh(factor * slab().vertices, slab().tets), ReducedOptions(modes=3, density=density))
    drive = 0.05 * np.sin(0.3 * np.arange(60)[:, None] + np.arange(3))
    motions = []
    for body, f in ((one, 1.0), (other, factor)):
        got = rollout(body, rest_state(body), f * drive, Surroundings(dt=np.sqrt(f) / 60.0))
        motions.append(got.positions(body, 60) / f)
    assert np.abs(motions[1] - motions[0]).max() < 1e-6
    assert np.abs(motions[0] - one.mesh.vertices)[:, 1].max() > 1.0


def test_the_smallest_meshes_work():
    """Fewer nodes than columns: the basis is all of space."""
    for mesh, modes in ((tetrahedron(), 2), (box_tets(), 4)):
        body = reduce_body(mesh, ReducedOptions(modes=modes, weights=min(5, len(mesh.vertices) - 1)))
        assert body.basis.shape[1] == len(mesh.vertices)
        got = rollout(body, rest_state(body), 0.1 * np.ones((30, modes)))
        assert np.isfinite(got.coordinates).all()


def test_one_weight_makes_an_affine_body_in_clusters():
    body = reduce_body(slab(), ReducedOptions(2, weights=1, passive_clusters=3, samples=4))
    assert body.basis.shape[1] == 4 and body.clusters == 4
    motion = rollout(body, rest_state(body), np.zeros((5, 2)), Surroundings())
    assert np.isfinite(motion.coordinates).all()


def test_meshes_without_sense_are_refused():
    mesh = slab()
    pair = TetMesh(
        np.vstack([mesh.vertices, mesh.vertices + 5.0]), np.vstack([mesh.tets, mesh.tets + len(mesh.vertices)])
    )
    spare = TetMesh(np.vstack([mesh.vertices, [[9.0, 9.0, 9.0]]]), mesh.tets)
    flat = TetMesh(mesh.vertices * [1.0, 0.0, 1.0], mesh.tets)
    lost = TetMesh(np.where(np.arange(3) == 1, np.nan, mesh.vertices), mesh.tets)
    for broken, word in ((pair, "2 pieces"), (spare, "1 vertices"), (flat, "without volume"), (lost, "not finite")):
        with pytest.raises(InputError, match=word):
            reduce_body(broken)
    for options in ({"modes": 0}, {"samples": 0}, {"stiffness": -1.0}, {"density": np.nan}):
        with pytest.raises(InputError, match=next(iter(options))):
            ReducedOptions(**options)


def test_parts_move_by_themselves():
    mesh = box_tets((2.0, 0.2, 0.3), (20, 2, 3))
    ends = np.stack([mesh.vertices[:, 0] < -0.4, mesh.vertices[:, 0] > 0.4]).astype(float)
    body = reduce_body(mesh, ReducedOptions(modes=4), ends)
    strength = (body.modes**2).sum(axis=1)
    for mode, part in enumerate(np.repeat(ends, 2, axis=0)):
        assert strength[part == 0, mode].sum() < 1e-2 * strength[:, mode].sum()
    with pytest.raises(InputError, match="as many for each"):
        reduce_body(mesh, ReducedOptions(modes=3), ends)


def test_a_large_body_is_kept_and_found_by_content(tmp_path, monkeypatch):
    monkeypatch.setenv("HYDROSTAT_CACHE", str(tmp_path))
    mesh, options = box_tets((1.0, 0.5, 0.3), (12, 9, 8)), ReducedOptions(modes=2, weights=2)
    first = pickle.dumps(reduce_body(mesh, options))
    (file,) = tmp_path.glob("*.npz")
    monkeypatch.setattr("hydrostat.bodies.reduced.reduction._reduce", None)
    assert pickle.dumps(reduce_body(mesh, options)) == first
    with pytest.raises(TypeError):  # another body has to be made
        reduce_body(mesh, ReducedOptions(modes=2, weights=2, density=999.0))
    with pytest.raises(TypeError):
        reduce_body(TetMesh(1.01 * mesh.vertices, mesh.tets), options)
    file.write_bytes(file.read_bytes()[:1000])
    with pytest.raises(TypeError):  # and so has one whose file is damaged
        reduce_body(mesh, options)
