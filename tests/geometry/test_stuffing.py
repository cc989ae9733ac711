"""Tetrahedra from signed distances: angles, volumes, topology, counts, and what is refused."""

import numpy as np
import pytest

from hydrostat.errors import InputError
from hydrostat.geometry import stuffing
from hydrostat.geometry.filling import filled, largest_piece, outline, pinches
from hydrostat.geometry.implicit import Blend, Box, Ellipsoid, Turned, ball, capsule
from hydrostat.geometry.quality import check_tets, dihedral_angles
from hydrostat.geometry.repair import diagnose, require_solid
from hydrostat.geometry.stuffing import stuffed
from hydrostat.geometry.tetrahedra import FACES

# The bounds of Labelle and Shewchuk, degrees.
LEAST, MOST = 10.78, 164.8


def random_shape(rng):
    blend = Blend((capsule((0.0, 0.0, 0.0), (0.5, 0.3, 0.0), 0.15), capsule((0.1, 0, 0), (0.3, 0.5, 0.2), 0.18)), 0.1)
    middle = tuple(rng.normal(0.0, 0.1, 3).tolist())
    kinds = [ball(middle, 0.5), Ellipsoid(middle, (0.5, 0.3, 0.25)), blend, Box((-0.4, -0.5, -0.3), (0.4, 0.5, 0.3))]
    axis = tuple(rng.normal(size=3).tolist())
    return Turned(kinds[rng.integers(len(kinds))], (0.0, 0.0, 0.0), axis, rng.uniform(0.0, 360.0))


@pytest.mark.parametrize("seed", range(40))
def test_angles_are_within_the_papers_bounds_and_the_boundary_is_closed(seed):
    rng = np.random.default_rng(seed)
    shape = random_shape(rng)
    mesh = stuffed(shape.distance, shape.bounds(), rng.uniform(0.06, 0.12))
    angles = dihedral_angles(mesh.vertices, mesh.tets)
    assert angles.min() > LEAST
    assert angles.max() < MOST
    assert (mesh.volumes > 0).all()
    require_solid(mesh.surface)
    assert diagnose(mesh.surface).volume == pytest.approx(mesh.volumes.sum())


@pytest.mark.parametrize("seed", range(3))
def test_the_bounds_hold_even_for_noise(seed):
    # Distances that have nothing to do with each other give every kind of cut, about thirty thousand tetrahedra.
    rng = np.random.default_rng(seed)
    mesh = stuffed(lambda points: rng.uniform(-1.0, 1.0, len(points)), np.array([[0.0] * 3, [1.0] * 3]), 0.05)
    angles = dihedral_angles(mesh.vertices, mesh.tets)
    assert angles.min() > LEAST
    assert angles.max() < MOST
    faces = np.sort(mesh.tets[:, FACES].reshape(-1, 3), axis=1)
    assert np.unique(faces, axis=0, return_counts=True)[1].max() == 2


def test_volume_and_surface_converge_with_the_square_of_the_cell():
    shape = ball((0.013, 0.027, 0.041), 0.5)
    errors = []
    for cell in (0.1, 0.05):
        mesh = stuffed(shape.distance, shape.bounds(), cell)
        rim = np.unique(mesh.boundary)
        # One secant step more than a straight line: vertices are on the surface far better than faces can be.
        assert np.abs(shape.distance(mesh.vertices[rim])).max() < 0.02 * cell**2
        errors.append(1 - mesh.volumes.sum() / (np.pi / 6))
    assert 3.0 < errors[0] / errors[1] < 5.0


def test_faces_of_a_box_that_lie_on_the_lattice_are_exact():
    mesh = stuffed(Box((0.0, 0.0, 0.0), (1.0, 1.0, 1.0)).distance, np.array([[0.0] * 3, [1.0] * 3]), 0.125)
    assert mesh.volumes.sum() == pytest.approx(1.0, rel=0.02)
    np.testing.assert_allclose([mesh.vertices.min(axis=0), mesh.vertices.max(axis=0)], [[0.0] * 3, [1.0] * 3])


@pytest.mark.parametrize("wanted", [300, 3000, 20_000])
def test_counts_are_met(wanted):
    shape = Blend((ball((0.0, 0.0, 0.0), 0.3), capsule((0.2, 0.0, 0.0), (0.8, 0.2, 0.0), 0.1)), 0.05)
    mesh = filled(shape.distance, shape.bounds(), wanted)
    assert len(mesh.tets) == pytest.approx(wanted, rel=0.1)
    quality = check_tets(mesh)
    assert (quality.inverted, quality.components, quality.unused_vertices) == (0, 1, 0)
    assert pinches(mesh.boundary) == 0
    again = filled(shape.distance, shape.bounds(), wanted)
    assert again.vertices.tobytes() == mesh.vertices.tobytes()
    assert again.tets.tobytes() == mesh.tets.tobytes()


def test_only_the_largest_piece_stays():
    two = Blend((ball((0.0, 0.0, 0.0), 0.3), ball((1.0, 0.0, 0.0), 0.2)))
    whole = stuffed(two.distance, two.bounds(), 0.06)
    assert check_tets(whole).components == 2
    piece = largest_piece(whole)
    assert check_tets(piece).components == 1
    assert piece.vertices[:, 0].max() < 0.5
    assert piece.volumes.sum() == pytest.approx(4 / 3 * np.pi * 0.3**3, rel=0.05)


def test_an_outline_is_a_closed_manifold_on_the_surface():
    shape = Blend((ball((0.0, 0.0, 0.0), 0.3), capsule((0.2, 0.0, 0.0), (0.8, 0.2, 0.0), 0.1)))
    surface = outline(shape.distance, shape.bounds(), 0.05)
    require_solid(surface)
    report = diagnose(surface)
    assert (report.components, report.nonmanifold_edges, report.boundary_edges) == (1, 0, 0)
    assert report.unused_vertices == 0
    assert np.abs(shape.distance(surface.vertices)).max() < 0.003


def test_pinches_are_counted():
    assert pinches(np.array([[0, 1, 2], [1, 0, 3], [0, 1, 4]])) == 1
    assert pinches(np.array([[0, 1, 2], [1, 0, 3]])) == 0


def test_what_is_too_thin_for_the_lattice_is_refused(monkeypatch):
    monkeypatch.setattr(stuffing, "MOST_POINTS", 200_000)
    needle = capsule((0.0, 0.0, 0.0), (1.0, 1.0, 1.0), 1e-4)
    with pytest.raises(InputError, match="lattice points"):
        stuffed(needle.distance, needle.bounds(), 1e-4)
    with pytest.raises(InputError, match="lattice points"):
        filled(needle.distance, needle.bounds(), 1000)
