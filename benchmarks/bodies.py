"""One step of the letters, piece by piece, and whole frames of scenes with the memory they take."""

from __future__ import annotations

import subprocess
import sys

import numpy as np

from benchmarks.measuring import milliseconds
from hydrostat.characters import CHARACTERS
from hydrostat.scenes import load_scene
from hydrostat.scenes.scene import Settings, play
from hydrostat.stepping.world import World

RIGHT_HAND_SIDES = 40
SECONDS = 3.0
LIMITS = {"i": 3.0, "h": 8.0}
FRAME_LIMITS = {"exercise-h": 20.0}
MEMORY_LIMIT = 300.0


def step_system(name: str) -> None:
    """Assemble, factor and solve for one letter."""
    body = CHARACTERS[name].body
    world = World(body, CHARACTERS[name].muscles)
    rng = np.random.default_rng(0)
    positions = body.rest_positions + 0.002 * rng.normal(size=body.rest_positions.shape)
    right = rng.normal(size=(positions.size, RIGHT_HAND_SIDES))
    deformation = body.deform(positions)
    factor = body.effective_mass(deformation, world.dt)
    assert world.muscles is not None
    muscles = world.muscles

    def whole() -> None:
        now = body.deform(positions)
        body.elastic_forces(now)
        body.effective_mass(now, world.dt).solve(right)

    times = {
        "deformation": milliseconds(lambda: body.deform(positions)),
        "assemble and factor": milliseconds(lambda: body.effective_mass(deformation, world.dt)),
        f"solve {RIGHT_HAND_SIDES}": milliseconds(lambda: factor.solve(right)),
        "muscle matrix": milliseconds(
            lambda: muscles.force_matrix(deformation.rotations, deformation.areas, body.mesh.tets, len(positions))
        ),
        f"all but muscles (limit {LIMITS[name]:.0f})": milliseconds(whole),
    }
    print(f"{name}: {len(body.mesh.tets)} tets, {positions.size} degrees of freedom; ms")
    for label, value in times.items():
        print(f"  {label:28s} {value:7.2f}")


def frame(name: str) -> None:
    """Whole frames of a scene, and the memory of a process that runs it."""
    stage = load_scene(name).build(Settings())
    list(play(stage, 0.2))
    reports = [report for _, report in play(stage, SECONDS)]
    totals = [sum(report.milliseconds.values()) for report in reports]
    print(f"{name}: ms a frame (limit {FRAME_LIMITS[name]:.0f}), median and 99th percentile of {len(reports)}")
    for phase in reports[0].milliseconds:
        print(f"  {phase:28s} {np.median([report.milliseconds[phase] for report in reports]):7.2f}")
    print(f"  {'total':28s} {np.median(totals):7.2f} {np.percentile(totals, 99):7.2f}")
    print(f"  {f'memory, MB (limit {MEMORY_LIMIT:.0f})':28s} {memory(name):7.0f}")


def memory(name: str) -> float:
    """Peak resident memory of `hydrostat run` in a process of its own, MB."""
    code = (
        "import resource, sys; from hydrostat.scenes import load_scene; from hydrostat.scenes.scene import *;"
        f"[None for _ in play(load_scene({name!r}).build(Settings()), 0.5)];"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    )
    run = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    kilobytes = float(run.stdout) / (1024.0 if sys.platform == "darwin" else 1.0)
    return kilobytes / 1024.0


def main() -> None:
    for name in LIMITS:
        step_system(name)
    for name in FRAME_LIMITS:
        frame(name)
