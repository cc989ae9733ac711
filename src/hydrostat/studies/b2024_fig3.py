"""B2024 figure 3: target shapes keep the angular momentum of a free body; forces along the same modes do not.

The forces are those that pull an unturned body towards the same shape, Σ a_v S_v of B2024-(13a) without the rotation:
they stay as they are in space while the body bends and turns. Both bodies have the same elasticity, start at rest in
free space, and follow the same rhythm. ``roll`` leaves out the correction B2024-(15b), with which the project's own
rollout keeps its spin to rounding: what is compared is what the energies do by themselves.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hydrostat.arrays import Floats
from hydrostat.bodies.reduced import ReducedBody, ReducedOptions, rest_state, rollout
from hydrostat.studies.b2024 import FREE_SPACE, creature_body, rhythm
from hydrostat.studies.b2024_report import markdown, verdict
from hydrostat.studies.study import Findings, Options, Study

CREATURE, MODES, SECONDS, SMALL_SECONDS = "seal", 5, 3.0, 0.5
ROUNDS = (10, 100)  # the second finds the solution
OWN, SHAPES = "target shape, this project's rollout", "target shape, spin not given back"
FORCES = "forces along the same modes"
LITTLE = 0.02
HEAD = "actuation | rounds | linear momentum, mm/s | angular momentum, turns/s | turned at the end, degrees"
NOTES = (
    "Momenta are the greatest that the body ever has; it starts with none, and nothing outside acts on it. The linear",
    "one is told as the speed of its centre, the angular one as that at which a ring of its mass and size would spin",
    "with it. A body without any may still turn, as a cat does in falling. Modes are orthogonal to rigid motion, so",
    "forces along them have no sum, and both keep linear momentum: the paper's spurious linear forces need other",
    "forces than those of the modes alone.",
)


def measure(options: Options) -> Findings:
    """Drive a free body both ways."""
    options.progress(CREATURE)
    body = creature_body(CREATURE, ReducedOptions(MODES), options)
    steps = round((SMALL_SECONDS if options.small else SECONDS) / FREE_SPACE.dt)
    amplitudes = rhythm(body, steps, FREE_SPACE)
    motion = rollout(body, rest_state(body), amplitudes, FREE_SPACE)
    found = [(OWN, FREE_SPACE.iterations, _measured(body, motion.coordinates, motion.velocities))]
    for name, forced in ((SHAPES, False), (FORCES, True)):
        for rounds in ROUNDS:
            found.append((name, rounds, _measured(body, *roll(body, amplitudes, rounds, forced))))
    rows = [[name, str(rounds), *_told(measured)] for name, rounds, measured in found]
    spins = {(name, rounds): measured.spin for name, rounds, measured in found}
    holds = all(spins[SHAPES, rounds] <= LITTLE * spins[FORCES, rounds] for rounds in ROUNDS)
    claim = f"target shapes leave at most {LITTLE:.0%} of the angular momentum of forces"
    return Findings({}, [*markdown(HEAD, rows), verdict(claim, holds), "", *NOTES])


def roll(body: ReducedBody, amplitudes: Floats, rounds: int, forced: bool) -> tuple[Floats, Floats]:
    """Coordinates and velocities, (T + 1, k, 3), driven by target shapes or ``forced`` along the modes. B2024-(15a)

    amplitudes (T, m) m. rounds: of the local and the global step in every time step.
    """
    inertia = body.mass / FREE_SPACE.dt**2
    places, speeds = [body.rest_coordinates], [np.zeros_like(body.rest_coordinates)]
    for row in amplitudes:
        shaped = np.tensordot(row, body.actuation[:-1], 1)
        active = body.actuation[-1] if forced else body.actuation[-1] + shaped
        tensors = _by_cluster(np.hstack([body.passive, active]))
        push = _by_cluster(shaped).sum(axis=0) if forced else 0.0
        inertial = places[-1] + FREE_SPACE.dt * speeds[-1]
        place = inertial
        for _ in range(rounds):
            pull = inertia * inertial + push + _turned(tensors, place)
            place = pull / (inertia + body.stiffnesses)[:, None]
        speeds.append((place - places[-1]) / FREE_SPACE.dt)
        places.append(place)
    return np.array(places), np.array(speeds)


def _by_cluster(tensor: Floats) -> Floats:
    """(k, 3c), clusters side by side, as (c, k, 3)."""
    return tensor.reshape(len(tensor), -1, 3).transpose(1, 0, 2)


def _turned(tensors: Floats, coordinates: Floats) -> Floats:
    """Σ_c K_c R_cᵀ, (k, 3), with the best rotations at ``coordinates`` (k, 3). B2024-(13b)"""
    return np.einsum("ckj,cij->ki", tensors, nearest_rotations(np.einsum("ki,ckj->cij", coordinates, tensors)))


def nearest_rotations(matrices: Floats) -> Floats:
    """The rotation nearest to every one of ``matrices`` (c, 3, 3). B2024-(12)"""
    left, _, right = np.linalg.svd(matrices)
    left[:, :, 2] *= np.linalg.det(left @ right)[:, None]
    return np.asarray(left @ right)


class Measured(NamedTuple):
    """The greatest speed of the centre, m/s, and spin, turns/s; how far the body has turned at the end, degrees."""

    speed: float
    spin: float
    turned: float


def _measured(body: ReducedBody, coordinates: Floats, velocities: Floats) -> Measured:
    moments = np.cross(coordinates[:, 1:], velocities[:, 1:]).sum(axis=1)
    rotation = nearest_rotations((coordinates[-1, 1:].T @ body.rest_coordinates[1:])[None])[0]
    return Measured(
        speed=float(np.linalg.norm(velocities[:, 0], axis=1).max()),
        spin=float(np.linalg.norm(moments, axis=1).max()) / (2.0 * np.pi * body.size**2),
        turned=float(np.degrees(np.arccos(np.clip((np.trace(rotation) - 1.0) / 2.0, -1.0, 1.0)))),
    )


def _told(measured: Measured) -> list[str]:
    return [f"{1e3 * measured.speed:.1e}", f"{measured.spin:.1e}", f"{measured.turned:.1f}"]


STUDY = Study("b2024-fig3", "momentum of a free body, driven by target shapes and by forces", measure)
