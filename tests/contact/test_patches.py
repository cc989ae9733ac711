"""Contact patches: where they are, what they weigh, that they follow the body."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from hydrostat.contact.friction import Friction
from hydrostat.contact.ground import Plane
from hydrostat.contact.patches import PatchOptions, find_contacts, sole_of
from hydrostat.errors import InputError
from hydrostat.geometry.primitives import box_tets
from hydrostat.geometry.tetrahedra import TetMesh

BOX = box_tets((0.6, 0.4, 0.3), (6, 4, 3))
MESH = TetMesh(BOX.vertices + [0.3, 0.2, 0.15], BOX.tets)
SOLE = sole_of(MESH)


def contacts_of(positions, velocities=None, count=4, mesh_sole=SOLE, **options):
    velocities = np.zeros_like(positions) if velocities is None else velocities
    return find_contacts(mesh_sole, positions, velocities, Plane(), Friction(), PatchOptions(count, **options), 1 / 60)


def test_sole_knows_the_surface():
    assert SOLE.areas.sum() == pytest.approx(2 * (0.6 * 0.4 + 0.6 * 0.3 + 0.4 * 0.3))


def test_a_standing_box_has_one_patch_a_quarter():
    contacts = contacts_of(MESH.vertices)
    assert len(contacts) == 4
    middles = contacts.points[:, [0, 2]] - [0.3, 0.15]
    assert {tuple(np.sign(m)) for m in middles} == {(-1, -1), (-1, 1), (1, -1), (1, 1)}
    assert np.allclose(contacts.gaps, 0.0)
    assert np.allclose(contacts.points[:, 1], 0.0)


@given(seed=st.integers(0, 500), count=st.integers(1, 8))
def test_rows_are_weighted_means_in_the_contact_frames(seed, count):
    """Rigid motion of the body moves every patch with the velocity of its own point."""
    rng = np.random.default_rng(seed)
    turn = Rotation.from_rotvec(0.2 * rng.normal(size=3)).as_matrix()
    positions = MESH.vertices @ turn.T
    positions[:, 1] -= positions[:, 1].min()
    contacts = contacts_of(positions, count=count)
    assert 1 <= len(contacts) <= count
    linear, angular = rng.normal(size=3), rng.normal(size=3)
    velocities = linear + np.cross(angular, positions)
    expected = np.einsum("cri,ci->cr", contacts.frames, linear + np.cross(angular, contacts.points))
    assert np.allclose(contacts.rows @ velocities.ravel(), expected.ravel(), atol=1e-12)


def test_a_tilted_box_stands_on_its_rim():
    turn = Rotation.from_rotvec([0, 0, 0.1]).as_matrix()
    positions = MESH.vertices @ turn.T
    positions[:, 1] -= positions[:, 1].min()
    contacts = contacts_of(positions)
    touching = contacts.gaps < 1e-9
    assert touching.sum() == 2
    assert np.allclose(contacts.points[touching, 0], positions[np.argmin(positions[:, 1]), 0])
    assert (contacts.gaps[~touching] > 0.01).all()


def test_a_rolling_body_finds_patches_everywhere():
    for angle in np.linspace(0, 2 * np.pi, 9):
        positions = MESH.vertices @ Rotation.from_rotvec([0, 0, angle]).as_matrix().T
        positions[:, 1] -= positions[:, 1].min()
        assert contacts_of(positions).gaps.min() == pytest.approx(0.0, abs=1e-12)


def test_two_feet_share_the_patches():
    far = TetMesh(
        np.concatenate([MESH.vertices, MESH.vertices + [2.0, 0, 0]]),
        np.concatenate([MESH.tets, MESH.tets + len(MESH.vertices)]),
    )
    contacts = contacts_of(far.vertices, mesh_sole=sole_of(far))
    assert sorted(contacts.points[:, 0] > 1.0) == [False, False, True, True]


def test_nothing_near_the_ground_means_no_patches():
    contacts = contacts_of(MESH.vertices + [0, 1.0, 0])
    assert len(contacts) == 0
    assert contacts.rows.shape == (0, MESH.vertices.size)


def test_patches_look_ahead_of_a_fall():
    """A box that falls fast gets patches before it touches, with the approach that is still free."""
    high = MESH.vertices + [0, 0.1, 0]
    falling = np.tile([0.0, -6.0, 0.0], (len(high), 1))
    assert len(contacts_of(high)) == 0
    contacts = contacts_of(high, falling)
    assert np.allclose(contacts.clearance, 0.1 * 60)


def test_penetration_is_undone_by_and_by():
    contacts = contacts_of(MESH.vertices - [0, 0.01, 0], recovery=0.25)
    assert np.allclose(contacts.clearance, -0.25 * 0.01 * 60)


def test_patches_are_a_function_of_the_state():
    first, second = contacts_of(MESH.vertices), contacts_of(MESH.vertices.copy())
    assert first.rows.tobytes() == second.rows.tobytes()


@pytest.mark.parametrize("change", [{"count": 0}, {"pad": 0.0}, {"reach": float("nan")}, {"recovery": -1.0}])
def test_options_without_meaning_are_refused(change):
    with pytest.raises(InputError, match="Cure"):
        PatchOptions(**change)
