"""The soft body against closed forms: patch test, cantilever, eigenfrequencies, rotation, ghost torque, inversion."""

import numpy as np
import pytest
from scipy.linalg import eigh
from scipy.spatial.transform import Rotation

from hydrostat.bodies.fem import FemBody, Material
from hydrostat.errors import InputError
from hydrostat.geometry.primitives import box_tets
from hydrostat.geometry.tetrahedra import TetMesh

RNG = np.random.default_rng(7)


def stiffness(body, positions):
    """K (3n, 3n) as the elements say it, dense, straight from T2012-(2): V Bᵀ D B."""
    deformation = body.deform(positions)
    lame_lambda, lame_mu = body.material.lame
    count = 3 * len(positions)
    matrix = np.zeros((count, count))
    for t, corners in enumerate(body.mesh.tets):
        b = np.zeros((6, 12))
        for a in range(4):
            x, y, z = deformation.gradients[t, a]
            b[:, 3 * a : 3 * a + 3] = [[x, 0, 0], [0, y, 0], [0, 0, z], [y, x, 0], [0, z, y], [z, 0, x]]
        d = np.zeros((6, 6))
        d[:3, :3] = lame_lambda
        d += np.diag([2 * lame_mu] * 3 + [lame_mu] * 3)
        dofs = (3 * corners[:, None] + np.arange(3)).ravel()
        matrix[np.ix_(dofs, dofs)] += body.mesh.volumes[t] * b.T @ d @ b
    return matrix


def effective_mass(body, positions, dt):
    material = body.material
    inertia = np.diag(np.repeat(body.masses, 3))
    damping = material.mass_damping * inertia + material.stiffness_damping * stiffness(body, positions)
    return inertia + dt * damping + dt**2 * stiffness(body, positions)


@pytest.fixture
def bent():
    body = FemBody(box_tets((1.0, 0.3, 0.2), (4, 2, 1)), Material(mass_damping=0.3))
    positions = body.rest_positions @ Rotation.from_rotvec([0.3, 1.0, -0.4]).as_matrix().T
    positions[:, 1] += 0.2 * positions[:, 0] ** 2
    return body, positions + 0.01 * RNG.normal(size=positions.shape)


def test_effective_mass_is_the_textbook_matrix(bent):
    body, positions = bent
    right = RNG.normal(size=(positions.size, 3))
    got = body.effective_mass(body.deform(positions), 0.02).solve(right)
    assert np.allclose(effective_mass(body, positions, 0.02) @ got, right, atol=1e-10)


def test_forces_are_the_strains_through_the_stiffness(bent):
    """−Bᵀ D B (p − R x) element by element, with each element's own rotation. T2012-(2)"""
    body, positions = bent
    deformation = body.deform(positions)
    forces = np.zeros_like(positions)
    for t, corners in enumerate(body.mesh.tets):
        one = FemBody(TetMesh(body.rest_positions[corners], np.array([[0, 1, 2, 3]])), body.material)
        offset = positions[corners] - body.rest_positions[corners] @ deformation.rotations[t].T
        forces[corners] -= (stiffness(one, positions[corners]) @ offset.ravel()).reshape(4, 3)
    assert np.allclose(body.elastic_forces(deformation), forces, atol=1e-9)


def test_masses_add_up_to_density_times_volume():
    body = FemBody(box_tets((1.0, 0.5, 0.2), (3, 2, 1)), Material(density=800.0))
    assert body.mass == pytest.approx(80.0, rel=1e-12)


def test_patch_test_uniform_strain_gives_uniform_stress():
    """Under an affine map every element has the same strain and inner nodes feel nothing."""
    body = FemBody(box_tets((1.0, 1.0, 1.0), (3, 3, 3)))
    gradient = np.eye(3) + 0.05 * RNG.normal(size=(3, 3))
    positions = body.rest_positions @ gradient.T
    deformation = body.deform(positions)
    assert np.ptp(deformation.strains, axis=0).max() < 1e-12
    inner = np.setdiff1d(np.arange(len(positions)), body.mesh.boundary)
    forces = body.elastic_forces(deformation)
    assert len(inner) == 8
    assert np.abs(forces[inner]).max() < 1e-9 * np.abs(forces).max()


