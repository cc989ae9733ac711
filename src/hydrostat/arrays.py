"""Names for the arrays that pass between rooms."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]
Bools: TypeAlias = NDArray[np.bool_]


def frozen(array: Any, dtype: Any = np.float64) -> NDArray[Any]:
    """A C-ordered, read-only copy of ``array``: what frozen dataclasses hold."""
    copy = np.array(array, dtype=dtype, order="C")
    copy.setflags(write=False)
    return copy
