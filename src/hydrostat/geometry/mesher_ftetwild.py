"""Run fTetWild once: ``python mesher_ftetwild.py input.npz output.npz``.

A program of its own, because a mesher that crashes or hangs must not take its caller with it; it imports
nothing of hydrostat, so that it starts quickly. fTetWild inserts triangles in an order drawn from the system's
entropy, which nothing in its interface can seed: two runs give two meshes, and the cache is what keeps one.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

import numpy as np

# Elements are improved until the worst has this conformal energy (3 is a regular tetrahedron). Below about 6
# most shapes cannot be reached, and fTetWild then refines without end.
STOP_ENERGY = 10.0
# How far the mesh may leave the surface, as a fraction of the diagonal of its bounding box.
ENVELOPE = 1e-3


def main(given: str, wanted: str) -> None:
    """Mesh the surface in the file ``given`` into the file ``wanted``."""
    # The package's __init__ imports pyvista, its compiled module needs only numpy: leave the first out.
    package = ModuleType("pytetwild")
    spec = find_spec("pytetwild")
    package.__path__ = list((spec and spec.submodule_search_locations) or [])
    sys.modules["pytetwild"] = package
    wrapper = import_module("pytetwild.PyfTetWildWrapper")
    with np.load(given) as data:
        vertices, faces, edge_length = data["vertices"], data["faces"], float(data["edge_length"])
    options = {
        "optimize": True,
        "skip_simplify": False,
        "edge_length_r": 0.05,  # unused beside an absolute length
        "edge_length_abs": edge_length,
        "epsilon": ENVELOPE,
        "stop_energy": STOP_ENERGY,
        "coarsen": False,
        "num_threads": 1,
        "num_opt_iter": 80,
        "loglevel": 6,
        "quiet": True,
        "vtk_ordering": True,
        "disable_filtering": False,
    }
    no_sizes = np.empty((0, 3)), np.empty((0, 4), dtype=np.int32), np.empty(0)
    points, tets = wrapper.tetrahedralize_mesh(vertices, faces.astype(np.uint32), *options.values(), *no_sizes)
    np.savez(wanted, vertices=points, tets=tets)


if __name__ == "__main__":
    main(*sys.argv[1:])