@pytest.mark.parametrize("gradients", ["deformed", "rest"])
def test_rotation_invariance(gradients):
    body = FemBody(box_tets((1.0, 0.3, 0.2), (3, 1, 1)), Material(gradients=gradients))
    turn = Rotation.from_rotvec([1.0, -2.0, 0.5]).as_matrix()
    shape = body.rest_positions + 0.02 * RNG.normal(size=body.rest_positions.shape)
    forces = body.elastic_forces(body.deform(shape))
    turned = body.elastic_forces(body.deform(shape @ turn.T + [3.0, -1.0, 2.0]))
    assert np.allclose(turned, forces @ turn.T, atol=1e-9 * np.abs(forces).max())
    rigid = body.elastic_forces(body.deform(body.rest_positions @ turn.T))
    assert np.abs(rigid).max() < 1e-9 * np.abs(forces).max()


def test_ghost_torque_of_rest_gradients_and_none_of_deformed_ones(bent):
    """A free body that is bent and moving keeps its angular momentum in Nesme's form and gains some in the other.

    With exact polar rotations the elastic force itself has no torque in either form; damping and the implicit term
    K v⁺ have one in rest coordinates.
    """
    dt, velocities = 1 / 60, RNG.normal(size=bent[1].shape)
    gained = {}
    for gradients in ("deformed", "rest"):
        body = FemBody(bent[0].mesh, Material(gradients=gradients))
        deformation = body.deform(bent[1])
        forces = body.elastic_forces(deformation)
        assert np.linalg.norm(forces.sum(axis=0)) < 1e-12 * np.abs(forces).sum()
        assert np.linalg.norm(np.cross(bent[1], forces).sum(axis=0)) < 1e-12 * np.abs(forces).sum()
        momentum = body.masses[:, None] * velocities + dt * forces
        after = body.effective_mass(deformation, dt).solve(momentum.ravel()).reshape(-1, 3)
        moved = bent[1] + dt * after
        turn = [np.cross(p, body.masses[:, None] * v).sum(axis=0) for p, v in ((bent[1], velocities), (moved, after))]
        gained[gradients] = np.linalg.norm(turn[1] - turn[0]) / np.linalg.norm(turn[0])
    assert gained["deformed"] < 1e-12
    assert gained["rest"] > 1e-3


def test_rotations_are_the_polar_decomposition(bent):
    body, positions = bent
    deformation = body.deform(positions)
    corners, rest = positions[body.mesh.tets], body.rest_positions[body.mesh.tets]
    gradients = np.einsum("tai,taj->tij", corners, body.rest_gradients)
    assert np.allclose(np.einsum("tij,taj->tai", gradients, rest - rest[:, :1]), corners - corners[:, :1])
    u, _, vt = np.linalg.svd(gradients)
    assert np.allclose(deformation.rotations, u @ vt, atol=1e-12)


def test_small_strains_are_linear_elasticity():
    """Both forms have the derivative −K at rest, checked by central differences."""
    for gradients in ("deformed", "rest"):
        body = FemBody(box_tets((1.0, 0.4, 0.3), (2, 1, 1)), Material(gradients=gradients))
        rest, step = body.rest_positions, 1e-6
        way = RNG.normal(size=rest.shape)
        ahead, behind = (body.elastic_forces(body.deform(rest + s * step * way)) for s in (1.0, -1.0))
        slope = ((ahead - behind) / (2 * step)).ravel()
        assert np.allclose(slope, -stiffness(body, rest) @ way.ravel(), rtol=1e-6, atol=1e-4)


@pytest.mark.parametrize("squash", [0.3, 0.05, 0.0, -0.05, -0.9])
def test_flat_and_inverted_elements_stay_finite_and_push_back(squash):
    body = FemBody(box_tets((1.0, 1.0, 1.0), (1, 1, 1)))
    positions = body.rest_positions * [1.0, squash, 1.0]
    deformation = body.deform(positions)
    forces = body.elastic_forces(deformation)
    assert np.isfinite(forces).all()
    assert np.allclose(np.linalg.det(deformation.rotations), 1.0)
    top = body.rest_positions[:, 1] > 0.0
    assert forces[top, 1].sum() > 1e4
    assert np.isfinite(body.effective_mass(deformation, 0.01).solve(forces.ravel())).all()


