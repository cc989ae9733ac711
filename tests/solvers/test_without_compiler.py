"""The compiled functions are plain Python: without the compiler they give the same numbers."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest

SCRIPT = """
import json
import numpy as np
from hydrostat.solvers.contact import solve_contact
from hydrostat.solvers.problems import ContactProblem
rng = np.random.default_rng(0)
jacobian = rng.normal(size=(6, 8))
friction = rng.uniform(0, 1, size=(2, 8))
friction[1, 3:] = 0.0
problem = ContactProblem(jacobian @ jacobian.T, jacobian @ rng.normal(size=8), np.zeros(2), friction)
answers = [solve_contact(problem, method=method) for method in ("warm", "lemke")]
print(json.dumps([[a.impulses.tolist(), a.pieces.tolist(), a.residuals.worst] for a in answers]))
"""


def answers(disabled: str):
    environment = {**os.environ, "NUMBA_DISABLE_JIT": disabled}
    run = subprocess.run([sys.executable, "-c", SCRIPT], env=environment, capture_output=True, text=True, check=True)
    return json.loads(run.stdout)


def test_same_numbers_without_the_compiler():
    for compiled, plain in zip(answers("0"), answers("1"), strict=True):
        assert np.allclose(compiled[0], plain[0], rtol=1e-12, atol=1e-14)
        assert np.abs(compiled[0]).max() > 0.1
        assert compiled[1] == plain[1]
        assert plain[2] == pytest.approx(compiled[2], abs=1e-12)
