"""The energies of B2024 and their local-global steps in all coordinates of a mesh: element by element, dense, slow.

It shares no code with the reduced body but the shape functions' gradients and the lumped masses.
"""

from dataclasses import dataclass

import numpy as np
from scipy.optimize import nnls

from hydrostat.bodies.fem import FemBody, Material


def best_rotation(covariance):
    """The rotation that maximises tr(RᵀH), by singular values."""
    u, _, vt = np.linalg.svd(covariance)
    return u @ np.diag([1.0, 1.0, np.linalg.det(u @ vt)]) @ vt


@dataclass
class FullSpace:
    """A mesh with as-rigid-as-possible and actuation stiffness in Pa, and an own pair of rotations per cluster."""

    mesh: object
    modes: np.ndarray
    density: float
    stiffness: float
    actuation_stiffness: float
    passive_clusters: np.ndarray
    actuation_clusters: np.ndarray

    def __post_init__(self):
        body = FemBody(self.mesh, Material(density=self.density))
        self.masses, self.gradients = body.masses, body.rest_gradients

    def deformations(self, positions):
        return np.einsum("tai,taj->tij", positions[self.mesh.tets], self.gradients)

    def targets(self, amplitudes):
        return self.deformations(self.mesh.vertices + self.modes @ amplitudes)

    def terms(self, positions, amplitudes):
        """(stiffness × volume, F, its rotated target) of every element for both energies."""
        f, y = self.deformations(positions), self.targets(amplitudes)
        rest = np.broadcast_to(np.eye(3), y.shape)
        for stiffness, target, clusters in (
            (self.stiffness, rest, self.passive_clusters),
            (self.actuation_stiffness, y, self.actuation_clusters),
        ):
            weights = stiffness * self.mesh.volumes
            rotated = np.empty_like(f)
            for c in np.unique(clusters):
                own = clusters == c
                covariance = np.einsum("t,tik,tjk->ij", weights[own], f[own], target[own])
                rotated[own] = best_rotation(covariance) @ target[own]
            yield weights, f, rotated

    def energies(self, positions, amplitudes):
        """Passive and actuation energy, J. B2024-(11), (23)"""
        return [
            0.5 * (w * ((f - rotated) ** 2).sum(axis=(1, 2))).sum()
            for w, f, rotated in self.terms(positions, amplitudes)
        ]

    def forces(self, positions, amplitudes):
        """Of the two energies, each (n, 3) N."""
        both = []
        for weights, f, rotated in self.terms(positions, amplitudes):
            force = np.zeros_like(positions)
            np.add.at(force, self.mesh.tets, -np.einsum("t,tij,taj->tai", weights, f - rotated, self.gradients))
            both.append(force)
        return both

    def step(self, positions, velocities, amplitudes, dt, gravity, iterations, floor=None):
        """A step by (15), with (15b); on a frictionless ``floor`` all nodes are samples, solved as a least squares."""
        n, tets = len(positions), self.mesh.tets
        weights = (self.stiffness + self.actuation_stiffness) * self.mesh.volumes
        matrix = np.zeros((n, n))
        for t, corners in enumerate(tets):
            matrix[np.ix_(corners, corners)] += weights[t] * self.gradients[t] @ self.gradients[t].T
        system = np.diag(self.masses / dt**2) + matrix
        inertial = positions + dt * velocities + dt**2 * np.asarray(gravity)
        moved, push = inertial, np.zeros(n)
        for _ in range(iterations):
            pulls = sum(self.forces(moved, amplitudes)) + matrix @ moved
            moved = np.linalg.solve(system, self.masses[:, None] / dt**2 * inertial + pulls)
            if floor is not None:
                answer = np.linalg.inv(system)
                answer += 1e-6 * np.diag(np.diag(answer))
                root = np.linalg.cholesky(answer)
                push, _ = nnls(root.T, np.linalg.solve(root, floor - moved[:, 1]))
                moved[:, 1] += np.linalg.solve(system, push)
        after = (moved - positions) / dt
        return moved, self.with_spin(positions, velocities, moved, after, dt * push), dt * push

    def with_spin(self, positions, velocities, moved, after, impulses):
        """``after`` turned as a whole, until the angular momentum is what it has to be. B2024-(15b)"""
        spin = self.spin(positions, velocities)
        arms = moved - self.masses @ moved / self.masses.sum()
        spin += np.cross(arms, impulses[:, None] * [0.0, 1.0, 0.0]).sum(axis=0)
        inertia = sum(m * (r @ r * np.eye(3) - np.outer(r, r)) for m, r in zip(self.masses, arms, strict=True))
        return after + np.cross(np.linalg.solve(inertia, spin - self.spin(moved, after)), arms)

    def spin(self, positions, velocities):
        """Angular momentum about the centre of mass."""
        arms = positions - self.masses @ positions / self.masses.sum()
        return np.cross(arms, self.masses[:, None] * velocities).sum(axis=0)
