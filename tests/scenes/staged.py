"""Scenes, played and measured, for tests."""

from contextlib import contextmanager

from hydrostat.io.reader import open_recording
from hydrostat.scenes import SCENES
from hydrostat.scenes.record import record
from hydrostat.scenes.scene import Settings


@contextmanager
def recording_of(name, folder, settings=Settings(), seconds=None):
    """The recording of the scene called ``name`` (its own length by default), open."""
    path = folder / f"{name}.vtkhdf"
    record(SCENES[name], path, settings, seconds)
    with open_recording(path) as recording:
        yield recording


def measures_of(name, folder, settings=Settings()):
    """What is measured of a recording of the whole scene."""
    with recording_of(name, folder, settings) as recording:
        return SCENES[name].measure(recording)
