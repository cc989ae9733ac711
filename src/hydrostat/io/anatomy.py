"""What is the same in every frame of a recording."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from hydrostat.arrays import Floats, Ints
from hydrostat.errors import InputError
from hydrostat.io.checks import require_finite, require_indices, require_shape


@dataclass(frozen=True)
class Anatomy:
    """A body, its skin and its muscle fibres.

    rest_positions: (n, 3) m. tets: (t, 4) and surface_faces: (s, 3) indices of nodes. fibres: for every
    muscle fibre the indices (k,) of its fibre points, in order; consecutive pairs are the segments, m in all.
    patch_slots: the most contact patches that a frame can hold.
    """

    rest_positions: Floats
    tets: Ints
    surface_faces: Ints
    fibres: tuple[Ints, ...]
    patch_slots: int

    def __post_init__(self) -> None:
        """Refuse what could not be drawn."""
        require_shape("rest_positions", self.rest_positions, (self.node_count, 3))
        require_finite("rest_positions", self.rest_positions, "rest")
        if not self.node_count or self.patch_slots < 0:
            raise InputError(
                f"a body of {self.node_count} nodes with {self.patch_slots} patch slots",
                "at least one node and a number of slots ≥ 0",
                "pass the body's rest_positions (n, 3), and patch_slots=0 where nothing touches",
            )
        for name, indices, corners in (("tets", self.tets, 4), ("surface_faces", self.surface_faces, 3)):
            require_shape(name, indices, (len(indices), corners))
            require_indices(name, indices, self.node_count)
        for number, fibre in enumerate(self.fibres):
            if fibre.ndim != 1 or len(fibre) < 2:
                raise InputError(
                    f"fibre {number} has shape {fibre.shape}",
                    "the indices (k,) of at least two fibre points",
                    "leave out fibres without a segment",
                )
            require_indices(f"fibre {number}", fibre, self.fibre_point_count)

    @property
    def node_count(self) -> int:
        """n, the number of body nodes."""
        return len(self.rest_positions)

    @cached_property
    def fibre_point_count(self) -> int:
        """q, the number of fibre points: up to the last one that a fibre uses."""
        return max((int(fibre.max()) + 1 for fibre in self.fibres), default=0)

    @cached_property
    def segments(self) -> Ints:
        """The fibre points at both ends of every muscle segment, (m, 2), fibre after fibre."""
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


def write_anatomy(group: Any, anatomy: Anatomy) -> None:
    """Write ``anatomy`` into an HDF5 group."""
    group.attrs["patch_slots"] = anatomy.patch_slots
    group["rest_positions"] = anatomy.rest_positions
    group["tets"] = anatomy.tets
    group["surface_faces"] = anatomy.surface_faces
    group["fibres"] = np.concatenate([np.zeros(0, np.int64), *anatomy.fibres])
    group["fibre_lengths"] = np.array([len(fibre) for fibre in anatomy.fibres], np.int64)


def read_anatomy(group: Any) -> Anatomy:
    """The anatomy that ``write_anatomy`` wrote."""
    ends = np.cumsum(group["fibre_lengths"][:])
    return Anatomy(
        rest_positions=group["rest_positions"][:],
        tets=group["tets"][:],
        surface_faces=group["surface_faces"][:],
        fibres=tuple(np.split(group["fibres"][:], ends[:-1])) if len(ends) else (),
        patch_slots=int(group.attrs["patch_slots"]),
    )
