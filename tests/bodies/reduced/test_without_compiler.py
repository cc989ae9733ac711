"""The compiled rollout is plain Python: without the compiler it gives the same numbers."""

import os
import subprocess
import sys

import numpy as np

SCRIPT = """
import sys
import numpy as np
from hydrostat.bodies.reduced import ReducedOptions, Surroundings, reduce_body, rest_state, rollout
from hydrostat.contact.ground import Heightfield
from hydrostat.geometry.primitives import box_tets
body = reduce_body(box_tets((1.0, 0.4, 0.5), (2, 1, 1)), ReducedOptions(modes=2, weights=2, samples=8))
ground = Heightfield(np.array([[-0.3, -0.2], [-0.2, -0.25]]), 2.0, (-1.0, -1.0))
got = rollout(body, rest_state(body), 0.05 * np.ones((12, 2)), Surroundings(ground=ground, iterations=3))
np.savez(sys.argv[1], coordinates=got.coordinates, impulses=got.impulses, work=got.work)
"""


def test_same_numbers_without_the_compiler(tmp_path):
    found = []
    for disabled in "01":
        file = tmp_path / f"{disabled}.npz"
        environment = {**os.environ, "NUMBA_DISABLE_JIT": disabled}
        subprocess.run([sys.executable, "-c", SCRIPT, file], env=environment, check=True)
        found.append(np.load(file))
    compiled, plain = found
    assert np.abs(compiled["impulses"]).max() > 1.0
    for name in ("coordinates", "impulses", "work"):
        # compiled sums are rounded once where plain ones are rounded twice, and sweeps end at a tolerance
        assert np.abs(compiled[name] - plain[name]).max() < 1e-5 * np.abs(plain[name]).max()
