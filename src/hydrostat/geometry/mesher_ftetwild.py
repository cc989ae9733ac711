"""Run fTetWild once: ``python mesher_ftetwild.py input.npz output.npz``.

A program of its own, because a mesher that crashes or hangs must not take its caller with it; it imports
nothing of hydrostat, so that it starts quickly.
"""

from __future__ import annotations

import ctypes
import mmap
import platform
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

# With this one the letters of T2012 reach their numbers of tetrahedra after few tries.
SEED = 6


def main(given: str, wanted: str) -> None:
    """Mesh the surface in the file ``given`` into the file ``wanted``."""
    # The package's __init__ imports pyvista, its compiled module needs only numpy: leave the first out.
    package = ModuleType("pytetwild")
    spec = find_spec("pytetwild")
    package.__path__ = list((spec and spec.submodule_search_locations) or [])
    sys.modules["pytetwild"] = package
    wrapper = import_module("pytetwild.PyfTetWildWrapper")
    fix_seed()
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
    points, tets = wrapper.tetrahedralize_mesh(
        vertices, faces.astype(np.uint32), *options.values(), *no_sizes
    )
    np.savez(wanted, vertices=points, tets=tets)


def fix_seed() -> None:
    """Make fTetWild repeatable, on Linux with x86-64.

    It inserts the triangles in an order drawn from std::random_device, and nothing in its interface can seed
    that. So the function behind, of this process only, is overwritten by one that returns ``SEED``.
    Elsewhere meshes differ from run to run, and the cache is what keeps them.
    """
    if (platform.system(), platform.machine()) != ("Linux", "x86_64"):
        return
    try:
        draw = ctypes.CDLL("libstdc++.so.6")._ZNSt13random_device9_M_getvalEv
    except (OSError, AttributeError):
        return
    address = ctypes.cast(draw, ctypes.c_void_p).value or 0
    # mov eax, SEED; ret
    code = b"\xb8" + SEED.to_bytes(4, "little") + b"\xc3"
    page = address - address % mmap.PAGESIZE
    length = address + len(code) - page
    all_rights = mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC
    # Where a hardened system forbids that, meshing goes on unseeded.
    if ctypes.CDLL(None).mprotect(ctypes.c_void_p(page), ctypes.c_size_t(length), all_rights) == 0:
        ctypes.memmove(address, code, len(code))


if __name__ == "__main__":
    main(*sys.argv[1:])
