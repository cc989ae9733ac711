"""Rollouts of a free body: falling, swinging, turning, working."""

import pickle
from dataclasses import replace

import numpy as np
import pytest
from full_space import FullSpace

from hydrostat.bodies.fem import FemBody, Material
from hydrostat.bodies.reduced import ReducedOptions, Surroundings, rest_state, rollout
from hydrostat.bodies.reduced.reduction import ACTUATION_STIFFNESS, GRAVITY, PASSIVE_STIFFNESS, assemble
from hydrostat.bodies.vibration import vibrations
from hydrostat.errors import InputError, StepError
from hydrostat.geometry.primitives import box_tets

WEIGHTLESS = Surroundings(gravity=(0.0, 0.0, 0.0))


def full_space_of(body):
    scale = 1000.0 * GRAVITY * body.size
    return FullSpace(
        body.mesh,
        body.modes,
        1000.0,
        PASSIVE_STIFFNESS * scale,
        ACTUATION_STIFFNESS * scale,
        body.passive_clusters,
        body.actuation_clusters,
    )


def drive(body, steps, dt=1.0 / 60.0, amplitude=0.05):
    """Every mode swings, each in its own time."""
    modes = body.modes.shape[2]
    times = dt * np.arange(steps)[:, None]
    return amplitude * body.size * np.sin(2 * np.pi * times / (0.3 + 0.05 * np.arange(modes)))


def idle(body, steps):
    return np.zeros((steps, body.modes.shape[2]))


def spin(body, coordinates, velocities):
    """Angular momentum about the centre of mass, kg m²/s, from all nodes."""
    masses = FemBody(body.mesh).masses
    positions, moving = body.basis @ coordinates, body.basis @ velocities
    arms = positions - masses @ positions / masses.sum()
    return np.cross(arms, masses[:, None] * moving).sum(axis=0)


def turning(body, rate):
    """Velocities of the rest shape turning about its centre of mass."""
    velocities = np.cross(rate, body.rest_coordinates)
    velocities[0] = 0.0
    return velocities


def test_the_rest_shape_is_in_the_basis_and_rests(creature):
    state = rest_state(creature)
    assert np.abs(creature.positions(state.coordinates) - creature.mesh.vertices).max() < 1e-13
    masses = FemBody(creature.mesh).masses
    assert np.allclose(state.coordinates[0], masses @ creature.mesh.vertices / masses.sum(), atol=1e-14)
    still = rollout(creature, state, idle(creature, 20), WEIGHTLESS)
    assert np.abs(still.velocities).max() < 1e-10


def test_free_fall(creature):
    """Implicit Euler: after T steps y = −g h² T (T + 1)/2, whatever the body does to itself."""
    dt, steps = 0.01, 40
    got = rollout(creature, rest_state(creature), drive(creature, steps, dt), Surroundings(dt))
    exact = -GRAVITY * dt**2 * steps * (steps + 1) / 2
    assert got.centres[-1] - got.centres[0] == pytest.approx([0.0, exact, 0.0], abs=1e-10)


@pytest.mark.parametrize("iterations", [1, 10])
def test_a_free_actuated_body_keeps_its_momentum(creature, iterations):
    state = replace(rest_state(creature), velocities=turning(creature, [1.0, -2.0, 0.5]))
    state.velocities[0] = [0.3, 0.1, -0.2]
    got = rollout(creature, state, drive(creature, 120), replace(WEIGHTLESS, iterations=iterations))
    before = spin(creature, got.coordinates[0], got.velocities[0])
    moved = got.coordinates - got.centres[:, None]
    assert np.abs(moved[60] - moved[0]).max() > 0.1  # it does turn and swing
    for frame in (1, 30, 120):
        assert np.allclose(got.velocities[frame, 0], [0.3, 0.1, -0.2], rtol=1e-10)
        now = spin(creature, got.coordinates[frame], got.velocities[frame])
        assert np.linalg.norm(now - before) < 1e-10 * np.linalg.norm(before)


def test_actuation_has_no_force_and_no_torque_but_modes_as_forces_have(creature):
    """Fig. 3: at any deformation and amplitudes the energy's forces are balanced; M D a, fixed in space, is not."""
    full, masses = full_space_of(creature), FemBody(creature.mesh).masses
    rng = np.random.default_rng(1)
    for _ in range(3):
        amplitudes = 0.1 * rng.normal(size=4)
        shape = rest_state(creature).coordinates + 0.05 * rng.normal(size=creature.rest_coordinates.shape)
        positions = creature.positions(shape)
        _, force = full.forces(positions, amplitudes)
        torque, size = np.cross(positions, force).sum(axis=0), np.abs(np.cross(positions, force)).sum()
        assert np.abs(force.sum(axis=0)).max() < 1e-12 * np.abs(force).sum()
        assert np.abs(torque).max() < 1e-12 * size
        linear = masses[:, None] * (creature.modes @ amplitudes)
        torque, size = np.cross(positions, linear).sum(axis=0), np.abs(np.cross(positions, linear)).sum()
        assert np.abs(torque).max() > 1e-3 * size


