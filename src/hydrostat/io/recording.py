"""A recording that is open for reading: what stays at once, every frame when it is asked for."""

from __future__ import annotations

import json
import operator
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from hydrostat.arrays import Floats, Ints
from hydrostat.errors import InputError
from hydrostat.io.anatomy import read_anatomy
from hydrostat.io.frames import ContactFrame, Frame


class Recording:
    """A recording that is open for reading. A frame is named by its index; as in Python, -1 is the last.

    times: (f,) s. metadata: what the writer was given, in JSON's terms. anatomy: what stays in all frames.
    """

    def __init__(self, path: Path, file: Any) -> None:
        """Read what stays from an open HDF5 file; users call ``open_recording``."""
        self._path, self._file = path, file
        with _damage_named(path):
            self.metadata: dict[str, Any] = json.loads(file["hydrostat/metadata"][()])
            self.anatomy = read_anatomy(file["hydrostat"])
            self.times: Floats = self._rows("VTKHDF/Steps/Values", 0, int(file["hydrostat"].attrs["frames"]))

    @property
    def title(self) -> str:
        """What to write above a picture: the metadata's title, or else the file's name."""
        return str(self.metadata.get("title", self._path.stem))

    @property
    def dt(self) -> float:
        """The time step of the simulation, s; recorded frames may be further apart."""
        return float(self.metadata["dt"])

    @property
    def ground(self) -> dict[str, Any]:
        """The metadata's description of the ground; empty if there is none."""
        return dict(self.metadata.get("ground", {}))

    @property
    def rest_positions(self) -> Floats:
        """Body nodes at rest, (n, 3) m."""
        return self.anatomy.rest_positions

    @property
    def tets(self) -> Ints:
        """Tetrahedra, (t, 4) indices of nodes."""
        return self.anatomy.tets

    @property
    def surface_faces(self) -> Ints:
        """Triangles of the skin, (s, 3) indices of nodes."""
        return self.anatomy.surface_faces

    @property
    def fibres(self) -> list[Ints]:
        """For every muscle fibre the indices of its fibre points, in order."""
        return list(self.anatomy.fibres)

    @property
    def scalar_names(self) -> list[str]:
        """The names of the numbers that every frame holds, sorted."""
        return self._names("VTKHDF/FieldData")

    def positions(self, index: int) -> Floats:
        """Body nodes of a frame, (n, 3) m."""
        return self._points("Points", index, 0, self.anatomy.node_count)

    def velocities(self, index: int) -> Floats:
        """Velocities of the body nodes of a frame, (n, 3) m/s."""
        return self._points("PointData/velocity", index, 0, self.anatomy.node_count)

    def fibre_points(self, index: int) -> Floats:
        """Fibre points of a frame, (q, 3) m."""
        return self._points("Points", index, self.anatomy.node_count, self.anatomy.fibre_point_count)

    def activation(self, index: int) -> Floats:
        """Activation of every muscle segment in a frame, (m,) from 0 (relaxed) to 1."""
        return self._cells("CellData/activation", index, len(self.tets), len(self.anatomy.segments))

    def contacts(self, index: int) -> ContactFrame:
        """The contact patches of a frame: the used slots only."""
        slots, first = self.anatomy.patch_slots, self.anatomy.point_count - self.anatomy.patch_slots
        modes = self._cells("CellData/mode", index, self.anatomy.cell_count - slots, slots)
        used = int(np.count_nonzero(modes >= 0))  # the used slots come first
        return ContactFrame(
            positions=self._points("Points", index, first, used),
            normals=self._kept("contacts/normals", index)[:used],
            impulses=self._points("PointData/impulse", index, first, used),
            modes=modes[:used].astype(np.int64),
            gaps=self._kept("contacts/gaps", index)[:used],
        )

    def outside(self, index: int) -> Floats:
        """Forces from outside in a frame, gravity apart, (k, 2, 3): the place of the middle, m, and the force, N."""
        return self._kept("outside", index)

    def state(self, index: int) -> dict[str, NDArray[Any]]:
        """The arrays that a restart from a frame needs, to the bit as they were given."""
        return {name: self._kept(f"state/{name}", index) for name in self._names("hydrostat/state")}

    def markers(self, index: int) -> dict[str, Floats]:
        """The named points of a frame, (3,) m each."""
        return {name: self._kept(f"markers/{name}", index) for name in self._names("hydrostat/markers")}

    def scalar(self, name: str) -> Floats:
        """One number of every frame, (f,)."""
        if name not in self.scalar_names:
            raise InputError(
                f"{name!r} in {self._path}",
                f"one of {', '.join(self.scalar_names) or 'no names: it has no scalars'}",
                "ask for a name in scalar_names",
            )
        return self._rows(f"VTKHDF/FieldData/{name}", 0, len(self.times))

    def frame(self, index: int) -> Frame:
        """All of a frame."""
        step = self._step(index)
        return Frame(
            time=float(self.times[step]),
            positions=self.positions(step),
            velocities=self.velocities(step),
            fibre_points=self.fibre_points(step),
            activation=self.activation(step),
            contacts=self.contacts(step),
            outside=self.outside(step),
            state=self.state(step),
            scalars={name: float(self._rows(f"VTKHDF/FieldData/{name}", step, 1)[0]) for name in self.scalar_names},
            markers=self.markers(step),
        )

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def __len__(self) -> int:
        """f, the number of frames."""
        return len(self.times)

    def __enter__(self) -> Self:
        """The recording itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Close the file."""
        self.close()

    def _step(self, index: int) -> int:
        step, count = operator.index(index), len(self.times)
        if not -count <= step < count:
            raise InputError(
                f"frame {step} of {self._path}",
                f"an index from {-count} to {count - 1}" if count else "a recording with frames, this has none",
                "see the number of frames: len(recording)",
            )
        return step % count

    def _points(self, name: str, index: int, first: int, count: int) -> NDArray[Any]:
        return self._rows(f"VTKHDF/{name}", self._step(index) * self.anatomy.point_count + first, count)

    def _cells(self, name: str, index: int, first: int, count: int) -> NDArray[Any]:
        return self._rows(f"VTKHDF/{name}", self._step(index) * self.anatomy.cell_count + first, count)

    def _kept(self, name: str, index: int) -> NDArray[Any]:
        rows: NDArray[Any] = self._rows(f"hydrostat/{name}", self._step(index), 1)[0, ...]
        return rows

    def _names(self, group: str) -> list[str]:
        return sorted(self._file[group]) if group in self._file else []

    def _rows(self, name: str, start: int, count: int) -> NDArray[Any]:
        with _damage_named(self._path):
            rows: NDArray[Any] = self._file[name][start : start + count]
            if len(rows) < count:
                raise ValueError(f"{name} ends {count - len(rows)} rows too early")
            return rows


@contextmanager
def _damage_named(path: Path) -> Iterator[None]:
    """Whatever HDF5 or JSON trips over, the user's trouble is a damaged file."""
    try:
        yield
    except (KeyError, OSError, RuntimeError, ValueError) as error:
        raise InputError(
            f"{path} is damaged ({error})", "a complete recording", "copy the file again, or record again"
        ) from error
