"""Write files whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hydrostat.errors import InputError


@contextmanager
def written_whole(path: Path) -> Iterator[Path]:
    """A temporary file beside ``path``; it takes that name at the end, and vanishes on an error."""
    part = _beside(path)
    try:
        yield part
        # mkstemp makes private files; give this one the rights that any new file gets.
        mask = os.umask(0)
        os.umask(mask)
        part.chmod(0o666 & ~mask)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def _beside(path: Path) -> Path:
    """A new, empty file in the folder of ``path``, which is made where there is none; InputError if that fails."""
    try:
        if path.is_dir():
            raise IsADirectoryError("it is a folder")
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent)
    except OSError as error:
        raise InputError(
            f"{path} cannot be written ({error})", "a file in a folder that can be written", "choose another name"
        ) from error
    os.close(handle)
    return Path(name)