def test_energy_decays_without_actuation(creature):
    full, masses = full_space_of(creature), FemBody(creature.mesh).masses
    state = rest_state(creature)
    bent = replace(
        state, coordinates=state.coordinates + 0.03 * np.sin(np.arange(state.coordinates.size)).reshape(-1, 3)
    )
    got = rollout(creature, bent, idle(creature, 240), replace(WEIGHTLESS, iterations=30))
    energies = [
        sum(full.energies(creature.positions(z), np.zeros(4)))
        + 0.5 * (masses[:, None] * (creature.basis @ w) ** 2).sum()
        for z, w in zip(got.coordinates[::4], got.velocities[::4], strict=True)
    ]
    assert (np.diff(energies) <= 1e-9 * energies[0]).all()
    assert energies[-1] < 1e-4 * energies[0]


def test_a_mode_swings_at_its_frequency():
    """Full basis, a cluster an element: ω² = eigenvalue · (stiffness of both energies) / density."""
    mesh = box_tets((1.0, 0.4, 0.3), (3, 1, 1))
    found = vibrations(mesh, 2)
    options = ReducedOptions(stiffness=3e4, actuation_stiffness=1e4, density=500.0)
    each, nodes = np.arange(len(mesh.tets)), len(mesh.vertices)
    fem = FemBody(mesh, Material(density=500.0))
    body = assemble(fem, np.eye(nodes), found.shapes, each, each, np.arange(nodes), options)
    for mode in range(2):
        period = 1.0 / found.frequencies(4e4, 500.0)[mode]
        start = rest_state(body)
        shift = 1e-4 * np.linalg.lstsq(body.basis, found.shapes[:, :, mode], rcond=None)[0]
        dt = period / 2000
        got = rollout(
            body,
            replace(start, coordinates=start.coordinates + shift),
            np.zeros((2000, 2)),
            replace(WEIGHTLESS, dt=dt, iterations=2),
        )
        swing = ((got.coordinates - start.coordinates) * shift).sum(axis=(1, 2))
        crossings = np.flatnonzero(np.diff(np.sign(swing)))
        assert len(crossings) == 2
        assert crossings / 2000 == pytest.approx([0.25, 0.75], abs=0.003)


def test_work_is_the_energy_that_the_body_gains(creature):
    """(18) with small steps: kinetic and passive energy grow by the work of the actuation."""
    full, masses = full_space_of(creature), FemBody(creature.mesh).masses
    steps, dt = 400, 2e-4
    amplitudes = 0.05 * creature.size * np.linspace(0.0, 1.0, steps)[:, None] * np.ones(4)
    got = rollout(creature, rest_state(creature), amplitudes, replace(WEIGHTLESS, dt=dt))
    kinetic = 0.5 * (masses[:, None] * (creature.basis @ got.velocities[-1]) ** 2).sum()
    passive, _ = full.energies(creature.positions(got.coordinates[-1]), amplitudes[-1])
    assert got.work.sum() == pytest.approx(kinetic + passive, rel=0.02)
    assert kinetic > 1.0
    assert passive > 1.0


def test_a_stopped_rollout_goes_on_to_the_same_bytes(creature):
    actuation = drive(creature, 50)
    whole = rollout(creature, rest_state(creature), actuation)
    first = rollout(creature, rest_state(creature), actuation[:20])
    state, body = pickle.loads(pickle.dumps((first.end, creature)))
    second = rollout(body, state, actuation[20:])
    assert np.vstack([first.coordinates, second.coordinates[1:]]).tobytes() == whole.coordinates.tobytes()
    assert second.end.quaternions.tobytes() == whole.end.quaternions.tobytes()


def test_driven_by_some_of_its_modes(creature):
    actuation = drive(creature, 30)
    actuation[:, [0, 2]] = 0.0
    whole = rollout(creature, rest_state(creature), actuation)
    part = rollout(creature.with_modes([3, 1]), rest_state(creature), actuation[:, [3, 1]])
    assert np.allclose(part.coordinates, whole.coordinates, atol=1e-10)
    assert np.abs(whole.coordinates[-1] - whole.coordinates[0])[1:].max() > 0.01
    with pytest.raises(InputError, match="numbers from 0 to 3"):
        creature.with_modes([4])


def test_what_cannot_be_rolled_out_is_refused(creature):
    start = rest_state(creature)
    with pytest.raises(InputError, match="column for every mode"):
        rollout(creature, start, np.zeros((5, 3)))
    with pytest.raises(InputError, match="1 values not finite"):
        rollout(creature, start, np.where(np.arange(4) == 1, np.nan, np.zeros((1, 4))))
    with pytest.raises(InputError, match="rest_state"):
        rollout(creature, replace(start, quaternions=start.quaternions[1:]), np.zeros((5, 4)))
    with pytest.raises(StepError, match="step 0"):
        rollout(creature, replace(start, velocities=start.velocities + 1e308), np.zeros((5, 4)))
