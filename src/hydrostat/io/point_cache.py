"""The motion of a surface as a point cache (PC2): for every instant all vertices, in the order of the user's mesh."""

from __future__ import annotations

import struct
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from hydrostat.arrays import Floats
from hydrostat.errors import InputError

SUFFIX = ".pc2"
HEADER = struct.Struct("<12siiffi")  # name of the format, its version, points, first frame, frames a sample, samples


def write_point_cache(path: Path, instants: Iterable[Floats]) -> None:
    """Write the positions (n, 3) of every instant, one instant a frame, as 32-bit floats.

    A program that reads it moves the mesh from which the vertices came: neither their order nor their number may
    change. Blender's modifier Mesh Cache does.
    """
    if path.suffix != SUFFIX:
        raise InputError(f"a point cache named {path.name}", f"a name that ends in {SUFFIX}", "rename it")
    count = points = 0
    with path.open("wb") as file:
        file.write(bytes(HEADER.size))
        for positions in instants:
            points = points or len(positions)
            if positions.shape != (points, 3) or not np.isfinite(positions).all():
                raise InputError(
                    f"instant {count} with positions of shape {positions.shape}",
                    f"finite positions of shape ({points}, 3)",
                    "write the same vertices at every instant",
                )
            file.write(np.ascontiguousarray(positions, dtype="<f4").tobytes())
            count += 1
        file.seek(0)
        file.write(HEADER.pack(b"POINTCACHE2\0", 1, points, 0.0, 1.0, count))
