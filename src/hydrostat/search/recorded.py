"""A found motion as files: a recording of the body, a point cache of the surface that the user gave."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from hydrostat import __version__
from hydrostat.arrays import Floats
from hydrostat.bodies.reduced import Trajectory
from hydrostat.io.frames import ContactFrame, Frame
from hydrostat.io.writer import RecordingWriter
from hydrostat.search.starts import ground_of
from hydrostat.search.trials import Trial

STICK, SLIDE = 1, 2
# A sample that moves along the ground slower than this share of the body's height a second sticks.
STICKING = 0.02


def write_recording(
    path: Path, trial: Trial, motion: Trajectory, title: str, details: Mapping[str, Any], every: int
) -> None:
    """Record ``motion``, one frame of ``every`` steps, so that it can be shown."""
    body, surroundings = trial.body, trial.surroundings
    with RecordingWriter(
        path,
        rest_positions=body.mesh.vertices,
        tets=body.mesh.tets,
        surface_faces=body.mesh.boundary,
        fibres=[],
        patch_slots=len(body.samples),
        metadata={
            "title": title,
            "scene": title,
            "version": __version__,
            "dt": surroundings.dt,
            "ground": ground_of(trial.surroundings).describe(),
            "height": body.height,
            "mass": body.mass,
            "gravity": surroundings.gravity,
            "muscles": {},
            "details": dict(details),
        },
    ) as writer:
        for step in range(0, trial.steps + 1, every):
            writer.append(_frame(trial, motion, step))


def _frame(trial: Trial, motion: Trajectory, step: int) -> Frame:
    """The body after ``step`` steps, with the contacts of the last of them."""
    body, coordinates, velocities = trial.body, motion.coordinates[step], motion.velocities[step]
    return Frame(
        time=step * trial.surroundings.dt,
        positions=body.basis @ coordinates,
        velocities=body.basis @ velocities,
        fibre_points=np.empty((0, 3)),
        activation=np.empty(0),
        contacts=_contacts(trial, motion, step) if step else ContactFrame.none(),
        state={"coordinates": coordinates, "coordinate velocities": velocities},
        markers={"centre of mass": motion.centres[step]},
    )


def _contacts(trial: Trial, motion: Trajectory, step: int) -> ContactFrame:
    """The samples on which the ground pressed during a step."""
    ground = ground_of(trial.surroundings)
    pressed = np.flatnonzero(np.linalg.norm(motion.impulses[step - 1], axis=1) > 0.0)
    rows = trial.body.basis[trial.body.samples[pressed]]
    points, velocities = rows @ motion.coordinates[step], rows @ motion.velocities[step]
    normals: Floats = np.array(ground.normals(points))
    along = velocities - np.einsum("ci,ci->c", velocities, normals)[:, None] * normals
    sliding = np.linalg.norm(along, axis=1) > STICKING * trial.body.height
    return ContactFrame(
        positions=points,
        normals=normals,
        impulses=motion.impulses[step - 1][pressed],
        modes=np.where(sliding, SLIDE, STICK),
        gaps=ground.gaps(points),
    )
