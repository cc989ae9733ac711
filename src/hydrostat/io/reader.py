"""Open a recording, or say what is wrong with the file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import h5py

from hydrostat.errors import InputError
from hydrostat.io.recording import Recording
from hydrostat.io.writer import FORMAT_VERSION

__all__ = ["Recording", "open_recording"]


def open_recording(path: str | Path) -> Recording:
    """The recording in the file at ``path``, for a ``with`` statement; InputError if there is none."""
    path = Path(path)
    file = _open(path)
    try:
        _check_kind(path, file)
        return Recording(path, file)
    except BaseException:
        file.close()
        raise


def _open(path: Path) -> Any:
    cure = "pass the file that a run of hydrostat recorded"
    if not path.is_file():
        raise InputError(f"{path} is {'a folder' if path.is_dir() else 'not there'}", "a recording", cure)
    try:
        return h5py.File(path, "r", locking="best-effort")
    except BlockingIOError as error:
        raise InputError(f"{path} is still being written", "a closed recording", "wait for the run") from error
    except OSError as error:
        raise InputError(
            f"{path} is no HDF5 file, or a part of one ({error})", "a recording", f"{cure}, or copy it again"
        ) from error


def _check_kind(path: Path, file: Any) -> None:
    if "hydrostat" not in file or "VTKHDF" not in file:
        raise InputError(
            f"{path} is an HDF5 file of another kind",
            "the groups /VTKHDF and /hydrostat of a recording",
            "pass a file that hydrostat recorded",
        )
    version = file["hydrostat"].attrs.get("version")
    if version != FORMAT_VERSION:
        raise InputError(
            f"{path} is a recording of version {version}",
            f"version {FORMAT_VERSION}",
            "read it with the release of hydrostat that wrote it",
        )
