"""A run that is killed at any moment leaves all flushed frames readable."""

from __future__ import annotations

import io
import signal
import subprocess
import sys
from pathlib import Path

import h5py
import numpy as np
import pytest
from recorded_frames import BODY, assert_same_frame, make_frame

from hydrostat.errors import HydrostatError
from hydrostat.io import rows, writer
from hydrostat.io.reader import open_recording
from hydrostat.io.writer import RecordingWriter

KILLED_RUN = """
import os, signal, sys
sys.path.insert(0, sys.argv[1])
from recorded_frames import BODY, make_frame
from hydrostat.io.writer import RecordingWriter
writer = RecordingWriter(sys.argv[2], **BODY, flush_every=4)
for index in range(11):
    writer.append(make_frame(index))
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_killed_process_leaves_its_flushed_frames(tmp_path):
    path = tmp_path / "run.vtkhdf"
    run = subprocess.run([sys.executable, "-c", KILLED_RUN, str(Path(__file__).parent), str(path)], check=False)
    assert run.returncode == -signal.SIGKILL
    with open_recording(path) as recording:
        assert len(recording) == 8
        for index in range(8):
            assert_same_frame(recording.frame(index), make_frame(index))
    with h5py.File(path, "r") as file:
        assert file["VTKHDF/Steps"].attrs["NSteps"] == 8 == len(file["VTKHDF/Steps/Values"])


class Disk(io.BytesIO):
    """A file that remembers, in order, what was done to it."""

    def __init__(self):
        super().__init__()
        self.journal = []

    def write(self, data):
        self.journal.append((self.tell(), bytes(data)))
        return super().write(data)

    def truncate(self, size=None):
        self.journal.append((size, None))
        return super().truncate(size)


def replayed(journal, image):
    """The contents of a file after each entry of the journal."""
    for place, data in journal:
        if data is None:
            image = image[:place].ljust(place, b"\0")
        else:
            image = image.ljust(place, b"\0")
            image[place : place + len(data)] = data
        yield image


def test_a_kill_between_any_two_writes_to_the_disk(tmp_path, monkeypatch):
    """The third flush begins a chunk of every dataset, and passes 64 chunks, where HDF5's old index splits."""
    disk, real, group = Disk(), h5py.File, 30
    monkeypatch.setattr(rows, "MAX_CHUNK_FRAMES", 2 * group)
    monkeypatch.setattr(rows.h5py, "File", lambda path, mode, **options: real(disk, mode, libver=options["libver"]))
    with RecordingWriter(tmp_path / "run.vtkhdf", **BODY, flush_every=group) as recorder:
        for index in range(2 * group):
            recorder.append(make_frame(index))
        before, done = bytearray(disk.getvalue()), len(disk.journal)
        for index in range(2 * group, 3 * group):
            recorder.append(make_frame(index))
    monkeypatch.undo()
    lengths, path = set(), tmp_path / "killed.vtkhdf"
    for image in replayed(disk.journal[done:], before):
        path.write_bytes(image)
        with open_recording(path) as recording:
            lengths.add(len(recording))
            for index in (0, 2 * group - 1, len(recording) - 1):
                assert_same_frame(recording.frame(index), make_frame(index))
        with h5py.File(path, "r") as file:  # VTK writes beyond its memory if there are more times than steps
            steps = file["VTKHDF/Steps"]
            assert len(steps["Values"]) <= steps.attrs["NSteps"] <= len(steps["PointOffsets"])
    assert lengths == {2 * group, 3 * group}


def test_an_error_in_the_run_keeps_the_frames_until_then(tmp_path):
    with pytest.raises(ZeroDivisionError), RecordingWriter(tmp_path / "run.vtkhdf", **BODY) as recorder:
        recorder.append(make_frame(0))
        raise ZeroDivisionError
    with open_recording(tmp_path / "run.vtkhdf") as recording:
        assert_same_frame(recording.frame(0), make_frame(0))


def test_a_full_disk_is_named_and_can_be_retried(tmp_path, monkeypatch):
    def full(*_):
        raise OSError("No space left on device")

    with RecordingWriter(tmp_path / "run.vtkhdf", **BODY, flush_every=2) as recorder:
        recorder.append(make_frame(0))
        recorder.append(make_frame(1))
        recorder.append(make_frame(2))
        with monkeypatch.context() as patch, pytest.raises(HydrostatError, match=r"No space.*first 2 frames"):
            patch.setattr(writer, "write_rows", full)
            recorder.append(make_frame(3))
    with open_recording(tmp_path / "run.vtkhdf") as recording:
        np.testing.assert_array_equal(recording.times, [make_frame(index).time for index in range(4)])
        assert_same_frame(recording.frame(3), make_frame(3))


def test_a_recording_can_be_read_after_flush_and_before_close(tmp_path):
    recorder = RecordingWriter(tmp_path / "run.vtkhdf", **BODY)
    recorder.append(make_frame(0))
    recorder.flush()
    copy = tmp_path / "copy.vtkhdf"
    copy.write_bytes((tmp_path / "run.vtkhdf").read_bytes())
    recorder.close()
    recorder.close()
    with open_recording(copy) as recording:
        assert_same_frame(recording.frame(0), make_frame(0))
