"""Friction on the ground: Coulomb's law over eight directions, also one that knows forward from backward."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hydrostat.arrays import Floats
from hydrostat.errors import InputError

# Tangential directions of a contact, 45° apart from its first tangent on (T2012 section 7).
DIRECTIONS = 8


@dataclass(frozen=True)
class Friction:
    """Coefficients of friction against sliding.

    coefficient: μ in every direction. backward: μ against sliding opposite to ``forward`` (scales, bristles), or
    None for the same everywhere. It is the diagonal of S in T2012's f_c = N f⊥ + D S f∥: only the direction that
    pushes forward is scaled.
    """

    coefficient: float = 0.8
    backward: float | None = None
    forward: tuple[float, float, float] = (1.0, 0.0, 0.0)

    def __post_init__(self) -> None:
        """Refuse coefficients that are no friction."""
        for name in ("coefficient", "backward"):
            value = getattr(self, name)
            if value is not None and not 0.0 <= value < np.inf:
                raise InputError(f"friction {name} is {value}", "a finite number ≥ 0", f"change {name}")
        if not np.linalg.norm(self.forward) > 0.0:
            raise InputError(f"forward is {self.forward}", "a vector of some length", "give the heading")

    def coefficients(self, contacts: int) -> Floats:
        """μ of every contact and direction of the friction force, (contacts, 8)."""
        one = np.full(DIRECTIONS, self.coefficient)
        if self.backward is not None:
            one[0] = self.backward
        return np.tile(one, (contacts, 1))

    def frames(self, normals: Floats) -> Floats:
        """Rows normal, tangent along ``forward``, tangent across, for every normal (c, 3): (c, 3, 3)."""
        heading = np.asarray(self.forward, dtype=float)
        along = heading - (normals @ heading)[:, None] * normals
        steep = np.linalg.norm(along, axis=1) < 1e-6
        along[steep] = np.cross(normals[steep], np.eye(3)[2])
        along /= np.linalg.norm(along, axis=1, keepdims=True)
        return np.stack([normals, along, np.cross(normals, along)], axis=1)
