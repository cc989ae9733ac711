"""Write a recording, so that a killed run leaves every flushed frame readable."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import h5py
import numpy as np
from numpy.typing import ArrayLike, NDArray

from hydrostat.arrays import frozen
from hydrostat.errors import InputError
from hydrostat.io.frames import Anatomy, Frame, check_frame
from hydrostat.io.vtkhdf import filled, step_blocks, write_topology

FORMAT_VERSION = 1
SUFFIX = ".vtkhdf"  # by which ParaView knows what it opens
CHUNK_BYTES = 2**16
MAX_CHUNK_FRAMES = 256
# Mostly zeros, so that compression costs little and saves nearly all. The moving numbers gain too little from it.
COMPRESSED = {"VTKHDF/PointData/impulse", "VTKHDF/CellData/activation", "VTKHDF/CellData/mode"}


class RecordingWriter:
    """Writes frames to a recording; use it in a ``with`` statement.

    The arrays are those of ``Anatomy``. metadata: what else there is to know, in JSON's terms (NumPy arrays and
    numbers are converted); it must hold ``dt``, the time step in seconds, and may hold ``title`` (text) and
    ``ground`` (a dictionary), which pictures use. Frames are written and flushed in groups of ``flush_every``: what
    a killed run loses at most. An existing file is replaced. The same frames give the same bytes.
    """

    def __init__(
        self,
        path: str | Path,
        *,
        rest_positions: ArrayLike,
        tets: ArrayLike,
        surface_faces: ArrayLike,
        fibres: Sequence[ArrayLike],
        patch_slots: int,
        metadata: Mapping[str, Any],
        flush_every: int = 16,
    ) -> None:
        self._anatomy = Anatomy(
            frozen(rest_positions),
            frozen(tets, np.int64),
            frozen(surface_faces, np.int64),
            tuple(frozen(fibre, np.int64) for fibre in fibres),
            patch_slots,
        )
        text = _metadata_text(metadata)
        self._flush_every = flush_every
        self._pending: list[dict[str, NDArray[Any]]] = []
        self._written = 0
        self._last_time = -np.inf
        self._form: dict[str, tuple[Any, ...]] = {}
        self._datasets: dict[str, Any] = {}  # kept, as to look them up costs as much as to write
        self._file = _create(Path(path))
        write_topology(self._file.create_group("VTKHDF"), self._anatomy)
        _write_anatomy(self._file.create_group("hydrostat"), self._anatomy, text)
        self._file.flush()

    def append(self, frame: Frame) -> None:
        """Record one more frame; InputError, and nothing recorded, if it does not fit or is not finite."""
        check_frame(frame, self._anatomy)
        # The blocks are copies: the caller may go on to change its arrays in place.
        blocks = _blocks(self._written + len(self._pending), frame, self._anatomy)
        self._check_succession(
            frame.time, {name: (block.shape, block.dtype) for name, block in blocks.items()}
        )
        self._pending.append(blocks)
        if len(self._pending) >= self._flush_every:
            self.flush()

    def flush(self) -> None:
        """Bring all frames into the file. Its number of steps changes last: it never promises what is not there."""
        if not self._pending:
            return
        for name, block in self._pending[0].items():
            if name not in self._datasets:
                self._datasets[name] = _create_rows(self._file, name, block)
            _write_rows(self._datasets[name], self._written, [blocks[name] for blocks in self._pending])
        self._file.flush()
        self._written += len(self._pending)
        self._pending.clear()
        self._file["VTKHDF/Steps"].attrs.modify("NSteps", self._written)
        self._file.flush()

    def close(self) -> None:
        """Flush and close the file."""
        if self._file:
            self.flush()
            self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def _check_succession(self, time: float, form: dict[str, tuple[Any, ...]]) -> None:
        if time <= self._last_time:
            raise InputError(
                f"a frame at {time:g} s after one at {self._last_time:g} s",
                "times that increase",
                "append every instant once, and start a new recording for a new run",
            )
        self._form = self._form or form
        if form != self._form:
            changed = sorted(name for name, _ in form.items() ^ self._form.items())
            raise InputError(
                f"{', '.join(dict.fromkeys(changed))} changed at {time:g} s",
                "state, scalars and markers of the same names and shapes in all frames",
                "record every array in every frame, padded to its largest size",
            )
        self._last_time = time


def _create(path: Path) -> Any:
    if path.suffix != SUFFIX:
        raise InputError(f"a recording named {path.name}", f"a name that ends in {SUFFIX}", "rename it")
    try:
        # Created in the old format, a file has no mark "being written", which would bar a killed run's file from
        # reading. The later format of what is put into it keeps the places of chunks in arrays that are only
        # added to, where the old one rearranges a tree: a kill in the middle cannot lose frames already there.
        h5py.File(path, "w", libver=("earliest", "v108"), locking="best-effort").close()
        return h5py.File(path, "r+", libver=("v110", "v110"), locking="best-effort")
    except OSError as error:
        raise InputError(
            f"{path} cannot be written ({error})",
            "a folder that exists and a file that no one has open",
            "create the folder, or close the program that reads the old recording",
        ) from error


def _write_anatomy(group: Any, anatomy: Anatomy, metadata: str) -> None:
    group.attrs["version"] = FORMAT_VERSION
    group.attrs["patch_slots"] = anatomy.patch_slots
    group["metadata"] = metadata
    group["rest_positions"] = anatomy.rest_positions
    group["tets"] = anatomy.tets
    group["surface_faces"] = anatomy.surface_faces
    group["fibres"] = np.concatenate([np.zeros(0, np.int64), *anatomy.fibres])
    group["fibre_lengths"] = np.array([len(fibre) for fibre in anatomy.fibres], np.int64)


def _metadata_text(metadata: Mapping[str, Any]) -> str:
    dt = metadata.get("dt")
    if not isinstance(dt, (int, float)) or not 0 < dt < np.inf:
        raise InputError(
            f"metadata with dt = {dt!r}", "the time step in seconds", "add it: metadata['dt'] = 0.01"
        )
    try:
        return json.dumps(metadata, sort_keys=True, allow_nan=False, ensure_ascii=False, default=_plain)
    except (TypeError, ValueError) as error:
        raise InputError(
            f"metadata that JSON cannot hold ({error})",
            "texts, finite numbers, lists and dictionaries",
            "turn other objects into these first",
        ) from error


def _plain(value: Any) -> Any:
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tolist()
    raise TypeError(f"{type(value).__name__} {value!r}")


def _blocks(index: int, frame: Frame, anatomy: Anatomy) -> dict[str, NDArray[Any]]:
    """What frame ``index`` adds to every growing dataset of the file, by dataset."""
    contacts = frame.contacts
    kept = {
        "contacts/normals": filled(contacts.normals, anatomy.patch_slots, 0.0),
        "contacts/gaps": filled(contacts.gaps, anatomy.patch_slots, 0.0),
    }
    kept |= {f"state/{name}": array.copy() for name, array in frame.state.items()}
    kept |= {f"markers/{name}": np.array(point) for name, point in frame.markers.items()}
    blocks = {f"VTKHDF/{name}": block for name, block in step_blocks(index, frame, anatomy).items()}
    return blocks | {f"hydrostat/{name}": array[None] for name, array in kept.items()}


def _write_rows(dataset: Any, index: int, blocks: list[NDArray[Any]]) -> None:
    """Write the blocks of the frames from ``index`` on, all of one shape."""
    rows = len(blocks[0])
    dataset.resize((index + len(blocks)) * rows, axis=0)
    dataset[index * rows :] = np.concatenate(blocks)


def _create_rows(file: Any, name: str, block: NDArray[Any]) -> Any:
    """An empty dataset for blocks like this one, that can grow.

    A chunk never moves once it is on disk, or a kill could hit it half-way: a compressed chunk is one frame, written
    once; a chunk of several frames is not compressed, so that it keeps its size.
    """
    compressed = name in COMPRESSED
    frames = 1 if compressed else min(max(CHUNK_BYTES // max(block.nbytes, 1), 1), MAX_CHUNK_FRAMES)
    return file.create_dataset(
        name,
        shape=(0, *block.shape[1:]),
        maxshape=(None,)
        * block.ndim,  # also those that stay: HDF5 refuses chunks of fixed dimensions of size 0
        chunks=tuple(max(size, 1) for size in (frames * len(block), *block.shape[1:])),
        dtype=block.dtype,
        compression=1 if compressed else None,
        track_times=False,
    )
