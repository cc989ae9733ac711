"""What a run amounts to, measured from its recording alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from hydrostat.arrays import Floats
from hydrostat.contact.ground import described
from hydrostat.geometry.tetrahedra import signed_volumes
from hydrostat.io.reader import Recording
from hydrostat.scenes.scene import Demand, Scene

MODES = ("free", "stick", "slide")


def summary(recording: Recording) -> dict[str, Any]:
    """Measured quantities of a run: paths, contact modes, volume, residuals, times. Lengths in m, times in s or ms.

    penetration: greatest depth of any node in the ground, in body heights. momentum_error: see that function. lifted:
    m, how far the centre of mass was moved, in all, to bring nodes out of the ground.
    """
    count = len(recording.times)
    volumes, inverted, modes, forces, depth = [], 0, [], [], 0.0
    rest = signed_volumes(recording.rest_positions, recording.tets).sum()
    ground = described(recording.metadata["ground"])
    for index in range(count):
        elements = signed_volumes(recording.positions(index), recording.tets)
        volumes.append(float(elements.sum() / rest))
        inverted = max(inverted, int(np.count_nonzero(elements <= 0.0)))
        contacts = recording.contacts(index)
        depth = max(depth, -float(ground.gaps(recording.positions(index)).min()))
        modes.append([MODES[mode] for mode in contacts.modes])
        forces.append((contacts.impulses.sum(axis=0) / recording.dt).tolist())
    path = np.array([recording.markers(index)["centre of mass"] for index in range(count)])
    scalars = {name: recording.scalar(name) for name in recording.scalar_names}
    return {
        "scene": recording.metadata.get("scene"),
        "version": recording.metadata.get("version"),
        "frames": count,
        "dt": recording.dt,
        "seconds": float(recording.times[-1]),
        "tets": len(recording.tets),
        "vertices": len(recording.rest_positions),
        "segments": sum(len(fibre) - 1 for fibre in recording.fibres),
        "centre_of_mass": path.tolist(),
        "contact_modes": modes,
        "contact_force": forces,
        "volume_ratio": {"min": min(volumes), "max": max(volumes)},
        "inverted_elements": inverted,
        "penetration": depth / recording.metadata["height"],
        "momentum_error": float(momentum_error(recording).max(initial=0.0)),
        "lifted": lifted(recording),
        "residual_max": {
            name.removeprefix("residual "): float(values.max())
            for name, values in scalars.items()
            if name.startswith("residual ")
        },
        "milliseconds_a_frame": {
            name.removeprefix("milliseconds "): _spread(values)
            for name, values in scalars.items()
            if name.startswith("milliseconds ")
        }
        | {"total": _spread(sum(v for n, v in scalars.items() if n.startswith("milliseconds ")))},
    }


def node_masses(recording: Recording) -> Floats:
    """Mass of every node, (n,) kg: a quarter of each of its elements'."""
    volumes = signed_volumes(recording.rest_positions, recording.tets)
    shares = np.bincount(recording.tets.ravel(), np.repeat(volumes / 4.0, 4), len(recording.rest_positions))
    masses: Floats = recording.metadata["mass"] * shares / volumes.sum()
    return masses


def momentum_error(recording: Recording) -> Floats:
    """How much of every frame's change of momentum gravity, contact and outside forces do not explain, (f - 1,).

    Relative to the greatest of: weight over a step, the momentum itself, the contact and outside impulses.
    """
    masses, dt = node_masses(recording), recording.dt
    weight = dt * recording.metadata["mass"] * np.array(recording.metadata["gravity"])
    momenta = np.array([masses @ recording.velocities(index) for index in range(len(recording))])
    errors = []
    for index in range(1, len(recording)):
        contact = recording.contacts(index).impulses.sum(axis=0)
        outside = dt * recording.outside(index)[:, 1].sum(axis=0)
        missing = momenta[index] - momenta[index - 1] - weight - contact - outside
        scale = max(np.linalg.norm(v) for v in (weight, momenta[index], contact, outside))
        errors.append(float(np.linalg.norm(missing) / scale) if scale > 0.0 else 0.0)
    return np.array(errors)


def lifted(recording: Recording) -> float:
    """How far the centre of mass moved in all without velocity, m: what T2012-(9b) displaces."""
    shares = node_masses(recording) / recording.metadata["mass"]
    centres = np.array([shares @ recording.positions(index) for index in range(len(recording))])
    speeds = np.array([shares @ recording.velocities(index) for index in range(len(recording))])
    return float(np.linalg.norm(np.diff(centres, axis=0) - recording.dt * speeds[1:], axis=1).sum())


# What every scene must keep to, in every frame.
ALWAYS = (
    Demand("volume least", least=0.85),
    Demand("volume most", most=1.15),
    Demand("inverted_elements", most=0),
    Demand("residual", most=1e-6),
    Demand("penetration", most=1e-3),
    Demand("momentum_error", most=1e-8),
)


def measures(scene: Scene, recording: Recording) -> dict[str, Any]:
    """What the recording of ``scene`` shows beyond the summary; nothing if it is too short to tell."""
    return scene.measure(recording) if recording.times[-1] >= scene.telling else {}


def verdicts(scene: Scene, recording: Recording) -> dict[str, bool]:
    """Every demand of ``scene`` in words that was measured, and whether the recording of it holds it."""
    whole = summary(recording)
    volume = whole["volume_ratio"]
    common = {"volume least": volume["min"], "volume most": volume["max"]}
    measured = whole | common | {"residual": max(whole["residual_max"].values())} | measures(scene, recording)
    return {
        str(demand): bool(demand.least <= measured[demand.quantity] <= demand.most)
        for demand in (*ALWAYS, *scene.demands)
        if demand.quantity in measured
    }


def _spread(values: Sequence[float] | Any) -> dict[str, float]:
    return {"median": float(np.median(values)), "p99": float(np.percentile(values, 99))}
