"""How far a mode may be driven."""

from __future__ import annotations

import numpy as np

from hydrostat.arrays import Bools, Floats
from hydrostat.errors import InputError
from hydrostat.geometry.tetrahedra import TetMesh


def stretches(mesh: TetMesh, modes: Floats) -> Floats:
    """|∇d|² of every mode (n, 3, m) in every element, (m, t), for an amplitude of one metre. B2024-(77)"""
    corners, moved = mesh.vertices[mesh.tets], modes[mesh.tets]
    edges = corners[:, 1:] - corners[:, :1]
    shifts = (moved[:, 1:] - moved[:, :1]).reshape(len(mesh.tets), 3, -1)
    gradients = np.linalg.solve(edges, shifts).reshape(len(mesh.tets), 9, -1)
    squares: Floats = (gradients**2).sum(axis=1).T
    return squares


def largest_amplitudes(mesh: TetMesh, modes: Floats, stretch: float = 1.0, elements: Bools | None = None) -> Floats:
    """Amplitudes in metres, (m,), at which a mode alone deforms some element by |F − I|² = ``stretch``. B2024-(78)

    modes (n, 3, m): displacements of the nodes. elements (t,): the ones that count; all where None. Slivers deform
    most and so decide: leave them out, or mesh again.
    """
    if not 0.0 <= stretch < np.inf:
        raise InputError(f"stretch is {stretch}", "a finite number ≥ 0", "1 allows what the paper allows")
    squares = stretches(mesh, modes)
    largest = (squares if elements is None else squares[:, elements]).max(axis=1)
    return np.sqrt(stretch / largest)
