"""What both ends of a recording demand of an array, and how they say so."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hydrostat.arrays import Ints
from hydrostat.errors import InputError


def require_shape(name: str, array: NDArray[Any], shape: tuple[int, ...]) -> None:
    """InputError unless ``array`` has this shape."""
    if array.shape != shape:
        raise InputError(
            f"{name} has shape {array.shape}",
            f"shape {shape}",
            "pass the arrays of the body that is recorded",
        )


def require_finite(name: str, array: Any, when: str) -> None:
    """InputError if a number in ``array`` is NaN or infinite."""
    if not np.isfinite(array).all():
        raise InputError(
            f"{name} at {when} holds a number that is not finite",
            "finite numbers only",
            "look at the step before; a smaller dt or softer goals usually keep it finite",
        )


def require_indices(name: str, indices: Ints, count: int) -> None:
    """InputError unless all indices name one of ``count`` things."""
    if indices.size and not 0 <= indices.min() <= indices.max() < count:
        raise InputError(
            f"{name} has indices from {indices.min()} to {indices.max()}",
            f"indices from 0 to {count - 1}",
            "pass indices into the points of this recording",
        )
