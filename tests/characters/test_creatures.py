"""Every creature: the wanted number of good tetrahedra in one piece, standing on its own feet."""

import numpy as np
import pytest
from scipy.spatial import ConvexHull

from hydrostat.characters.creatures import CREATURES
from hydrostat.geometry.quality import check_tets
from hydrostat.geometry.repair import diagnose, require_solid

# Tetrahedra in B2024, Table 1.
PAPER = {
    "couch": 64_154,
    "creepy-tree": 200_487,
    "bat": 34_720,
    "bearded-dragon": 180_406,
    "octopus": 48_514,
    "treefrog": 54_154,
}


@pytest.fixture(autouse=True, scope="module")
def own_cache(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HYDROSTAT_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


def test_there_are_eleven_with_the_papers_counts():
    assert len(CREATURES) == 11
    assert {name: CREATURES[name].tets for name in PAPER} == PAPER
    assert CREATURES["arc-fine"].tets == 10 * CREATURES["arc-coarse"].tets
    assert all(creature.name == name and creature.summary for name, creature in CREATURES.items())


@pytest.mark.parametrize("name", CREATURES)
def test_a_coarse_mesh_is_good_and_in_one_piece(name):
    creature = CREATURES[name]
    mesh = creature.mesh(creature.coarse)
    quality = check_tets(mesh)
    assert quality.tets == pytest.approx(creature.coarse, rel=0.1)
    assert (quality.inverted, quality.components, quality.unused_vertices) == (0, 1, 0)
    assert quality.min_dihedral > 10.0
    assert diagnose(mesh.surface).boundary_edges == 0
    again = creature.mesh(creature.coarse)
    np.testing.assert_array_equal(again.vertices, mesh.vertices)


@pytest.mark.parametrize("name", CREATURES)
def test_it_stands_on_the_ground_and_does_not_tip_over(name):
    creature = CREATURES[name]
    mesh = creature.mesh(10_000)
    assert mesh.vertices[:, 1].min() == pytest.approx(0.0, abs=1e-3)
    feet = mesh.vertices[mesh.vertices[:, 1] < 0.03 * np.ptp(mesh.vertices[:, 1])][:, [0, 2]]
    middles = mesh.vertices[mesh.tets].mean(axis=1)
    centre = np.average(middles, axis=0, weights=mesh.volumes)
    hull = ConvexHull(feet)
    inside = hull.equations[:, :2] @ centre[[0, 2]] + hull.equations[:, 2]
    assert inside.max() < -0.02, "the centre of mass is not above the feet"


@pytest.mark.parametrize("name", CREATURES)
def test_it_has_a_natural_size_and_its_sides_are_alike(name):
    low, high = CREATURES[name].shape().bounds()
    assert 0.3 < high[1] < 2.0
    if name != "creepy-tree":
        assert low[2] == pytest.approx(-high[2], abs=0.02)


@pytest.mark.parametrize("name", ["bat", "octopus", "arc-fine"])
def test_the_usual_mesh(name):
    creature = CREATURES[name]
    quality = check_tets(creature.mesh())
    assert quality.tets == pytest.approx(creature.tets, rel=0.02)
    assert quality.min_dihedral > 10.0
    # The body is as heavy as its description says, not thickened.
    assert quality.total_volume == pytest.approx(creature.volume, rel=0.02)


def test_the_detailed_surface_is_closed():
    surface = CREATURES["arc-fine"].surface()
    require_solid(surface)
    assert diagnose(surface).components == 1


def test_every_tentacle_of_the_octopus_is_a_part_of_its_own():
    creature = CREATURES["octopus"]
    nodes = creature.mesh(creature.coarse).vertices
    parts = creature.parts(nodes)
    assert parts.shape == (8, len(nodes))
    assert ((parts >= 0.0) & (parts <= 1.0)).all() and ((parts > 0.0).sum(axis=0) <= 1).all()
    assert (parts.max(axis=1) == 1.0).all()
    assert not parts[:, nodes[:, 1] > 0.6].any()  # the head belongs to none
