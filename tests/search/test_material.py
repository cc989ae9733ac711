"""The stiffness of travelling bodies: left open it goes with size and density, given it stays."""

from dataclasses import replace

import pytest

from hydrostat.bodies.reduced import ReducedOptions
from hydrostat.geometry.primitives import box_tets
from hydrostat.geometry.tetrahedra import TetMesh
from hydrostat.search.material import firm

MESH = box_tets((0.6, 0.2, 0.3), (2, 1, 1))


def test_a_larger_or_denser_body_is_stiffer():
    twice = TetMesh(2.0 * MESH.vertices, MESH.tets)
    small, large, dense = firm(ReducedOptions(), MESH), firm(ReducedOptions(), twice), ReducedOptions(density=3000.0)
    assert large.stiffness == pytest.approx(2.0 * small.stiffness)
    assert large.actuation_stiffness == pytest.approx(2.0 * small.actuation_stiffness)
    assert firm(dense, MESH).stiffness == pytest.approx(3.0 * small.stiffness)
    assert replace(small, stiffness=None, actuation_stiffness=None) == ReducedOptions()


def test_what_is_given_stays():
    given = ReducedOptions(stiffness=1e4, actuation_stiffness=2e4)
    assert firm(given, MESH) == given
