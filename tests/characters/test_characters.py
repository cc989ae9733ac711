"""Every character: a good mesh, muscles inside it, and the sizes that its paper names."""

import numpy as np
import pytest

from hydrostat.characters import CHARACTERS
from hydrostat.geometry.quality import smallest_dihedral

SIZES = {
    "f": (705, 48, 4),
    "h": (1901, 52, 4),
    "i": (1066, 48, 4),
    "i-jump": (1066, 104, 4),
    "o": (911, 40, 6),
    "t": (1219, 51, 4),
    "worm": (620, 26, 8),
    "x": (1128, 112, 4),
}
# Axes along which meshes are symmetric to the last bit.
SYMMETRIC = {"f": (2,), "i-jump": (0, 2), "t": (0, 2), "worm": (0, 2), "x": (0, 2)}


@pytest.mark.parametrize("name", CHARACTERS)
def test_contract(name):
    character = CHARACTERS[name]
    mesh = character.body.mesh
    assert character.name == name
    assert np.isfinite(mesh.vertices).all()
    assert (mesh.volumes > 0.0).all()
    assert smallest_dihedral(mesh.vertices, mesh.tets).min() >= 10.0
    assert mesh.vertices[:, 1].min() == pytest.approx(0.0, abs=1e-3)
    assert np.ptp(mesh.vertices[:, 1]) == pytest.approx(character.height, rel=0.02)


@pytest.mark.parametrize("name", SIZES)
def test_sizes_are_those_of_the_paper(name):
    """T2012 Table 1, the number of tetrahedra within 5 %."""
    character = CHARACTERS[name]
    tets, segments, patches = SIZES[name]
    assert len(character.body.mesh.tets) == pytest.approx(tets, rel=0.05)
    assert len(character.muscles.rest_lengths) == segments
    assert character.patches.count == patches
    assert f"{len(character.body.mesh.tets)} tets, {segments} " in character.summary


@pytest.mark.parametrize("name", SIZES)
def test_fibres_lie_inside_the_body(name):
    muscles = CHARACTERS[name].muscles
    assert (muscles.embedding.weights > -1e-6).all()


def places(points):
    """The set of ``points`` (n, 3) m, to a micrometre."""
    return set(map(tuple, np.round(points, 6) + 0.0))


@pytest.mark.parametrize(("name", "axis"), [(name, axis) for name, axes in SYMMETRIC.items() for axis in axes])
def test_mesh_is_symmetric(name, axis):
    vertices = CHARACTERS[name].body.mesh.vertices
    assert places(vertices * np.where(np.arange(3) == axis, -1.0, 1.0)) == places(vertices)


@pytest.mark.parametrize(("name", "axis"), [(name, 2) for name in SIZES] + [(name, 0) for name in "hoitx"])
def test_letter_and_its_fibres_are_symmetric(name, axis):
    character = CHARACTERS[name]
    centre = character.body.masses @ character.body.rest_positions / character.body.mass
    assert centre[axis] == pytest.approx(0.0, abs=2e-3)
    groups = [group for group in character.groups() if "handed" not in group.name]  # helices are mirror images in pairs
    middles = np.concatenate([(f.points[1:] + f.points[:-1]) / 2 for group in groups for f in group.fibres])
    assert places(middles * np.where(np.arange(3) == axis, -1.0, 1.0)) == places(middles)


def test_o_looks_the_same_two_cells_further():
    vertices = CHARACTERS["o"].body.mesh.vertices - [0.0, 0.5, 0.0]
    angle = 2.0 * np.pi / 23.0
    turn = np.array([[np.cos(angle), -np.sin(angle), 0.0], [np.sin(angle), np.cos(angle), 0.0], [0.0, 0.0, 1.0]])
    assert places(vertices @ turn.T) == places(vertices)


def test_body_of_the_quadruped_is_clear_of_the_ground():
    vertices = CHARACTERS["x"].body.mesh.vertices
    across = np.hypot(vertices[:, 0], vertices[:, 2])
    assert vertices[across < 0.2, 1].min() > 0.1
    soles = vertices[vertices[:, 1] < 1e-6]
    for x in (-1, 1):
        for z in (-1, 1):
            sole = soles[(x * soles[:, 0] > 0.0) & (z * soles[:, 2] > 0.0)]
            assert np.ptp(sole, axis=0)[[0, 2]].min() > 0.15
