"""Kernels of the corotational element: deformation, rotation, stress, stiffness (docs/theory/t2012.md).

Compiled by numba; with the JIT off they are plain NumPy loops with the same results. Small matrices are copied entry
by entry: for a slice that is set to an array numba compiles the words of its error message too, which takes seconds.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np

from hydrostat.arrays import Floats, Ints

# Stretches below this count as flat or inverted: gradients stop growing there, so forces stay finite and restoring.
FLAT = 0.2
# Newton's iteration doubles its digits every time: after a change this small the next error is below rounding.
POLAR_TOLERANCE = 1e-8
POLAR_ITERATIONS = 30


@numba.njit(cache=True, inline="always")
def _cofactor(f: Any, out: Any) -> float:
    """Write cof(f) (3, 3) to ``out`` and return det f; cof(f) = det(f) f⁻ᵀ."""
    out[0, 0] = f[1, 1] * f[2, 2] - f[1, 2] * f[2, 1]
    out[0, 1] = f[1, 2] * f[2, 0] - f[1, 0] * f[2, 2]
    out[0, 2] = f[1, 0] * f[2, 1] - f[1, 1] * f[2, 0]
    out[1, 0] = f[0, 2] * f[2, 1] - f[0, 1] * f[2, 2]
    out[1, 1] = f[0, 0] * f[2, 2] - f[0, 2] * f[2, 0]
    out[1, 2] = f[0, 1] * f[2, 0] - f[0, 0] * f[2, 1]
    out[2, 0] = f[0, 1] * f[1, 2] - f[0, 2] * f[1, 1]
    out[2, 1] = f[0, 2] * f[1, 0] - f[0, 0] * f[1, 2]
    out[2, 2] = f[0, 0] * f[1, 1] - f[0, 1] * f[1, 0]
    return float(f[0, 0] * out[0, 0] + f[0, 1] * out[0, 1] + f[0, 2] * out[0, 2])


@numba.njit(cache=True, inline="always")
def _square(f: Any) -> float:
    """Sum of the squares of a (3, 3)."""
    total = 0.0
    for i in range(3):
        for j in range(3):
            total += f[i, j] * f[i, j]
    return total


@numba.njit(cache=True)
def _polar(f: Any, rotation: Any, cofactor: Any) -> None:
    """Write the rotation R of f = R S (det f > 0) to ``rotation`` by Newton's scaled iteration X ← (γX + X⁻ᵀ/γ)/2."""
    for i in range(3):
        for j in range(3):
            rotation[i, j] = f[i, j]
    for _ in range(POLAR_ITERATIONS):
        det = _cofactor(rotation, cofactor)
        gamma = np.sqrt(np.sqrt(_square(cofactor) / _square(rotation)) / det)
        change = 0.0
        for i in range(3):
            for j in range(3):
                new = 0.5 * (gamma * rotation[i, j] + cofactor[i, j] / (gamma * det))
                change = max(change, abs(new - rotation[i, j]))
                rotation[i, j] = new
        if change < POLAR_TOLERANCE:
            return


@numba.njit(cache=True)
def _polar_of_flat(f: Any, rotation: Any, inverse: Any, scratch: Any) -> None:
    """Write the rotation of f (3, 3), flat or inverted, and its inverse with stretches of at least FLAT."""
    u, s, vt = np.linalg.svd(f)
    _multiply(u, vt, rotation)
    if _cofactor(rotation, scratch) < 0.0:  # the smallest stretch takes the reflection: R stays a rotation
        s[2] = -s[2]
        for i in range(3):
            u[i, 2] = -u[i, 2]
        _multiply(u, vt, rotation)
    for i in range(3):
        for j in range(3):
            inverse[i, j] = 0.0
            for k in range(3):
                inverse[i, j] += vt[k, i] * u[j, k] / max(s[k], FLAT)


@numba.njit(cache=True)
def _multiply(a: Any, b: Any, out: Any) -> None:
    """Write a b to ``out``, all (3, 3)."""
    for i in range(3):
        for j in range(3):
            out[i, j] = a[i, 0] * b[0, j] + a[i, 1] * b[1, j] + a[i, 2] * b[2, j]


