"""Primitives are closed, outward and have the volume of their polyhedron."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hydrostat.errors import InputError
from hydrostat.geometry.primitives import box, box_tets, capsule, cylinder, ring_tets, sphere, tetrahedron, torus
from hydrostat.geometry.quality import check_tets
from hydrostat.geometry.repair import diagnose, require_solid

ROUND = {
    sphere: 4 / 3 * np.pi * 0.5**3,
    cylinder: np.pi * 0.5**2,
    capsule: np.pi * 0.25**2 * 0.5 + 4 / 3 * np.pi * 0.25**3,
    torus: 2 * np.pi**2 * 0.35 * 0.15**2,
}


@pytest.mark.parametrize("make", ROUND)
@pytest.mark.parametrize("segments", [3, 7, 64])
def test_round_solids_approach_their_volume_from_inside(make, segments):
    surface = make(segments=segments)
    require_solid(surface)
    report = diagnose(surface)
    assert (report.components, report.unused_vertices, report.zero_area_faces) == (1, 0, 0)
    assert 0 < report.volume < ROUND[make]
    if segments == 64:
        assert report.volume == pytest.approx(ROUND[make], rel=0.015)


def test_vertices_lie_on_the_true_surface():
    np.testing.assert_allclose(np.linalg.norm(sphere(2.0).vertices, axis=1), 2.0)
    x, y, z = torus(3.0, 0.5).vertices.T
    np.testing.assert_allclose((np.hypot(x, z) - 3.0) ** 2 + y**2, 0.25)
    rounded = capsule(0.5, 3.0).vertices
    rounded[:, 1] -= np.clip(rounded[:, 1], -1.0, 1.0)
    distance = np.linalg.norm(rounded, axis=1)
    np.testing.assert_allclose(distance, 0.5)


def test_box():
    surface = box((1.0, 2.0, 3.0))
    require_solid(surface)
    report = diagnose(surface)
    assert (report.vertices, report.faces) == (8, 12)
    assert report.volume == pytest.approx(6.0)
    assert report.area == pytest.approx(22.0)
    np.testing.assert_allclose(surface.vertices.max(axis=0), [0.5, 1.0, 1.5])


@given(st.tuples(*3 * [st.integers(1, 4)]), st.tuples(*3 * [st.floats(0.1, 10.0)]))
@settings(max_examples=30, deadline=None)
def test_box_tets_are_equal_and_conforming(cells, size):
    mesh = box_tets(size, cells)
    assert len(mesh.tets) == 6 * np.prod(cells)
    np.testing.assert_allclose(mesh.volumes, np.prod(size) / len(mesh.tets), rtol=1e-9)
    # Conforming: only faces on the sides of the box are boundary, two triangles a square.
    a, b, c = cells
    assert len(mesh.boundary) == 4 * (a * b + b * c + c * a)
    require_solid(mesh.surface)
    np.testing.assert_allclose(np.ptp(mesh.vertices, axis=0), size)


@given(st.tuples(st.integers(1, 3), st.integers(2, 8).map(lambda n: 2 * n), st.integers(1, 3)))
@settings(max_examples=30, deadline=None)
def test_ring_tets_are_conforming_and_rest_on_an_edge(cells):
    across, around, along = cells
    mesh = ring_tets(0.3, 0.5, 0.2, cells)
    assert len(mesh.tets) == 5 * np.prod(cells)
    assert mesh.volumes.min() > 0.0
    # Two triangles a square, on the two flat sides and on the walls outside and inside.
    assert len(mesh.boundary) == 4 * around * (across + along)
    require_solid(mesh.surface)
    sine = np.sin(2.0 * np.pi / around)
    assert mesh.volumes.sum() == pytest.approx(around / 2 * sine * (0.5**2 - 0.3**2) * 0.2)
    lowest = mesh.vertices[mesh.vertices[:, 1] < mesh.vertices[:, 1].min() + 1e-9]
    assert len(lowest) == 2 * (along + 1)


def test_tetrahedron():
    report = check_tets(tetrahedron())
    assert report.total_volume == pytest.approx(1 / 6)
    assert report.tets == 1


@pytest.mark.parametrize(
    "call",
    [
        lambda: box((1.0, 0.0, 1.0)),
        lambda: box_tets(cells=(1, 0, 1)),
        lambda: sphere(-1.0),
        lambda: sphere(segments=2),
        lambda: cylinder(height=0.0),
        lambda: capsule(0.5, 1.0),
        lambda: torus(0.1, 0.2),
        lambda: ring_tets(0.5, 0.3, 0.2, (1, 8, 1)),
        lambda: ring_tets(0.3, 0.5, 0.2, (1, 9, 1)),
    ],
)
def test_impossible_sizes_are_refused(call):
    with pytest.raises(InputError):
        call()
