"""The metadata of a recording: JSON, with what pictures need in agreed places."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np

from hydrostat.errors import InputError


def metadata_text(metadata: Mapping[str, Any]) -> str:
    """The metadata as JSON, equal for equal metadata; NumPy arrays and numbers become lists and numbers."""
    dt = metadata.get("dt")
    if not isinstance(dt, (int, float)) or not 0 < dt < np.inf:
        raise InputError(f"metadata with dt = {dt!r}", "the time step, a number > 0 of seconds", "add metadata['dt']")
    if not isinstance(metadata.get("ground", {}), Mapping):
        raise InputError(f"metadata with ground = {metadata['ground']!r}", "a dictionary", "name its parts")
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
