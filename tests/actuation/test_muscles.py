"""Muscle fibres: influence, the matrix A, and that a muscle pushes nothing but its own body."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from hydrostat.actuation.muscles import Fibre, MuscleGroup, build_muscles, helical, longitudinal, radial, ring
from hydrostat.bodies.fem import FemBody, Material
from hydrostat.errors import InputError
from hydrostat.geometry.primitives import box_tets
from hydrostat.geometry.tetrahedra import TetMesh

BAR = box_tets((1.0, 0.3, 0.3), (6, 2, 2))
MESH = TetMesh(BAR.vertices + [0.5, 0.15, 0.15], BAR.tets)
BODY = FemBody(MESH)
LONG = [longitudinal((0.05, y, z), (0.95, y, z), segments=5) for y in (0.05, 0.25) for z in (0.05, 0.25)]
GROUPS = [
    MuscleGroup("long", LONG),
    MuscleGroup("radial", radial((0.5, 0.15, 0.15), ((0, 0.2, 0), (0, 0, 0.2)))),
    MuscleGroup("helical", [helical((0.1, 0.15, 0.15), (0.9, 0.15, 0.15), radius=0.1, turns=1.5, segments=9)]),
]
MUSCLES = build_muscles(MESH, GROUPS)


def force_matrix(muscles, positions, body=BODY):
    deformation = body.deform(positions)
    return muscles.force_matrix(deformation.rotations, deformation.areas, body.mesh.tets, len(positions))


def bent(seed, size=0.02):
    rng = np.random.default_rng(seed)
    positions = MESH.vertices + size * rng.normal(size=MESH.vertices.shape)
    positions[:, 1] += 0.4 * positions[:, 0] ** 2
    return positions @ Rotation.random(random_state=seed).as_matrix().T


@given(seed=st.integers(0, 1000))
def test_every_segment_has_no_net_force_and_no_net_torque(seed):
    positions = bent(seed)
    columns = force_matrix(MUSCLES, positions).T.reshape(len(MUSCLES.rest_lengths), -1, 3)
    size = np.abs(columns).sum(axis=(1, 2))
    torque = np.cross(positions, columns).sum(axis=1)
    assert (np.linalg.norm(columns.sum(axis=1), axis=1) < 1e-13 * size).all()
    assert (np.linalg.norm(torque, axis=1) < 1e-13 * size).all()
    assert (size > 1e3).all()


def test_a_column_is_the_stress_through_the_faces():
    """A column, face by face as in T2012 section 4.2: stress × area-weighted normal, thirds to the corners."""
    positions, j = bent(3), 4
    deformation = BODY.deform(positions)
    expected = np.zeros_like(positions)
    for t, corners in enumerate(MESH.tets):
        row = slice(MUSCLES.first[t], MUSCLES.first[t + 1])
        weight = MUSCLES.weights[row][MUSCLES.members[row] == j].sum()
        along = deformation.rotations[t] @ MUSCLES.directions[j]
        stress = weight * MUSCLES.stiffness / MUSCLES.rest_lengths[j] * np.outer(along, along)
        for a in range(4):
            face = np.delete(corners, a)
            p, q, r = positions[face]
            area = 0.5 * np.cross(q - p, r - p)
            area *= np.sign(area @ (p - positions[corners[a]]))  # outward
            expected[face] += stress @ area / 3.0
    assert np.allclose(force_matrix(MUSCLES, positions)[:, j].reshape(-1, 3), expected, atol=1e-9)


def test_contraction_shortens_the_bar():
    """Contracting all long fibres pulls the two ends towards one another."""
    contraction = np.where(MUSCLES.groups == 0, -0.1 * MUSCLES.rest_lengths, 0.0)
    forces = (force_matrix(MUSCLES, MESH.vertices) @ contraction).reshape(-1, 3)
    right = MESH.vertices[:, 0] > 0.99
    left = MESH.vertices[:, 0] < 0.01
    assert forces[right, 0].sum() < -10.0
    assert forces[left, 0].sum() > 10.0


def test_radial_contraction_lengthens_the_bar():
    """Volume is kept, so a bar that is squeezed across grows along (static solution of the free bar)."""
    body = FemBody(MESH, Material(poisson_ratio=0.45))
    positions, velocities, dt = MESH.vertices.copy(), np.zeros_like(MESH.vertices), 0.05
    desired = np.where(MUSCLES.groups == 1, 0.6, 1.0) * MUSCLES.rest_lengths
    for _ in range(60):
        deformation = body.deform(positions)
        push = force_matrix(MUSCLES, positions, body) @ (desired - MUSCLES.lengths(positions))
        momentum = body.masses[:, None] * velocities + dt * (body.elastic_forces(deformation) + push.reshape(-1, 3))
        velocities = body.effective_mass(deformation, dt).solve(momentum.ravel()).reshape(-1, 3)
        positions = positions + dt * velocities
    extent = np.ptp(positions, axis=0)
    assert extent[0] > 1.01
    assert extent[1] < 0.3 and extent[2] < 0.3


def test_helical_contraction_twists_the_bar():
    desired = np.where(MUSCLES.groups == 2, -0.05, 0.0)
    forces = (force_matrix(MUSCLES, MESH.vertices) @ desired).reshape(-1, 3)
    arms = MESH.vertices - [0.0, 0.15, 0.15]
    right = MESH.vertices[:, 0] > 0.6
    twist = np.cross(arms[right], forces[right]).sum(axis=0)[0]
    whole = np.cross(arms, forces).sum(axis=0)[0]
    assert abs(twist) > 0.5
    assert abs(whole) < 1e-10 * abs(twist)


def test_influences_sum_to_one_within_a_group():
    for g, name in enumerate(MUSCLES.names):
        own = MUSCLES.groups[MUSCLES.members] == g
        sums = np.add.reduceat(np.where(own, MUSCLES.weights, 0.0), MUSCLES.first[:-1])
        assert np.allclose(sums, 1.0), name


def test_gaussian_influence_is_the_printed_formula():
    """T2012-(5) for one element, its distances measured by brute force along the fibre."""
    muscles = build_muscles(MESH, [GROUPS[0]])
    centre = MESH.vertices[MESH.tets[37]].mean(axis=0)
    share = np.linspace(0, 1, 4001)[:, None]
    ends = muscles.embedding.positions(MESH.vertices)[muscles.segments]
    away = [np.linalg.norm((1 - share) * a + share * b - centre, axis=1).min() for a, b in ends]
    expected = np.exp(-(np.array(away) ** 2) / GROUPS[0].width ** 2)
    expected /= expected.sum()
    row = slice(muscles.first[37], muscles.first[38])
    got = np.zeros(len(ends))
    got[muscles.members[row]] = muscles.weights[row]
    assert np.allclose(got, expected, atol=3e-3)
    inverse = build_muscles(MESH, [MuscleGroup("inverse", LONG, falloff="inverse")])
    row = slice(inverse.first[37], inverse.first[38])
    expected = 1.0 / np.array(away)
    assert np.allclose(inverse.weights[row], (expected / expected.sum())[inverse.members[row]], rtol=1e-3)


def test_strength_does_not_depend_on_the_number_of_segments():
    """The same fibre in three and in nine segments, contracted by a tenth, pushes nearly the same."""
    pushes = []
    for segments in (3, 9):
        muscles = build_muscles(MESH, [MuscleGroup("long", [longitudinal((0, 0.15, 0.15), (1, 0.15, 0.15), segments)])])
        pushes.append(force_matrix(muscles, MESH.vertices) @ (-0.1 * muscles.rest_lengths))
    assert np.abs(pushes[0] - pushes[1]).max() < 0.02 * np.abs(pushes[0]).max()


def test_reach_leaves_far_elements_alone():
    near = build_muscles(MESH, [MuscleGroup("end", [longitudinal((0.0, 0.15, 0.15), (0.2, 0.15, 0.15), 2)], reach=0.2)])
    moved = np.abs(force_matrix(near, MESH.vertices)).sum(axis=1).reshape(-1, 3).sum(axis=1) > 0
    assert not moved[MESH.vertices[:, 0] > 0.7].any()
    assert moved[MESH.vertices[:, 0] < 0.1].any()


def test_lengths_bounds_and_activation():
    assert np.allclose(MUSCLES.lengths(MESH.vertices), MUSCLES.rest_lengths)
    assert np.allclose(MUSCLES.lengths(2.0 * MESH.vertices), 2.0 * MUSCLES.rest_lengths)
    assert np.allclose(MUSCLES.lower, 0.5 * MUSCLES.rest_lengths)
    assert np.allclose(MUSCLES.activation(MUSCLES.lower), 1.0)
    assert np.allclose(MUSCLES.activation(MUSCLES.upper), 0.0)


def test_ring_closes_and_has_its_segments():
    fibre = ring((0, 0, 0), (0, 0, 1), 0.5, 20)
    assert np.array_equal(fibre.points[0], fibre.points[-1])
    assert len(fibre.points) == 21
    assert np.allclose(np.linalg.norm(fibre.points, axis=1), 0.5)


@pytest.mark.parametrize(
    ("groups", "word"),
    [
        ([], "no muscle fibres"),
        ([MuscleGroup("dot", [Fibre(np.zeros((1, 3)))])], "dot"),
        ([MuscleGroup("still", [Fibre(np.zeros((2, 3)))])], "no length"),
        ([MuscleGroup("nan", [Fibre(np.full((2, 3), np.nan))])], "nan"),
        ([MuscleGroup("odd", LONG, falloff="square")], "falloff"),  # type: ignore[arg-type]
    ],
)
def test_muscles_without_meaning_are_refused(groups, word):
    with pytest.raises(InputError, match=word):
        build_muscles(MESH, groups)
