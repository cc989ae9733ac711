"""Scenes, played and measured, for tests."""

from contextlib import contextmanager

from hydrostat.io.reader import open_recording
from hydrostat.scenes import SCENES
from hydrostat.scenes.record import frame_of, writer_for
from hydrostat.scenes.scene import Settings, play


@contextmanager
def recording_of(name, folder, settings=Settings(), seconds=None):
    """The recording of the scene called ``name`` (its own length by default), open."""
    path, scene = folder / f"{name}.vtkhdf", SCENES[name]
    stage = scene.build(settings)
    with writer_for(path, scene, stage, settings) as writer:
        for state, report in play(stage, seconds or scene.seconds):
            writer.append(frame_of(stage, state, report))
    with open_recording(path) as recording:
        yield recording


def measures_of(name, folder, settings=Settings()):
    """What is measured of a recording of the whole scene."""
    with recording_of(name, folder, settings) as recording:
        return SCENES[name].measure(recording)
