"""One instant of a recording, and what it must fulfil to be recorded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hydrostat.arrays import Floats, Ints
from hydrostat.errors import InputError
from hydrostat.io.anatomy import Anatomy
from hydrostat.io.checks import require_finite, require_shape


@dataclass(frozen=True)
class ContactFrame:
    """The contact patches of one instant.

    positions: (c, 3) m. normals: (c, 3) unit vectors out of what is touched. impulses: (c, 3) N·s, on the
    body. modes: (c,) what each contact does, numbers ≥ 0. gaps: (c,) m.
    """

    positions: Floats
    normals: Floats
    impulses: Floats
    modes: Ints
    gaps: Floats

    @classmethod
    def none(cls) -> ContactFrame:
        """Nothing touches."""
        vectors = np.zeros((0, 3))
        return cls(vectors, vectors, vectors, np.zeros(0, np.int64), np.zeros(0))


@dataclass(frozen=True)
class Frame:
    """One instant of a recording.

    time: s. positions: (n, 3) m and velocities: (n, 3) m/s of the body nodes. fibre_points: (q, 3) m.
    activation: (m,) of every muscle segment, from 0 (relaxed) to 1. outside: (k, 2, 3) of every force from outside
    during the step that led here, gravity apart: the place of its middle, m, and the force, N. state: what else a
    restart needs, arrays of float64 or int64. scalars: timings (ms), residuals, ratios. markers: named points, (3,) m.
    The number of forces, and the names and shapes in state, scalars and markers, are the same in all frames of a
    recording.
    """

    time: float
    positions: Floats
    velocities: Floats
    fibre_points: Floats
    activation: Floats
    contacts: ContactFrame
    outside: Floats = field(default_factory=lambda: np.zeros((0, 2, 3)))
    state: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    scalars: Mapping[str, float] = field(default_factory=dict)
    markers: Mapping[str, Floats] = field(default_factory=dict)


def check_frame(frame: Frame, anatomy: Anatomy) -> None:
    """InputError if the frame does not fit the anatomy, or holds a number that is not finite."""
    when, contacts = f"{frame.time:g} s", frame.contacts
    used = len(contacts.positions)
    if used > anatomy.patch_slots:
        raise InputError(
            f"{used} contact patches at {when}",
            f"at most patch_slots = {anatomy.patch_slots}",
            "start the recording with as many patch_slots as the body can have contacts",
        )
    shaped = {
        "time": (frame.time, ()),
        "positions": (frame.positions, (anatomy.node_count, 3)),
        "velocities": (frame.velocities, (anatomy.node_count, 3)),
        "fibre_points": (frame.fibre_points, (anatomy.fibre_point_count, 3)),
        "activation": (frame.activation, (len(anatomy.segments),)),
        "contacts.positions": (contacts.positions, (used, 3)),
        "contacts.normals": (contacts.normals, (used, 3)),
        "contacts.impulses": (contacts.impulses, (used, 3)),
        "contacts.modes": (contacts.modes, (used,)),
        "contacts.gaps": (contacts.gaps, (used,)),
        "outside": (frame.outside, (len(frame.outside), 2, 3)),
    }
    shaped |= {f"scalars/{name}": (value, ()) for name, value in frame.scalars.items()}
    shaped |= {f"markers/{name}": (point, (3,)) for name, point in frame.markers.items()}
    for name, (array, shape) in shaped.items():
        require_shape(name, np.asarray(array), shape)
        require_finite(name, array, when)
    if used and np.min(contacts.modes) < 0:
        raise InputError(
            f"contact mode {np.min(contacts.modes)} at {when}",
            "modes ≥ 0: negative ones mark an empty place in the file",
            "leave out patches that are not in contact",
        )
    for name, array in frame.state.items():
        _check_state(f"state/{name}", array)
        require_finite(f"state/{name}", array, when)
    for name in (*frame.state, *frame.scalars, *frame.markers):
        _check_name(name)


def _check_state(name: str, array: Any) -> None:
    if not isinstance(array, np.ndarray) or array.dtype not in (np.float64, np.int64):
        raise InputError(
            f"{name} is {getattr(array, 'dtype', type(array).__name__)}",
            "an array of float64 or int64, which a recording keeps to the bit",
            "convert it with numpy.asarray(..., dtype=numpy.float64)",
        )


def _check_name(name: str) -> None:
    if not name or name == "." or "/" in name:
        raise InputError(f"the name {name!r}", "a name without a slash", "join its parts by a dot or underscore")