def test_a_body_turned_inside_out_comes_back():
    """Steps of the implicit scheme bring a mirrored tetrahedron back to its rest volume.

    While it is flat, damping may set it spinning, because clamped gradients are not those of its shape; what remains
    of the volume change is centrifugal.
    """
    body = FemBody(TetMesh(np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]), np.array([[0, 1, 2, 3]])))
    positions = body.rest_positions * [1.0, 1.0, -0.7]
    velocities, dt = np.zeros_like(positions), 1e-2
    for _ in range(400):
        deformation = body.deform(positions)
        momentum = body.masses[:, None] * velocities + dt * body.elastic_forces(deformation)
        velocities = body.effective_mass(deformation, dt).solve(momentum.ravel()).reshape(-1, 3)
        positions = positions + dt * velocities
    volume = np.linalg.det(positions[1:] - positions[0]) / 6
    assert volume == pytest.approx(1.0 / 6.0, rel=0.02)


def tip_deflection(cells):
    """Static deflection of a cantilever under a small tip load over Euler–Bernoulli's with Timoshenko's shear."""
    length, side = 1.0, 0.2
    material = Material(youngs_modulus=1e6, poisson_ratio=0.0)
    body = FemBody(box_tets((length, side, side), (5 * cells, cells, cells)), material)
    rest = body.rest_positions
    rest = rest - rest.min(axis=0)
    free = np.repeat(rest[:, 0] > 1e-9, 3)
    tip = np.isclose(rest[:, 0], length)
    load = np.zeros_like(rest)
    load[tip, 1] = 1.0 / tip.sum()
    matrix = stiffness(body, body.rest_positions)
    moved = np.zeros(rest.size)
    moved[free] = np.linalg.solve(matrix[np.ix_(free, free)], load.ravel()[free])
    inertia, area, shear = side**4 / 12, side**2, 5e5
    expected = length**3 / (3 * 1e6 * inertia) + length / (5 / 6 * shear * area)
    return moved.reshape(-1, 3)[tip, 1].mean() / expected


def test_cantilever_converges_to_the_beam():
    """Linear tetrahedra are too stiff and converge from below, at nearly second order in the element size."""
    errors = np.array([1.0 - tip_deflection(cells) for cells in (1, 2, 4)])
    assert (errors > 0).all()
    assert errors[2] < 0.2
    rates = np.log2(errors[:-1] / errors[1:])
    assert rates[1] > rates[0] > 0.5
    assert 1.3 < rates[1] < 2.3


def test_eigenfrequencies_converge_to_the_bar():
    """Longitudinal modes of a free bar with ν = 0: ω_k = k π √(E/ρ) / L."""
    errors = []
    for cells in (4, 8):
        body = FemBody(box_tets((1.0, 0.1, 0.1), (cells, 1, 1)), Material(youngs_modulus=1e6, poisson_ratio=0.0))
        along = np.arange(0, 3 * len(body.rest_positions), 3)
        matrix = stiffness(body, body.rest_positions)[np.ix_(along, along)]
        # only sections that move as one: the coupling to y and z vanishes for ν = 0
        sections = np.round(body.rest_positions[:, 0] * cells).astype(int)
        basis = np.eye(cells + 1)[sections - sections.min()]
        values = eigh(basis.T @ matrix @ basis, basis.T @ np.diag(body.masses) @ basis, eigvals_only=True)
        frequencies = np.sqrt(np.maximum(values, 0.0))
        exact = np.arange(1, 3) * np.pi * np.sqrt(1e6 / 1000.0)
        errors.append(np.abs(frequencies[1:3] / exact - 1.0))
    assert (errors[1] < 0.03).all()
    assert (np.log2(errors[0] / errors[1]) > 1.8).all()


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"density": 0.0}, "density"),
        ({"youngs_modulus": float("nan")}, "youngs_modulus"),
        ({"poisson_ratio": 0.5}, "poisson_ratio"),
        ({"stiffness_damping": -1.0}, "stiffness_damping"),
        ({"gradients": "both"}, "gradients"),
    ],
)
def test_materials_without_meaning_are_refused(change, word):
    with pytest.raises(InputError, match=word):
        Material(**change)
