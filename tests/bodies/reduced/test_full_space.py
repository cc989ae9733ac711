"""The reduced body against the same energies in full space."""

from dataclasses import replace

import numpy as np
import pytest
from full_space import FullSpace

from hydrostat.bodies.fem import FemBody, Material
from hydrostat.bodies.reduced import Coulomb, ReducedOptions, Surroundings, rest_state, rollout
from hydrostat.bodies.reduced.reduction import assemble
from hydrostat.bodies.vibration import vibrations
from hydrostat.contact.ground import Plane
from hydrostat.geometry.primitives import box_tets
from hydrostat.geometry.tetrahedra import TetMesh

OPTIONS = ReducedOptions(density=900.0, stiffness=4e4, actuation_stiffness=9e4)


def pair(passive, active, cells=(2, 1, 1)):
    """A body with every displacement of its nodes, clusters as given, and its twin in full space."""
    mesh = box_tets((0.8, 0.5, 0.4), cells)
    mesh = TetMesh(mesh.vertices + 0.03 * np.sin(9.0 * mesh.vertices[:, ::-1]), mesh.tets)
    modes = vibrations(mesh, 3).shapes
    nodes, tets = len(mesh.vertices), len(mesh.tets)
    clusters = [np.arange(tets) % min(count, tets) for count in (passive, active)]
    samples = np.arange(nodes)
    body = assemble(FemBody(mesh, Material(density=900.0)), np.eye(nodes), modes, *clusters, samples, OPTIONS)
    return body, FullSpace(mesh, modes, 900.0, 4e4, 9e4, *clusters)


def swinging(steps, dt):
    times = dt * np.arange(steps)[:, None]
    return 0.05 * np.sin(9.0 * times + np.arange(3)) * [1.0, 0.7, 0.4]


def moving(body):
    """A state that flies, turns and swings."""
    start = rest_state(body)
    mesh = body.mesh
    field = np.cross([1.0, -2.0, 0.5], mesh.vertices) + 0.2 * np.sin(3.0 * mesh.vertices) + [0.5, 0.0, -0.2]
    return replace(start, velocities=np.linalg.lstsq(body.basis, field, rcond=None)[0]), field


@pytest.mark.parametrize(("passive", "active"), [(99, 99), (99, 1), (3, 2)], ids=["an element each", "one", "few"])
def test_a_full_basis_is_full_space(passive, active):
    body, full = pair(passive, active)
    state, velocities = moving(body)
    assert body.basis.shape == (len(body.mesh.vertices),) * 2
    dt, gravity, drive = 0.01, (0.0, -9.81, 1.0), swinging(20, 0.01)
    got = rollout(body, state, drive, Surroundings(dt, gravity, iterations=8))
    positions = body.mesh.vertices
    for step, amplitudes in enumerate(drive):
        positions, velocities, _ = full.step(positions, velocities, amplitudes, dt, gravity, 8)
        assert np.abs(got.positions(body, step + 1) - positions).max() < 1e-8
        assert np.abs(body.basis @ got.velocities[step + 1] - velocities).max() < 1e-6


def test_a_full_basis_on_the_ground_is_full_space():
    """Every node is a sample; the impulses are those of a non-negative least squares problem."""
    body, full = pair(99, 1)
    state, velocities = moving(body)
    floor = body.mesh.vertices[:, 1].min() - 0.01
    dt, gravity, drive = 0.01, (0.0, -9.81, 0.0), swinging(25, 0.01)
    ground = Plane(offset=floor)
    got = rollout(body, state, drive, Surroundings(dt, gravity, ground, Coulomb(0.0), iterations=60))
    positions, landed = body.mesh.vertices, 0
    for step, amplitudes in enumerate(drive):
        positions, velocities, push = full.step(positions, velocities, amplitudes, dt, gravity, 60, floor)
        landed += push.max() > 0.0
        assert np.abs(got.positions(body, step + 1) - positions).max() < 1e-5
        assert np.abs(got.impulses[step, :, 1] - push).max() < 1e-2 * max(push.max(), 1.0)
    assert landed > 5


def test_energies_and_their_slopes_are_those_of_the_tensors():
    """(13b): energy and force from the tensors alone, against elements and against central differences."""
    body, full = pair(3, 2, (2, 2, 1))
    rng = np.random.default_rng(0)
    amplitudes = np.array([0.05, -0.03, 0.04])
    drive = np.tensordot(np.append(amplitudes, 1.0), body.actuation, axes=1)

    def energy(z):
        total = 0.5 * (body.stiffnesses[:, None] * z**2).sum()
        for tensor in (body.passive, drive):
            for h in np.split(z.T @ tensor, tensor.shape[1] // 3, axis=1):
                u, s, vt = np.linalg.svd(h)
                total -= s[0] + s[1] + s[2] * np.linalg.det(u @ vt)
        return total

    one = body.rest_coordinates + 0.05 * rng.normal(size=body.rest_coordinates.shape)
    two = one + 0.05 * rng.normal(size=one.shape)
    gap = energy(two) - energy(one)
    assert gap == pytest.approx(
        sum(full.energies(body.basis @ two, amplitudes)) - sum(full.energies(body.basis @ one, amplitudes)), rel=1e-9
    )
    way, step = rng.normal(size=one.shape), 1e-6
    slope = (energy(one + step * way) - energy(one - step * way)) / (2 * step)
    force = sum(full.forces(body.basis @ one, amplitudes))
    assert slope == pytest.approx(-(force * (body.basis @ way)).sum(), rel=1e-6)
