"""What a recorded motion must offer to be drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from hydrostat.arrays import Floats, Ints


class Contacts(Protocol):
    """The contacts of one frame."""

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
        """(c, 3) N·s on the body, over one time step."""
        ...

    @property
    def modes(self) -> Ints:
        """(c,), 0 free, 1 stick, 2 slide."""
        ...


class RecordedMotion(Protocol):
    """Everything that pictures need of a recording; frames are read when they are asked for."""

    @property
    def title(self) -> str:
        """What to write above a picture."""
        ...

    @property
    def times(self) -> Floats:
        """(f,) s, ascending."""
        ...

    @property
    def dt(self) -> float:
        """The time step over which impulses are summed, s."""
        ...

    @property
    def ground(self) -> Mapping[str, Any]:
        """The ground as plain numbers, by its ``kind``; empty if there is none."""
        ...

    @property
    def rest_positions(self) -> Floats:
        """(n, 3) m."""
        ...

    @property
    def surface_faces(self) -> Ints:
        """(s, 3) indices of nodes, counter-clockwise from outside."""
        ...

    @property
    def fibres(self) -> Sequence[Ints]:
        """For every muscle fibre its points, (k,) indices of fibre points in order."""
        ...

    def positions(self, index: int, /) -> Floats:
        """(n, 3) m."""
        ...

    def fibre_points(self, index: int, /) -> Floats:
        """(q, 3) m."""
        ...

    def activation(self, index: int, /) -> Floats:
        """(m,) in [0, 1]; the segments of all fibres one after another."""
        ...

    def contacts(self, index: int, /) -> Contacts:
        """The contacts of a frame."""
        ...

    def outside(self, index: int, /) -> Floats:
        """Forces from outside, (k, 2, 3): the place of the middle, m, and the force, N."""
        ...

    def markers(self, index: int, /) -> Mapping[str, Floats]:
        """Named points, (3,) m each."""
        ...
