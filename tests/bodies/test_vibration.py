"""Vibrations against closed forms, a dense solver, and the energy that they come from."""

import numpy as np
import pytest
from scipy.linalg import eigh

from hydrostat.bodies.fem import FemBody, Material
from hydrostat.bodies.mesh_matrices import elastic_hessian, laplacian, node_pairs
from hydrostat.bodies.vibration import local_vibrations, rigid_motions, vibrations
from hydrostat.errors import InputError
from hydrostat.geometry.primitives import box_tets
from hydrostat.geometry.tetrahedra import TetMesh

RNG = np.random.default_rng(3)


def uneven(size=(1.0, 0.5, 0.3), cells=(3, 2, 2)):
    """A box whose inner symmetries are broken, so that no two modes are alike."""
    mesh = box_tets(size, cells)
    shift = 0.05 * np.sin(3.0 * mesh.vertices @ RNG.normal(size=(3, 3)))
    return TetMesh(mesh.vertices + shift * np.array(size), mesh.tets)


def hessian(mesh):
    body = FemBody(mesh)
    return elastic_hessian(node_pairs(len(mesh.vertices), mesh.tets), body.rest_gradients, mesh.volumes)


def rigid_energy(mesh, positions):
    """Σ V |F − R|²/2 with the nearest rotation of every element."""
    gradients = np.einsum("tai,taj->tij", positions[mesh.tets], FemBody(mesh).rest_gradients)
    u, _, vt = np.linalg.svd(gradients)
    return 0.5 * (mesh.volumes * ((gradients - u @ vt) ** 2).sum(axis=(1, 2))).sum()


def test_the_hessian_is_the_second_derivative_of_the_energy():
    mesh = uneven()
    matrix, step = hessian(mesh), 1e-4
    for _ in range(3):
        way = RNG.normal(size=mesh.vertices.shape)
        ahead, behind = (rigid_energy(mesh, mesh.vertices + s * step * way) for s in (1.0, -1.0))
        curvature = (ahead + behind) / step**2
        assert way.ravel() @ matrix @ way.ravel() == pytest.approx(curvature, rel=1e-5)


def test_rigid_motion_costs_nothing_and_constants_neither():
    mesh = uneven()
    matrix = hessian(mesh)
    assert np.abs(matrix @ rigid_motions(mesh.vertices)).max() < 1e-13 * np.abs(matrix).max()
    scalar = laplacian(node_pairs(len(mesh.vertices), mesh.tets), FemBody(mesh).rest_gradients, mesh.volumes)
    assert np.abs(scalar.sum(axis=1)).max() < 1e-13 * np.abs(scalar).max()
    slope = RNG.normal(size=3)  # a linear function x · g has the energy |g|² V
    values = mesh.vertices @ slope
    assert values @ scalar @ values == pytest.approx(slope @ slope * mesh.volumes.sum(), rel=1e-12)


@pytest.mark.parametrize("cells", [(2, 1, 1), (5, 4, 3)])  # a dense and an iterative solution
def test_modes_are_the_lowest_solutions_of_the_eigenproblem(cells):
    mesh = uneven(cells=cells)
    found = vibrations(mesh, 8)
    masses = np.repeat(FemBody(mesh, Material(density=1.0)).masses, 3)
    matrix = hessian(mesh).toarray()
    exact = eigh(matrix, np.diag(masses), eigvals_only=True)
    assert np.allclose(found.eigenvalues, exact[6:14], rtol=1e-9)
    flat = found.shapes.reshape(-1, 8)
    residual = matrix @ flat - masses[:, None] * flat * found.eigenvalues
    assert np.abs(residual).max() < 1e-8 * np.abs(matrix @ flat).max()
    assert np.allclose(flat.T @ (masses[:, None] * flat), masses.sum() / 3 * np.eye(8), atol=1e-9)
    assert np.abs(rigid_motions(mesh.vertices).T @ (masses[:, None] * flat)).max() < 1e-9


