"""Write a recording, so that a killed run leaves every flushed frame readable."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hydrostat.arrays import frozen
from hydrostat.errors import HydrostatError, InputError
from hydrostat.io.anatomy import Anatomy, write_anatomy
from hydrostat.io.frames import Frame, check_frame
from hydrostat.io.metadata import metadata_text
from hydrostat.io.rows import create_file, create_rows, undated_group, write_rows
from hydrostat.io.vtkhdf import slot_rows, step_blocks, write_topology

FORMAT_VERSION = 2
TIMES = "VTKHDF/Steps/Values"
SUFFIX = ".vtkhdf"  # by which ParaView knows what it opens


class RecordingWriter:
    """Writes frames to a recording; use it in a ``with`` statement.

    The arrays are those of ``Anatomy``. metadata: what else there is to know, in JSON's terms; it must hold
    ``dt``, the time step in seconds, and may hold ``title`` (text) and ``ground`` (a dictionary), which
    pictures use. Frames go into the file in groups of ``flush_every``; a killed run loses no more than the
    group that waits. An existing file is replaced. The same frames give the same bytes.
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
        """Create the file, with all but the frames in it."""
        self._anatomy = Anatomy(
            frozen(rest_positions),
            frozen(tets, np.int64),
            frozen(surface_faces, np.int64),
            tuple(frozen(fibre, np.int64) for fibre in fibres),
            patch_slots,
        )
        text = metadata_text(metadata)
        self._flush_every = flush_every
        self._pending: list[dict[str, NDArray[Any]]] = []
        self._written = 0
        self._last_time = -np.inf
        self._form: dict[str, tuple[Any, ...]] = {}
        self._file = _create(Path(path))
        # Kept, as to look up a dataset costs as much as to write to it.
        self._datasets = {TIMES: create_rows(self._file, TIMES, np.zeros(1))}
        write_topology(self._file["VTKHDF"], self._anatomy)
        group = undated_group(self._file, "hydrostat")
        group.attrs["version"] = FORMAT_VERSION
        group.attrs["frames"] = 0
        group["metadata"] = text
        write_anatomy(group, self._anatomy)
        self._file.flush()

    def append(self, frame: Frame) -> None:
        """Record one more frame; InputError, and nothing recorded, if it does not fit or is not finite."""
        check_frame(frame, self._anatomy)
        # The blocks are copies: the caller may go on to change its arrays in place.
        blocks = _blocks(self._written + len(self._pending), frame, self._anatomy)
        self._check_succession(frame.time, blocks)
        self._pending.append(blocks)
        if len(self._pending) >= self._flush_every:
            self.flush()

    def flush(self) -> None:
        """Bring all frames into the file."""
        if not self._pending:
            return
        try:
            self._write_pending()
        except OSError as error:
            kept = f"it keeps its first {self._written} frames"
            raise HydrostatError(f"{self._file.filename} cannot be written to ({error}); {kept}") from error

    def close(self) -> None:
        """Flush and close the file."""
        if self._file:
            try:
                self.flush()
            finally:
                self._file.close()

    def __enter__(self) -> Self:
        """The writer itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Close the file; what was appended before an error is kept."""
        self.close()

    def _write_pending(self) -> None:
        """Write in an order that keeps the file whole at every moment: each part is out before the next.

        VTK makes room for NSteps times and reads all there are, so the times must never outnumber NSteps. Our
        own count of frames comes last: what it counts is complete.
        """
        written = self._written + len(self._pending)
        for name in self._form:
            if name != TIMES:
                self._write(name)
        self._file.flush()
        self._file["VTKHDF/Steps"].attrs.modify("NSteps", written)
        self._file.flush()
        self._write(TIMES)
        self._file.flush()
        self._file["hydrostat"].attrs.modify("frames", written)
        self._file.flush()
        self._written = written
        self._pending.clear()

    def _write(self, name: str) -> None:
        blocks = [blocks[name] for blocks in self._pending]
        if name not in self._datasets:
            self._datasets[name] = create_rows(self._file, name, blocks[0])
        write_rows(self._datasets[name], self._written, blocks)

    def _check_succession(self, time: float, blocks: dict[str, NDArray[Any]]) -> None:
        if time <= self._last_time:
            raise InputError(
                f"a frame at {time:g} s after one at {self._last_time:g} s",
                "times that increase",
                "append every instant once, and start a new recording for a new run",
            )
        form = {name: (block.shape, block.dtype) for name, block in blocks.items()}
        self._form = self._form or form
        if form != self._form:
            changed = sorted({name for name, _ in form.items() ^ self._form.items()})
            raise InputError(
                f"{', '.join(changed)} came, went or changed its shape at {time:g} s",
                "state, scalars and markers of the same names, shapes and types in all frames",
                "record every array in every frame, padded to its largest size",
            )
        self._last_time = time


def _create(path: Path) -> Any:
    if path.suffix != SUFFIX:
        raise InputError(f"a recording named {path.name}", f"a name that ends in {SUFFIX}", "rename it")
    try:
        return create_file(path)
    except OSError as error:
        raise InputError(
            f"{path} cannot be written ({error})",
            "a folder that exists and a file that no one has open",
            "create the folder, or close the program that reads the old recording",
        ) from error


def _blocks(index: int, frame: Frame, anatomy: Anatomy) -> dict[str, NDArray[Any]]:
    """What frame ``index`` adds to every growing dataset of the file, by dataset."""
    kept: dict[str, NDArray[Any]] = {
        "contacts/normals": slot_rows(frame.contacts.normals, anatomy.patch_slots, 0.0),
        "contacts/gaps": slot_rows(frame.contacts.gaps, anatomy.patch_slots, 0.0),
        "outside": np.array(frame.outside, np.float64),
    }
    kept |= {f"state/{name}": array.copy() for name, array in frame.state.items()}
    kept |= {f"markers/{name}": np.array(point, np.float64) for name, point in frame.markers.items()}
    blocks = {f"VTKHDF/{name}": block for name, block in step_blocks(index, frame, anatomy).items()}
    return blocks | {f"hydrostat/{name}": array[None] for name, array in kept.items()}
