"""Datasets that grow frame by frame, so that a kill at any moment cannot harm the frames already there.

A file that grows goes bad when old things move, so here nothing moves: the places of chunks stand in HDF5's
extensible arrays, which are only added to (they need one unlimited dimension); a compressed chunk, which
would change its size if rewritten, is one frame, written once; chunks of several frames are not compressed.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import h5py
import numpy as np
from numpy.typing import NDArray

CHUNK_BYTES = 2**16
MAX_CHUNK_FRAMES = 256
# Mostly zeros: compression costs little and saves nearly all. Numbers in motion gain too little from it.
COMPRESSED = {"VTKHDF/PointData/impulse", "VTKHDF/CellData/activation", "VTKHDF/CellData/mode"}


def create_file(path: Path) -> Any:
    """A new, empty HDF5 file, open for writing.

    A file created in a later format than 1.8 carries a mark "being written", which would bar a killed run's
    file from reading; extensible arrays need what is put into it to be of the format 1.10.
    """
    h5py.File(path, "w", libver=("earliest", "v108"), locking="best-effort").close()
    return h5py.File(path, "r+", libver=("v110", "v110"), locking="best-effort")


def undated_group(parent: Any, path: str) -> Any:
    """The group at ``path`` below ``parent``; made, with all above it, without the date that HDF5 would note."""
    if path in parent:
        return parent[path]
    above, _, name = path.rpartition("/")
    holder = undated_group(parent, above) if above else parent
    properties = h5py.h5p.create(h5py.h5p.GROUP_CREATE)
    properties.set_obj_track_times(False)
    h5py.h5g.create(holder.id, name.encode(), gcpl=properties)
    return holder[name]


def create_rows(file: Any, name: str, block: NDArray[Any]) -> Any:
    """An empty dataset for blocks like this one, one block a frame."""
    compressed = name in COMPRESSED
    frames = 1 if compressed else min(max(CHUNK_BYTES // max(block.nbytes, 1), 1), MAX_CHUNK_FRAMES)
    group, _, leaf = name.rpartition("/")
    return undated_group(
        file, group
    ).create_dataset(
        leaf,
        shape=(0, *block.shape[1:]),
        maxshape=(None, *(size or None for size in block.shape[1:])),  # HDF5 has no chunks of a fixed size 0
        chunks=tuple(max(size, 1) for size in (frames * len(block), *block.shape[1:])),
        dtype=block.dtype,
        compression=1 if compressed else None,
        track_times=False,
    )


def write_rows(dataset: Any, index: int, blocks: list[NDArray[Any]]) -> None:
    """Write the blocks of the frames from ``index`` on, all of one shape."""
    rows = len(blocks[0])
    dataset.resize((index + len(blocks)) * rows, axis=0)
    dataset[index * rows :] = np.concatenate(blocks)
