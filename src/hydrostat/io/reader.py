"""Read a recording: what stays at once, every frame when it is asked for."""

from __future__ import annotations

import json
import operator
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import h5py
import numpy as np
from numpy.typing import NDArray

from hydrostat.arrays import Floats, Ints
from hydrostat.errors import InputError
from hydrostat.io.frames import UNUSED, Anatomy, ContactFrame, Frame
from hydrostat.io.writer import FORMAT_VERSION


def open_recording(path: str | Path) -> Recording:
    """The recording in the file at ``path``, to be used in a ``with`` statement; InputError if it is none."""
    file = _open(Path(path))
    try:
        _check_kind(file)
        return Recording(file)
    except BaseException:
        file.close()
        raise


class Recording:
    """A recording that is open for reading. A frame is named by its index; as in Python, -1 is the last.

    times: (f,) s. metadata: what the writer was given, in JSON's terms. anatomy: what is the same in every frame.
    """

    def __init__(self, file: Any) -> None:
        """Read what stays from an open h5py file; users call ``open_recording``."""
        self._file = file
        with _damage_named(file):
            group = file["hydrostat"]
            self.metadata: dict[str, Any] = json.loads(group["metadata"][()])
            self.anatomy = _read_anatomy(group)
            self.times: Floats = file["VTKHDF/Steps/Values"][: file["VTKHDF/Steps"].attrs["NSteps"]]
