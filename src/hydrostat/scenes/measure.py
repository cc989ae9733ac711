"""What a run amounts to, measured from its recording alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from hydrostat.geometry.tetrahedra import signed_volumes
from hydrostat.io.reader import Recording

MODES = ("free", "stick", "slide")


def summary(recording: Recording) -> dict[str, Any]:
    """Measured quantities of a run: paths, contact modes, volume, residuals, times. Lengths in m, times in s or ms."""
    count = len(recording.times)
    volumes, inverted, modes, forces = [], 0, [], []
    rest = signed_volumes(recording.rest_positions, recording.tets).sum()
    for index in range(count):
        elements = signed_volumes(recording.positions(index), recording.tets)
        volumes.append(float(elements.sum() / rest))
        inverted = max(inverted, int(np.count_nonzero(elements <= 0.0)))
        contacts = recording.contacts(index)
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


def _spread(values: Sequence[float] | Any) -> dict[str, float]:
    return {"median": float(np.median(values)), "p99": float(np.percentile(values, 99))}
