"""The examples in docstrings run, and kernels without the compiler give the same numbers."""

import doctest
import importlib
import os
import pkgutil
import runpy
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import hydrostat
from hydrostat.io.reader import open_recording
from hydrostat.scenes.record import record

ROOT = Path(__file__).parents[1]

MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages(hydrostat.__path__, "hydrostat.")
    if not module.name.rpartition(".")[2].startswith(("__main__", "mesher_"))
)


@pytest.mark.parametrize("name", MODULES)
def test_docstring_examples(name):
    failed, _ = doctest.testmod(importlib.import_module(name))
    assert failed == 0


def test_there_are_examples():
    finder = doctest.DocTestFinder()
    count = sum(len(test.examples) for name in MODULES for test in finder.find(importlib.import_module(name)))
    assert count >= 3


def test_the_bow_of_the_tutorial(tmp_path):
    """The head goes forward and comes back, the feet stay; and the page shows the file that is run."""
    code = (ROOT / "examples" / "bow.py").read_text("utf-8")
    assert f"```python\n{code}```" in (ROOT / "docs" / "tutorial.md").read_text("utf-8")
    example = runpy.run_path(str(ROOT / "examples" / "bow.py"))
    path = tmp_path / "bow.vtkhdf"
    record(example["SCENE"], path, seconds=example["PERIOD"])
    with open_recording(path) as recording:
        forward = np.array([recording.markers(index)["head"][2] for index in range(len(recording))])
        soles = recording.rest_positions[:, 1] < 1e-3
        slid = (recording.positions(-1) - recording.rest_positions)[soles][:, [0, 2]].mean(axis=0)
    assert forward.max() > 0.8 * example["DEEP"]
    assert abs(forward[-1] - forward[0]) < 0.2 * example["DEEP"]
    assert np.linalg.norm(slid) < 0.01


STEP = """
import numpy as np
from hydrostat.actuation.muscles import MuscleGroup, build_muscles, longitudinal
from hydrostat.bodies.fem import FemBody
from hydrostat.control.controllers import Passive
from hydrostat.geometry.primitives import box_tets
from hydrostat.stepping.step import step
from hydrostat.stepping.world import World

mesh = box_tets((0.3, 0.6, 0.3), (1, 2, 1))
fibre = longitudinal((0.0, -0.2, 0.0), (0.0, 0.2, 0.0), 2)
world = World(FemBody(mesh), build_muscles(mesh, [MuscleGroup("long", [fibre])]))
state = world.rest_state(0.301)
squashed = state.positions * [1.0, 1.0, 1.0]
squashed[0] = squashed[1]  # flat elements too
from dataclasses import replace
for start in (state, replace(state, positions=squashed)):
    for _ in range(3):
        start, report = step(world, start, Passive())
    print(repr(start.positions.round(9).tolist()))
"""


def test_a_step_without_the_compiler_is_the_same():
    """Every kernel is readable NumPy: with numba's JIT off three steps, also of flat elements, agree to 1e-9 m."""
    outputs = [
        subprocess.run(
            [sys.executable, "-c", STEP],
            env=os.environ | {"NUMBA_DISABLE_JIT": disabled},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for disabled in ("0", "1")
    ]
    assert outputs[0] == outputs[1]
    assert len(outputs[0]) > 500
