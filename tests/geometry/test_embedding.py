"""Embedded points return to their place, and follow affine motions exactly."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hydrostat.errors import InputError
from hydrostat.geometry.embedding import embed
from hydrostat.geometry.nearest import nearest_on_faces
from hydrostat.geometry.primitives import box, box_tets, sphere, tetrahedron
from hydrostat.geometry.surfaces import Surface
from hydrostat.geometry.tetrahedra import TetMesh


def wobbly_box(rng, cells=(4, 3, 5)):
    mesh = box_tets((1.0, 0.8, 1.2), cells)
    return TetMesh(mesh.vertices + rng.uniform(-0.02, 0.02, mesh.vertices.shape), mesh.tets)


@given(st.integers(0, 1000))
@settings(max_examples=20, deadline=None)
def test_affine_motions_are_exact_inside_and_outside(seed):
    rng = np.random.default_rng(seed)
    mesh = wobbly_box(rng)
    points = rng.uniform(-0.8, 0.8, (200, 3))
    embedding = embed(points, mesh)
    linear, shift = rng.normal(size=(3, 3)), rng.normal(size=3)
    moved = embedding.positions(mesh.vertices @ linear.T + shift)
    np.testing.assert_allclose(moved, points @ linear.T + shift, atol=1e-12)
    np.testing.assert_allclose(embedding.weights.sum(axis=1), 1.0, atol=1e-12)


def test_points_inside_a_tet_find_that_tet():
    rng = np.random.default_rng(7)
    mesh = wobbly_box(rng)
    weights = rng.dirichlet([1.0, 1.0, 1.0, 1.0], 500)
    tets = rng.integers(0, len(mesh.tets), 500)
    points = np.einsum("kc,kci->ki", weights, mesh.vertices[mesh.tets[tets]])
    embedding = embed(points, mesh)
    np.testing.assert_array_equal(embedding.tets, tets)
    np.testing.assert_array_equal(embedding.corners, mesh.tets[tets])
    np.testing.assert_allclose(embedding.weights, weights, atol=1e-12)


def test_a_long_tet_is_found_although_smaller_ones_have_nearer_middles():
    # A needle along x, its tip among many small tetrahedra whose middles are much nearer.
    needle = np.array([[0, 0, 0], [10, 0.1, 0], [10, -0.1, 0.1], [10, -0.1, -0.1]], dtype=float)
    small = box_tets((0.2, 0.2, 0.2), (3, 3, 3))
    vertices = np.vstack([needle, small.vertices - [0.2, 0, 0]])
    tets = np.vstack([[0, 1, 2, 3], small.tets + 4])
    if np.linalg.det(needle[1:] - needle[0]) < 0:
        tets[0] = [0, 2, 1, 3]
    embedding = embed(np.array([[0.5, 0.0, 0.0]]), TetMesh(vertices, tets))
    assert embedding.tets.tolist() == [0]
    assert embedding.weights.min() > 0


def test_vertices_and_outside_points_of_one_tetrahedron():
    mesh = tetrahedron()
    np.testing.assert_allclose(embed(mesh.vertices, mesh).weights, np.eye(4), atol=1e-15)
    far = embed(np.array([[2.0, 2.0, 2.0]]), mesh)
    np.testing.assert_allclose(far.weights, [[-5.0, 2.0, 2.0, 2.0]], atol=1e-12)


def test_a_point_outside_takes_the_tet_behind_the_nearest_face():
    mesh = box_tets((1.0, 1.0, 1.0), (3, 3, 3))
    rng = np.random.default_rng(3)
    points = rng.uniform(-1.5, 1.5, (300, 3))
    points = points[np.abs(points).max(axis=1) > 0.5]
    chosen = embed(points, mesh)
    nearest = np.clip(points, -0.5, 0.5)
    # The chosen tetrahedron reaches the point of the box that is nearest.
    _, place = nearest_on_faces(points, mesh.vertices, mesh.boundary)
    np.testing.assert_allclose(place, nearest, atol=1e-12)
    corners = mesh.vertices[chosen.corners]
    edges = (corners[:, 1:] - corners[:, :1]).transpose(0, 2, 1)
    inner = np.linalg.solve(edges, (nearest - corners[:, 0])[:, :, None])[:, :, 0]
    assert inner.min() > -1e-9
    assert inner.sum(axis=1).max() < 1 + 1e-9


def test_matrix_is_the_same_map():
    rng = np.random.default_rng(5)
    mesh = wobbly_box(rng)
    embedding = embed(rng.uniform(-0.6, 0.6, (50, 3)), mesh)
    moved = mesh.vertices + rng.normal(scale=0.1, size=mesh.vertices.shape)
    matrix = embedding.matrix(len(mesh.vertices))
    assert matrix.shape == (50, len(mesh.vertices))
    np.testing.assert_allclose(matrix @ moved, embedding.positions(moved), atol=1e-13)


def test_no_points():
    mesh = tetrahedron()
    embedding = embed(np.empty((0, 3)), mesh)
    assert embedding.positions(mesh.vertices).shape == (0, 3)
    assert embedding.matrix(4).shape == (0, 4)


ONE_TRIANGLE = Surface(np.array([[-1.0, 0, 0], [1, 0, 0], [0, 0.8, 0.3]]), np.array([[0, 1, 2]]))


@pytest.mark.parametrize("surface", [box((0.3, 2.0, 1.0)), sphere(1.0, 12), ONE_TRIANGLE])
def test_nearest_point_is_at_most_as_far_as_many_points_of_the_surface(surface):
    rng = np.random.default_rng(11)
    points = rng.uniform(-1.5, 1.5, (60, 3))
    face, place = nearest_on_faces(points, surface.vertices, surface.faces)
    weights = rng.dirichlet([0.5, 0.5, 0.5], (len(surface.faces), 400))
    # Half of them on the edges, where the nearest point often is.
    weights[:, ::2, 0] = 0.0
    weights /= weights.sum(axis=2, keepdims=True)
    dense = np.einsum("fsc,fci->fsi", weights, surface.vertices[surface.faces]).reshape(-1, 3)
    found = np.linalg.norm(place - points, axis=1)
    sampled = np.linalg.norm(points[:, None] - dense[None], axis=2).min(axis=1)
    assert (found <= sampled + 1e-12).all()
    assert (found >= sampled - 0.2).all()
    # It lies on the face that is named.
    corners = surface.vertices[surface.faces[face]]
    plane = np.column_stack([corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]]).reshape(-1, 2, 3)
    flat = [np.linalg.lstsq(p.T, q, rcond=None)[0] for p, q in zip(plane, place - corners[:, 0], strict=True)]
    assert np.min(flat) > -1e-9
    assert np.sum(flat, axis=1).max() < 1 + 1e-9
    assert np.allclose([p.T @ w for p, w in zip(plane, flat, strict=True)], place - corners[:, 0], atol=1e-9)


@pytest.mark.parametrize("points", [np.zeros(3), np.zeros((2, 2)), np.array([[0.0, np.nan, 0.0]])])
def test_points_that_are_none_are_refused(points):
    with pytest.raises(InputError):
        embed(points, tetrahedron())
