"""From a running scene to a recording, and back to a state to go on from."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from hydrostat import __version__
from hydrostat.io.frames import ContactFrame, Frame
from hydrostat.io.writer import RecordingWriter
from hydrostat.scenes.scene import Scene, Settings, Stage, play
from hydrostat.stepping.step import StepReport
from hydrostat.stepping.world import State

MEMORY = "memory."


def record(scene: Scene, path: Path, settings: Settings = Settings(), seconds: float | None = None) -> None:
    """Run ``scene`` for ``seconds`` (its own by default) and write its recording."""
    stage = scene.build(settings)
    path.parent.mkdir(parents=True, exist_ok=True)
    with writer_for(path, scene, stage, settings) as writer:
        for state, report in play(stage, scene.seconds if seconds is None else seconds):
            writer.append(frame_of(stage, state, report))


def writer_for(path: Path, scene: Scene, stage: Stage, settings: Settings) -> RecordingWriter:
    """A recording of ``stage``, still empty."""
    mesh, muscles = stage.world.body.mesh, stage.world.muscles
    return RecordingWriter(
        path,
        rest_positions=mesh.vertices,
        tets=mesh.tets,
        surface_faces=mesh.boundary,
        fibres=muscles.fibres if muscles else [],
        patch_slots=stage.world.patches.count,
        metadata={
            "title": scene.name,
            "scene": scene.name,
            "settings": vars(settings),
            "version": __version__,
            "dt": stage.world.dt,
            "ground": stage.world.ground.describe(),
            "height": stage.height,
            "mass": stage.world.body.mass,
            "gravity": stage.world.gravity,
            "muscles": {"groups": muscles.names, "owner": muscles.groups} if muscles else {},
            "details": dict(stage.details),
        },
    )


def frame_of(stage: Stage, state: State, report: StepReport) -> Frame:
    """What is recorded of a step: the state after it and the contacts during it."""
    world, contacts = stage.world, report.contacts
    impulses = np.einsum("cri,cr->ci", contacts.frames, report.decision.impulses.reshape(-1, 3))
    muscles = world.muscles
    residuals = vars(report.residuals)
    return Frame(
        time=state.time,
        positions=state.positions,
        velocities=state.velocities,
        fibre_points=muscles.fibre_points(state.positions) if muscles else np.empty((0, 3)),
        activation=muscles.activation(state.actuation) if muscles else np.empty(0),
        contacts=ContactFrame(contacts.points, contacts.frames[:, 0], impulses, report.decision.modes, contacts.gaps),
        outside=report.outside,
        state={"actuation": state.actuation} | {MEMORY + name: value for name, value in state.memory.items()},
        scalars={f"milliseconds {name}": value for name, value in report.milliseconds.items()}
        | {f"residual {name}": value for name, value in residuals.items()},
        markers={"centre of mass": world.body.masses @ state.positions / world.body.mass} | dict(stage.markers(state)),
    )


def state_of(frame: Frame) -> State:
    """The state to go on from after ``frame``, equal to the bit to the one that was recorded."""
    memory = {name.removeprefix(MEMORY): value for name, value in frame.state.items() if name.startswith(MEMORY)}
    return State(frame.time, frame.positions, frame.velocities, frame.state["actuation"], memory)
