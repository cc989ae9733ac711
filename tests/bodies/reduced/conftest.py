"""Let the tests of this folder import ``full_space``, which stands beside them, and share a body."""

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent))

from hydrostat.bodies.reduced import ReducedOptions, reduce_body
from hydrostat.geometry.primitives import box_tets
from hydrostat.geometry.tetrahedra import TetMesh


@pytest.fixture(scope="session")
def creature():
    """A lopsided slab whose lowest point is at y = 0."""
    mesh = box_tets((1.0, 0.4, 0.6), (7, 3, 4))
    x, y, z = mesh.vertices.T
    bent = np.column_stack([x, y + 0.2 * x * x + 0.05 * z, z * (1.0 + 0.4 * x)])
    return reduce_body(TetMesh(bent - [0.0, bent[:, 1].min(), 0.0], mesh.tets), ReducedOptions(modes=4))