def test_equal_modes_are_all_found():
    """A bar with a square section bends both ways at one frequency."""
    mesh = box_tets((1.0, 0.2, 0.2), (10, 2, 2))
    exact = eigh(hessian(mesh).toarray(), np.diag(np.repeat(FemBody(mesh, Material(1.0)).masses, 3)), eigvals_only=True)
    assert np.allclose(vibrations(mesh, 7).eigenvalues, exact[6:13], rtol=1e-9)


def test_a_bar_stretches_and_bends_at_its_frequencies():
    """Free bar, E = stiffness (ν = 0): longitudinal ω² = (π/L)² E/ρ, bending 22.37² E I/(ρ A L⁴) from above."""
    along, bends = [], []
    for cells in (1, 2):
        mesh = box_tets((1.0, 0.1, 0.1), (16 * cells, 2 * cells, 2 * cells))
        found = vibrations(mesh, 8)
        # the shape of the longitudinal mode moves along x on the whole section
        share = (found.shapes[:, 0] ** 2).sum(axis=0) / (found.shapes**2).sum(axis=(0, 1))
        along.append(found.eigenvalues[share > 0.95][0] / np.pi**2)
        bends.append(found.eigenvalues[0] / (22.373**2 * 0.1**2 / 12.0))
    assert along[1] == pytest.approx(1.0, abs=0.01)
    assert bends[0] > bends[1] > 1.0
    assert np.log2((bends[0] - 0.97) / (bends[1] - 0.97)) > 1.2  # shear makes a real bar softer than 1 by about 3 %


def test_size_and_place_change_units_only():
    mesh = uneven(cells=(5, 4, 3))
    plain = vibrations(mesh, 5)
    for factor in (1e-3, 1e3):
        scaled = vibrations(TetMesh(factor * (mesh.vertices + [5.0, -3.0, 2.0]), mesh.tets), 5)
        assert np.allclose(scaled.eigenvalues * factor**2, plain.eigenvalues, rtol=1e-8)
        assert np.allclose(scaled.shapes, plain.shapes, atol=1e-5)
    assert plain.frequencies(4e5, 1e3)[0] == pytest.approx(20.0 * np.sqrt(plain.eigenvalues[0]) / (2 * np.pi))


def test_the_same_mesh_gives_the_same_bytes():
    mesh = uneven(cells=(5, 4, 3))
    assert vibrations(mesh, 5).shapes.tobytes() == vibrations(mesh, 5).shapes.tobytes()


@pytest.mark.parametrize("second", [[0.0, 0.0, 0.0], [2.0, 0.0, 0.0]], ids=["hinge", "apart"])
def test_a_mesh_that_moves_without_deforming_is_refused(second):
    """Two boxes that share one corner, and two that share nothing."""
    one = box_tets((1.0, 1.0, 1.0), (2, 2, 2))
    vertices, index = np.unique(
        np.vstack([one.vertices, one.vertices + 1.0 + np.array(second)]).round(9), axis=0, return_inverse=True
    )
    tets = np.vstack([one.tets, one.tets + len(one.vertices)])
    with pytest.raises(InputError, match="beyond rigid motion"):
        vibrations(TetMesh(vertices, index.ravel()[tets]), 4)


def test_more_modes_than_a_mesh_has_are_refused():
    with pytest.raises(InputError, match="refine"):
        vibrations(box_tets(), 50)


def test_local_modes_stay_in_their_part():
    mesh = box_tets((2.0, 0.3, 0.2), (32, 5, 4))
    part = (mesh.vertices[:, 0] > 0.25).astype(float)
    found = local_vibrations(mesh, part, 4)
    masses = FemBody(mesh).masses
    energy = np.einsum("n,niv->nv", masses, found.shapes**2)
    assert (energy[part == 0].sum(axis=0) < 1e-3 * energy.sum(axis=0)).all()
    # the lowest mode is that of a cantilever as long as the part, 3.516² E I / (ρ A L⁴), thin side first
    inner = 0.2**2 / 12.0 * (1.875**2 / 0.75**2) ** 2
    assert found.eigenvalues[0] == pytest.approx(inner, rel=0.2)
    with pytest.raises(InputError, match="membership"):
        local_vibrations(mesh, 2.0 * part, 4)
    with pytest.raises(InputError, match="whole"):
        local_vibrations(mesh, np.ones_like(part), 4)