@numba.njit(cache=True)
def deformations(
    positions: Floats, tets: Ints, rest_gradients: Floats, rest_volumes: Floats, deformed: bool
) -> tuple[Floats, Floats, Floats, Floats]:
    """How every element is deformed.

    positions (n, 3) m; tets (t, 4); rest_gradients b⁰ (t, 4, 3) 1/m; rest_volumes (t,) m³. ``deformed`` takes shape
    function gradients in deformed coordinates (Nesme), else in rotated rest coordinates.

    Returns rotations R (t, 3, 3), gradients b (t, 4, 3) 1/m, strains ε (t, 3, 3), and area vectors V₀ cof(F) b⁰
    (t, 4, 3) m²: minus a third of the outward area vector of the face opposite each corner.
    """
    count = len(tets)
    rotations = np.empty((count, 3, 3))
    gradients = np.empty((count, 4, 3))
    strains = np.empty((count, 3, 3))
    areas = np.empty((count, 4, 3))
    f, cofactor, scratch, inverse = np.empty((3, 3)), np.empty((3, 3)), np.empty((3, 3)), np.empty((3, 3))
    for t in range(count):
        f[:] = 0.0
        for a in range(4):  # F = Σ pₐ b⁰ₐᵀ
            for i in range(3):
                for j in range(3):
                    f[i, j] += positions[tets[t, a], i] * rest_gradients[t, a, j]
        det = _cofactor(f, cofactor)
        rotation = rotations[t]
        # The smallest stretch is at least 2 det / |F|², because the other two multiply to at most |F|²/2.
        if 2.0 * det > FLAT * _square(f):
            _polar(f, rotation, scratch)
            for i in range(3):
                for j in range(3):
                    inverse[i, j] = cofactor[j, i] / det
        else:
            _polar_of_flat(f, rotation, inverse, scratch)
        for a in range(4):
            for i in range(3):
                areas[t, a, i] = 0.0
                gradients[t, a, i] = 0.0
                for j in range(3):
                    areas[t, a, i] += rest_volumes[t] * cofactor[i, j] * rest_gradients[t, a, j]
                    part = inverse[j, i] if deformed else rotation[i, j]
                    gradients[t, a, i] += part * rest_gradients[t, a, j]
        # ε = sym Σ (pₐ − R xₐ) bₐᵀ: (F − R) F⁻¹ in deformed coordinates, (F − R) Rᵀ in rotated rest coordinates.
        for i in range(3):
            for j in range(3):
                scratch[i, j] = 0.0
                for k in range(3):
                    right = inverse[k, j] if deformed else rotation[j, k]
                    scratch[i, j] += (f[i, k] - rotation[i, k]) * right
        for i in range(3):
            for j in range(3):
                strains[t, i, j] = 0.5 * (scratch[i, j] + scratch[j, i])
    return rotations, gradients, strains, areas


@numba.njit(cache=True)
def elastic_forces(
    tets: Ints,
    gradients: Floats,
    strains: Floats,
    rest_volumes: Floats,
    lame_lambda: float,
    lame_mu: float,
    nodes: int,
) -> Floats:
    """Elastic force on every node, (n, 3) N: −V₀ σ bₐ with σ = λ tr ε I + 2 μ ε. T2012-(2)."""
    forces = np.zeros((nodes, 3))
    for t in range(len(tets)):
        trace = lame_lambda * (strains[t, 0, 0] + strains[t, 1, 1] + strains[t, 2, 2])
        for a in range(4):
            for i in range(3):
                pull = trace * gradients[t, a, i]
                for j in range(3):
                    pull += 2.0 * lame_mu * strains[t, i, j] * gradients[t, a, j]
                forces[tets[t, a], i] -= rest_volumes[t] * pull
    return forces


@numba.njit(cache=True)
def assemble(
    gradients: Floats,
    stiffnesses_lambda: Floats,
    stiffnesses_mu: Floats,
    offsets: Ints,
    strides: Ints,
    buffer: Floats,
) -> None:
    """Add every element's K_ab = λ bₐ b_bᵀ + μ b_b bₐᵀ + μ (bₐ·b_b) I to ``buffer``. T2012-(2c).

    ``stiffnesses_*`` (t,) are Lamé parameter × rest volume × any factor; offsets and strides: see BlockPattern.
    """
    for t in range(len(gradients)):
        b = gradients[t]
        stiff_lambda, stiff_mu = stiffnesses_lambda[t], stiffnesses_mu[t]
        for p in range(4):
            for q in range(4):
                offset, stride = offsets[t, p, q], strides[t, p, q]
                if offset < 0:
                    continue
                dot = stiff_mu * (b[p, 0] * b[q, 0] + b[p, 1] * b[q, 1] + b[p, 2] * b[q, 2])
                for j in range(3):
                    for i in range(3):
                        buffer[offset + i + j * stride] += (
                            stiff_lambda * b[p, i] * b[q, j] + stiff_mu * b[q, i] * b[p, j]
                        )
                    buffer[offset + j + j * stride] += dot
