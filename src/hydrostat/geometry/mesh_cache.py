"""Meshes and other arrays kept between runs, found again by the content of what they were made from."""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
import zipfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hydrostat.arrays import Floats, Ints
from hydrostat.geometry.tetrahedra import TetMesh

# What numpy raises, beside OSError, on a file that is cut off, overwritten or not what it should be.
UNREADABLE = (ValueError, KeyError, EOFError, zipfile.BadZipFile, zlib.error)


def folder() -> Path:
    """Where they are kept: ``$HYDROSTAT_CACHE``, or the cache folder of the user."""
    chosen = os.environ.get("HYDROSTAT_CACHE")
    if chosen:
        return Path(chosen)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "hydrostat" / "Cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "hydrostat"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "hydrostat"


def key(*parts: Floats | Ints | str | float | None) -> str:
    """A name that changes with any of ``parts``."""
    digest = hashlib.sha256()
    for part in parts:
        if isinstance(part, np.ndarray):
            digest.update(f"{part.dtype.str}{part.shape}".encode())
            digest.update(np.ascontiguousarray(part).tobytes())
        else:
            digest.update(f"{part!r};".encode())
    return digest.hexdigest()


def load(name: str) -> TetMesh | None:
    """The mesh kept under ``name``; None when there is none, or none that can be read."""
    data = load_arrays(name)
    if data is None:
        return None
    try:
        mesh = TetMesh(data["vertices"].astype(np.float64), data["tets"].astype(np.int64))
        sound = len(mesh.tets) > 0 and mesh.tets.min() >= 0 and bool((mesh.volumes > 0).all())
    except (IndexError, *UNREADABLE):
        return None
    return mesh if sound else None


def save(name: str, mesh: TetMesh) -> None:
    """Keep ``mesh`` under ``name``, at once or not at all; a folder that cannot be written is no error."""
    save_arrays(name, {"vertices": mesh.vertices, "tets": mesh.tets})


def load_arrays(name: str) -> dict[str, NDArray[Any]] | None:
    """The arrays kept under ``name``; None when there are none, or none that can be read."""
    try:
        with (folder() / f"{name}.npz").open("rb") as file, np.load(file) as data:
            return {part: data[part] for part in data.files}
    # RuntimeError: the user has no home folder.
    except (OSError, RuntimeError, *UNREADABLE):
        return None


def save_arrays(name: str, arrays: dict[str, NDArray[Any]]) -> None:
    """Keep ``arrays`` under ``name``, at once or not at all; a folder that cannot be written is no error."""
    scratch = None
    try:
        place = folder()
        place.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=place, suffix=".part", delete=False) as file:
            scratch = Path(file.name)
            np.savez_compressed(file, allow_pickle=False, **arrays)
        os.replace(scratch, place / f"{name}.npz")
    except (OSError, RuntimeError):
        if scratch is not None:
            scratch.unlink(missing_ok=True)
