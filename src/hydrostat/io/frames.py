"""What a recording holds: the anatomy, which stays, and the frames, which pass."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hydrostat.arrays import Floats, Ints
from hydrostat.errors import InputError

UNUSED = -1  # the mode of a patch slot that holds no contact in this frame


@dataclass(frozen=True)
class Anatomy:
    """What is the same in every frame.

    rest_positions: (n, 3) m. tets: (t, 4) and surface_faces: (s, 3) indices of nodes. fibres: for every muscle
    fibre the indices of its fibre points, in order; consecutive pairs are the segments, m in all. patch_slots: the
    most contact patches that a frame can hold.
    """

    rest_positions: Floats
    tets: Ints
    surface_faces: Ints
    fibres: tuple[Ints, ...]
    patch_slots: int

    def __post_init__(self) -> None:
        """Refuse what could not be drawn."""
        _require_shape("rest_positions", self.rest_positions, (self.node_count, 3))
        _require_shape("tets", self.tets, (len(self.tets), 4))
        _require_shape("surface_faces", self.surface_faces, (len(self.surface_faces), 3))
        _require_finite("rest_positions", self.rest_positions, "the recording's start")
        if not self.node_count or self.patch_slots < 0:
            raise InputError(
                f"a body of {self.node_count} nodes with {self.patch_slots} patch slots",
                "at least one node and a number of slots ≥ 0",
                "pass the body's rest_positions (n, 3) and patch_slots=0 where nothing touches",
            )
        for name, indices in (("tets", self.tets), ("surface_faces", self.surface_faces)):
            _require_indices(name, indices, self.node_count)
        for number, fibre in enumerate(self.fibres):
            _require_indices(f"fibre {number}", fibre, self.fibre_point_count)
            if fibre.ndim != 1 or len(fibre) < 2:
                raise InputError(
                    f"fibre {number} has shape {fibre.shape}",
                    "the indices (k,) of at least two fibre points",
                    "leave out fibres without a segment",
                )

    @property
    def node_count(self) -> int:
        """n, the number of body nodes."""
        return len(self.rest_positions)

    @cached_property
    def fibre_point_count(self) -> int:
        """q, the number of fibre points: every one belongs to a fibre."""
        return max((int(fibre.max()) + 1 for fibre in self.fibres if fibre.size), default=0)

    @cached_property
    def segments(self) -> Ints:
        """The fibre points at both ends of every muscle segment, (m, 2)."""
        pairs = [np.stack([fibre[:-1], fibre[1:]], axis=1) for fibre in self.fibres]
        return np.concatenate([np.zeros((0, 2), np.int64), *pairs])

    @property
    def point_count(self) -> int:
        """Body nodes, fibre points and patch slots together."""
        return self.node_count + self.fibre_point_count + self.patch_slots

    @property
    def cell_count(self) -> int:
        """Tetrahedra, muscle segments and patch slots together."""
        return len(self.tets) + len(self.segments) + self.patch_slots


@dataclass(frozen=True)
class ContactFrame:
    """The contact patches of one instant.

    positions: (c, 3) m. normals: (c, 3) unit vectors out of what is touched. impulses: (c, 3) N·s on the body.
    modes: (c,) what the contact does, numbers ≥ 0 of the contact room. gaps: (c,) m.
    """

    positions: Floats
    normals: Floats
    impulses: Floats
    modes: Ints
    gaps: Floats

    @classmethod
    def none(cls) -> ContactFrame:
        """Nothing touches."""
        vectors, numbers = np.zeros((0, 3)), np.zeros(0)
        return cls(vectors, vectors, vectors, np.zeros(0, np.int64), numbers)


@dataclass(frozen=True)
class Frame:
    """One instant of a recording.

    time: s. positions: (n, 3) m and velocities: (n, 3) m/s of the body nodes. fibre_points: (q, 3) m.
    activation: (m,) of every muscle segment, from 0 (relaxed) to 1. state: arrays, float64 or int64, that a restart
    needs. scalars: timings (ms), residuals, ratios. markers: named points, (3,) m. The names and shapes in state,
    scalars and markers are the same in all frames of a recording.
    """

    time: float
    positions: Floats
    velocities: Floats
    fibre_points: Floats
    activation: Floats
    contacts: ContactFrame
    state: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    scalars: Mapping[str, float] = field(default_factory=dict)
    markers: Mapping[str, Floats] = field(default_factory=dict)


def check_frame(frame: Frame, anatomy: Anatomy) -> None:
    """Refuse a frame that does not fit the anatomy or holds a number that is none."""
    when, contacts = f"{frame.time:g} s", frame.contacts
    slots = len(contacts.positions)
    if slots > anatomy.patch_slots:
        raise InputError(
            f"{slots} contact patches at {when}",
            f"at most patch_slots = {anatomy.patch_slots}",
            "start the recording with as many patch_slots as the body can have contacts",
        )
    shaped = {
        "time": (frame.time, ()),
        "positions": (frame.positions, (anatomy.node_count, 3)),
        "velocities": (frame.velocities, (anatomy.node_count, 3)),
        "fibre_points": (frame.fibre_points, (anatomy.fibre_point_count, 3)),
        "activation": (frame.activation, (len(anatomy.segments),)),
        "contacts.positions": (contacts.positions, (slots, 3)),
        "contacts.normals": (contacts.normals, (slots, 3)),
        "contacts.impulses": (contacts.impulses, (slots, 3)),
        "contacts.modes": (contacts.modes, (slots,)),
        "contacts.gaps": (contacts.gaps, (slots,)),
    }
    shaped |= {f"scalars/{name}": (value, ()) for name, value in frame.scalars.items()}
    shaped |= {f"markers/{name}": (value, (3,)) for name, value in frame.markers.items()}
    for name, (array, shape) in shaped.items():
        _require_shape(name, np.asarray(array), shape)
        _require_finite(name, array, when)
    for name, array in frame.state.items():
        _require_state(f"state/{name}", array, when)
    if slots and np.min(contacts.modes) < 0:
        raise InputError(
            f"contact mode {np.min(contacts.modes)} at {when}",
            f"modes ≥ 0, as {UNUSED} marks an unused patch slot",
            "leave out patches that are not in contact",
        )


def _require_shape(name: str, array: NDArray[Any], shape: tuple[int, ...]) -> None:
    if array.shape != shape:
        raise InputError(
            f"{name} has shape {array.shape}",
            f"shape {shape}",
            "pass the arrays of the body that is recorded",
        )


def _require_finite(name: str, array: Any, when: str) -> None:
    if not np.isfinite(array).all():
        raise InputError(
            f"{name} at {when} holds a number that is not finite",
            "finite numbers only",
            "look at the step before: a smaller dt or softer goals usually keep it finite; "
            "the frames until then are recorded",
        )


def _require_state(name: str, array: Any, when: str) -> None:
    if not isinstance(array, np.ndarray) or array.dtype not in (np.float64, np.int64):
        raise InputError(
            f"{name} is {getattr(array, 'dtype', type(array).__name__)}",
            "an array of float64 or int64, which a recording keeps to the bit",
            "convert it with numpy.asarray(..., dtype=numpy.float64)",
        )
    _require_finite(name, array, when)


def _require_indices(name: str, indices: Ints, count: int) -> None:
    if indices.size and not 0 <= indices.min() <= indices.max() < count:
        raise InputError(
            f"{name} has indices from {indices.min()} to {indices.max()}",
            f"indices from 0 to {count - 1}",
            "pass indices into the points of this recording",
        )
