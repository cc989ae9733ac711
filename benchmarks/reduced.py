"""Reduced bodies: seconds and memory of the set-up of large meshes, microseconds of a step."""

from __future__ import annotations

import os
import resource
import sys
import tempfile
from time import perf_counter
from unittest.mock import patch

import numpy as np

from benchmarks.measuring import milliseconds
from hydrostat.bodies.reduced import ReducedBody, ReducedOptions, Surroundings, reduce_body, rest_state, rollout
from hydrostat.contact.ground import Plane
from hydrostat.geometry.primitives import box_tets

# A solid block has the largest separators that its number of elements can have.
BLOCKS = {(31, 21, 16): 15.0, (47, 31, 23): 90.0}
MEMORY_LIMIT = 4.0
STEP_LIMIT = 12.0
STEPS = 300


def setup() -> None:
    """From tetrahedra to a reduced body, nothing kept from before."""
    for cells, limit in BLOCKS.items():
        mesh = box_tets((1.0, 0.7, 0.5), cells)
        with tempfile.TemporaryDirectory() as empty, patch.dict(os.environ, HYDROSTAT_CACHE=empty):
            started = perf_counter()
            reduce_body(mesh)
            seconds = perf_counter() - started
            started = perf_counter()
            reduce_body(mesh)
            again = perf_counter() - started
        print(f"  {len(mesh.tets):7d} tets {seconds:6.1f} s (limit {limit:.0f}); from the cache {again:.2f} s")
    unit = 1024.0**3 if sys.platform == "darwin" else 1024.0**2
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit
    print(f"  peak memory {peak:.1f} GB (limit {MEMORY_LIMIT:.0f})")


def crawling(body: ReducedBody) -> None:
    """A whole rollout on the ground."""
    modes = body.modes.shape[2]
    times = np.arange(STEPS)[:, None] / 60.0
    actuation = 0.04 * body.size * np.sin(2.0 * np.pi * (times / 0.4 + np.arange(modes) / 3.0))
    surroundings = Surroundings(ground=Plane(offset=float(body.mesh.vertices[:, 1].min())))
    start = rest_state(body)
    touching = rollout(body, start, actuation, surroundings).impulses.any(axis=2).sum(axis=1).mean()
    microseconds = 1e3 * milliseconds(lambda: rollout(body, start, actuation, surroundings)) / STEPS
    print(
        f"  {body.basis.shape[1]:2d} coordinates, {body.clusters - 1:2d} clusters, {modes:2d} modes, "
        f"{len(body.samples)} samples, {touching:.1f} touching: {microseconds:5.1f} µs (limit {STEP_LIMIT:.0f})"
    )


def main() -> None:
    print("reduced bodies: set-up")
    setup()
    print("a step of 10 rounds")
    mesh = box_tets((1.0, 0.3, 0.6), (12, 4, 8))
    for weights, clusters, samples in ((5, 5, 20), (5, 10, 20), (5, 10, 30), (6, 20, 20)):
        crawling(reduce_body(mesh, ReducedOptions(10, weights, clusters, samples=samples)))
