"""Pictures and movies of a recorded motion."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from hydrostat.arrays import Floats, Ints
from hydrostat.errors import InputError
from hydrostat.show import colours
from hydrostat.show.movie import write_movie, write_png
from hydrostat.show.render import draw
from hydrostat.show.scene3d import (
    ArrowItem,
    DiscItem,
    Ground,
    HeightfieldGround,
    Label,
    MarkerItem,
    MeshItem,
    Picture,
    PlaneGround,
    TubeItem,
)
from hydrostat.show.sheet import contact_sheet, evenly_spaced
from hydrostat.show.stage import Stage, Views

Bytes = NDArray[np.uint8]


class Contacts(Protocol):
    """The contacts of one frame: positions, normals (c, 3), impulses (c, 3) N·s, modes (c,) 0 free 1 stick 2 slide."""

    @property
    def positions(self) -> Floats:
        """(c, 3) m."""
        ...

    @property
    def normals(self) -> Floats:
        """(c, 3), unit, out of the ground."""
        ...

    @property
    def impulses(self) -> Floats:
        """(c, 3) N·s on the body."""
        ...

    @property
    def modes(self) -> Ints:
        """(c,) 0 free, 1 stick, 2 slide."""
        ...
