"""Every character: a good mesh, muscles inside it, and the sizes that its paper names."""

import numpy as np
import pytest

from hydrostat.characters import CHARACTERS
from hydrostat.geometry.quality import smallest_dihedral

SIZES = {"h": (1901, 52), "i": (1066, 48)}


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
    tets, segments = SIZES[name]
    assert len(character.body.mesh.tets) == pytest.approx(tets, rel=0.05)
    assert len(character.muscles.rest_lengths) == segments


@pytest.mark.parametrize("name", SIZES)
def test_fibres_lie_inside_the_body(name):
    muscles = CHARACTERS[name].muscles
    assert (muscles.embedding.weights > -1e-6).all()
