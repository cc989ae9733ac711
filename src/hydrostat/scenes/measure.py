"""What a run amounts to, measured from its recording alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from hydrostat.geometry.tetrahedra import signed_volumes
from hydrostat.io.reader import Recording
from hydrostat.scenes.scene import Demand, Scene

MODES = ("free", "stick", "slide")


def summary(recording: Recording) -> dict[str, Any]:
    """Measured quantities of a run: paths, contact modes, volume, residuals, times. Lengths in m, times in s or ms.

    penetration: depth of the lowest node under a patch, in body heights.
    """
    count = len(recording.times)
    volumes, inverted, modes, forces, depth = [], 0, [], [], 0.0
    rest = signed_volumes(recording.rest_positions, recording.tets).sum()
    for index in range(count):
        elements = signed_volumes(recording.positions(index), recording.tets)
        volumes.append(float(elements.sum() / rest))
        inverted = max(inverted, int(np.count_nonzero(elements <= 0.0)))
        contacts = recording.contacts(index)
        depth = max(depth, -float(contacts.gaps.min(initial=0.0)))
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


# What every scene must keep to, in every frame.
ALWAYS = (
    Demand("volume least", least=0.85),
    Demand("volume most", most=1.15),
    Demand("inverted_elements", most=0),
    Demand("residual", most=1e-6),
    Demand("penetration", most=1e-3),
)


def verdicts(scene: Scene, recording: Recording) -> dict[str, bool]:
    """Every demand of ``scene`` in words, and whether the recording of it holds it."""
    whole = summary(recording)
    volume = whole["volume_ratio"]
    common = {"volume least": volume["min"], "volume most": volume["max"]}
    measured = whole | common | {"residual": max(whole["residual_max"].values())} | scene.measure(recording)
    return {
        str(demand): bool(demand.least <= measured[demand.quantity] <= demand.most)
        for demand in (*ALWAYS, *scene.demands)
    }


def _spread(values: Sequence[float] | Any) -> dict[str, float]:
    return {"median": float(np.median(values)), "p99": float(np.percentile(values, 99))}
