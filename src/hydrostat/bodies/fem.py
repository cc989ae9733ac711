"""The soft body: corotational linear finite elements and their implicit step (T2012 section 4)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from hydrostat.arrays import Floats
from hydrostat.bodies.elasticity import assemble, deformations, elastic_forces
from hydrostat.errors import InputError
from hydrostat.geometry.tetrahedra import TetMesh
from hydrostat.solvers.linear import BlockPattern, Factorisation, block_pattern


@dataclass(frozen=True)
class Material:
    """What a soft body is made of.

    density kg/m³; youngs_modulus Pa; poisson_ratio in [0, 0.5); mass_damping 1/s and stiffness_damping s are
    Rayleigh's μ and λ; gradients: strain-displacement in "deformed" coordinates (no ghost torque) or in "rest" ones.
    """

    density: float = 1000.0
    youngs_modulus: float = 5e5
    poisson_ratio: float = 0.45
    mass_damping: float = 0.0
    stiffness_damping: float = 0.05
    gradients: Literal["deformed", "rest"] = "deformed"

    def __post_init__(self) -> None:
        """Refuse what has no physical meaning."""
        for name, low, high in (
            ("density", 0.0, np.inf),
            ("youngs_modulus", 0.0, np.inf),
            ("poisson_ratio", -1.0, 0.5),
        ):
            value = getattr(self, name)
            if not low < value < high:
                raise InputError(f"{name} is {value}", f"a number between {low} and {high}", f"change {name}")
        for name in ("mass_damping", "stiffness_damping"):
            value = getattr(self, name)
            if not 0.0 <= value < np.inf:
                raise InputError(f"{name} is {value}", "a finite number ≥ 0", f"change {name}")
        if self.gradients not in ("deformed", "rest"):
            raise InputError(f"gradients is {self.gradients!r}", "'deformed' or 'rest'", "choose one of them")

    @property
    def lame(self) -> tuple[float, float]:
        """Lamé's λ and μ, Pa."""
        e, nu = self.youngs_modulus, self.poisson_ratio
        return e * nu / ((1.0 + nu) * (1.0 - 2.0 * nu)), e / (2.0 * (1.0 + nu))


@dataclass(frozen=True)
class Deformation:
    """How a body is deformed at one instant; arrays over elements, see ``elasticity.deformations``."""

    rotations: Floats
    gradients: Floats
    strains: Floats
    areas: Floats


@dataclass(frozen=True)
class FemBody:
    """A tetrahedral mesh of one material, with everything that follows from the two."""

    mesh: TetMesh
    material: Material = Material()

    @property
    def rest_positions(self) -> Floats:
        """(n, 3) m."""
        return self.mesh.vertices

    @cached_property
    def rest_gradients(self) -> Floats:
        """Gradients b⁰ of the shape functions at rest, (t, 4, 3) 1/m."""
        corners = self.mesh.vertices[self.mesh.tets]
        edges = corners[:, 1:] - corners[:, :1]
        inner = np.linalg.inv(edges).transpose(0, 2, 1)
        return np.concatenate([-inner.sum(axis=1, keepdims=True), inner], axis=1)

    @cached_property
    def masses(self) -> Floats:
        """Lumped mass of every node, (n,) kg: a quarter of each element's."""
        quarter = self.material.density * self.mesh.volumes / 4.0
        count = len(self.mesh.vertices)
        masses: Floats = np.bincount(self.mesh.tets.ravel(), np.repeat(quarter, 4), count).astype(np.float64)
        return masses

    @property
    def mass(self) -> float:
        """Total mass, kg."""
        return float(self.masses.sum())

    @cached_property
    def pattern(self) -> BlockPattern:
        """The block pattern of the system matrix."""
        return block_pattern(len(self.mesh.vertices), self.mesh.tets)

    def deform(self, positions: Floats) -> Deformation:
        """The deformation of every element at ``positions`` (n, 3) m."""
        return Deformation(
            *deformations(
                positions,
                self.mesh.tets,
                self.rest_gradients,
                self.mesh.volumes,
                self.material.gradients == "deformed",
            )
        )

    def elastic_forces(self, deformation: Deformation) -> Floats:
        """Elastic force on every node, (n, 3) N. T2012-(2)."""
        return elastic_forces(
            self.mesh.tets,
            deformation.gradients,
            deformation.strains,
            self.mesh.volumes,
            *self.material.lame,
            len(self.mesh.vertices),
        )

    def effective_mass(self, deformation: Deformation, dt: float) -> Factorisation:
        """The factored M̃ = M + dt C + dt² K with C = μ M + λ K. T2012-(8)."""
        material, pattern = self.material, self.pattern
        factor = dt * (material.stiffness_damping + dt)
        lame_lambda, lame_mu = material.lame
        volumes = factor * self.mesh.volumes
        buffer = np.zeros(pattern.size)
        assemble(
            deformation.gradients,
            lame_lambda * volumes,
            lame_mu * volumes,
            pattern.offsets,
            pattern.strides,
            buffer,
        )
        inertia = (1.0 + dt * material.mass_damping) * self.masses
        for axis in range(3):
            buffer[pattern.node_offsets + axis * (pattern.node_strides + 1)] += inertia
        return Factorisation(pattern, buffer)
