"""Everything that cannot be recorded or read says so, and leaves nothing half done."""

from __future__ import annotations

import dataclasses

import h5py
import numpy as np
import pytest
from recorded_frames import ARRAYS, BODY, CONTACT_ARRAYS, assert_same_frame, make_frame, write

from hydrostat.errors import InputError
from hydrostat.io.reader import open_recording
from hydrostat.io.writer import RecordingWriter

FLOATING = [*ARRAYS, *(f"contacts.{name}" for name in CONTACT_ARRAYS if name != "modes")]
FLOATING += ["state/momentum", "state/phase", "scalars/volume ratio", "markers/com", "time"]


def spoiled(name, value):
    """A frame with ``value`` in the last place of the array of this name."""
    frame = make_frame(2)
    if name == "time":
        return dataclasses.replace(frame, time=value)
    if name.startswith("scalars/"):
        return dataclasses.replace(frame, scalars=frame.scalars | {name.split("/")[1]: value})
    owner, _, key = name.replace("/", ".").rpartition(".")
    holder = getattr(frame, owner) if owner else frame
    array = holder[key] if isinstance(holder, dict) else getattr(holder, key)
    array.reshape(-1)[-1] = value
    return frame


@pytest.mark.parametrize("value", [np.nan, np.inf])
@pytest.mark.parametrize("name", FLOATING)
def test_no_frame_with_a_number_that_is_none(tmp_path, name, value):
    with RecordingWriter(tmp_path / "run.vtkhdf", **BODY) as writer:
        writer.append(make_frame(1))
        with pytest.raises(InputError) as caught:
            writer.append(spoiled(name, value))
        assert f"{name} at " in str(caught.value) and "not finite" in str(caught.value)
        if name != "time":
            assert "0.2 s" in str(caught.value)
        writer.append(make_frame(3))
    with open_recording(tmp_path / "run.vtkhdf") as recording:
        assert len(recording) == 2
        assert_same_frame(recording.frame(1), make_frame(3))


FOUR_CONTACTS = dataclasses.replace(make_frame(3).contacts, positions=np.zeros((4, 3)))
UNUSED_MODE = dataclasses.replace(make_frame(1).contacts, modes=np.array([-1]))
MISFITS = {
    "positions has shape": {"positions": np.zeros((4, 3))},
    "velocities has shape": {"velocities": np.zeros(15)},
    "fibre_points has shape": {"fibre_points": np.zeros((6, 3))},
    "activation has shape": {"activation": np.zeros(4)},
    "4 contact patches": {"contacts": FOUR_CONTACTS},
    "contact mode -1": {"contacts": UNUSED_MODE},
    "state/a is float32": {"state": {"a": np.zeros(2, np.float32)}},
    "state/a is list": {"state": {"a": [1.0]}},
    "the name 'a/b'": {"state": {"a/b": np.zeros(2)}},
    "the name ''": {"scalars": {"": 1.0}},
    "markers/com has shape": {"markers": {"com": np.zeros(2)}},
    "scalars/work has shape": {"scalars": {"work": np.zeros(2)}},
}


@pytest.mark.parametrize("message", MISFITS)
def test_no_frame_that_does_not_fit_the_body(tmp_path, message):
    with (
        RecordingWriter(tmp_path / "run.vtkhdf", **BODY) as writer,
        pytest.raises(InputError, match=message),
    ):
        writer.append(dataclasses.replace(make_frame(1), **MISFITS[message]))


def test_frames_alike_in_form_and_in_order(tmp_path):
    first, second = make_frame(1), make_frame(2)
    grown = second.state | {"momentum": np.zeros((6, 3))}
    integer = second.state | {"momentum": np.zeros((5, 3), np.int64)}
    with RecordingWriter(tmp_path / "run.vtkhdf", **BODY) as writer:
        writer.append(first)
        with pytest.raises(InputError, match=r"markers/com came, went or changed its shape at 0\.2 s"):
            writer.append(dataclasses.replace(second, markers={}))
        for state in (grown, integer):
            with pytest.raises(InputError, match="state/momentum"):
                writer.append(dataclasses.replace(second, state=state))
        with pytest.raises(InputError, match="times that increase"):
            writer.append(first)
        writer.append(second)
    with open_recording(tmp_path / "run.vtkhdf") as recording:
        assert len(recording) == 2


BODIES = {
    "at least one node": {"rest_positions": np.zeros((0, 3)), "tets": np.zeros((0, 4))},
    "rest_positions has shape": {"rest_positions": np.zeros((5, 2))},
    "rest_positions at rest": {"rest_positions": np.full((5, 3), np.nan)},
    "tets has indices from 0 to 5": {"tets": [[0, 1, 2, 5]]},
    "surface_faces has indices from -1": {"surface_faces": [[0, 1, -1]]},
    "fibre 0 has shape": {"fibres": [[0]]},
    "fibre 1 has indices from -1": {"fibres": [[0, 1], [-1, 2]]},
    "number of slots": {"patch_slots": -1},
    "dt = None": {"metadata": {}},
    "dt = 0": {"metadata": {"dt": 0}},
    "ground = 'flat'": {"metadata": {"dt": 0.1, "ground": "flat"}},
    "JSON cannot hold": {"metadata": {"dt": 0.1, "goals": object()}},
    "JSON cannot hold .*float": {"metadata": {"dt": 0.1, "goals": [np.nan]}},
}


@pytest.mark.parametrize("message", BODIES)
def test_no_recording_of_what_could_not_be_drawn(tmp_path, message):
    with pytest.raises(InputError, match=message):
        write(tmp_path / "run.vtkhdf", [], **BODIES[message])
    assert not list(tmp_path.iterdir())


def test_no_recording_where_none_can_be(tmp_path):
    for path, message in [
        (tmp_path / "run.h5", "ends in .vtkhdf"),
        (tmp_path / "none" / "run.vtkhdf", "a folder that exists"),
    ]:
        with pytest.raises(InputError, match=message):
            write(path, [])


def test_files_that_are_no_recording(tmp_path):
    text, other, folder = tmp_path / "a.vtkhdf", tmp_path / "b.vtkhdf", tmp_path / "c.vtkhdf"
    text.write_text("walk")
    folder.mkdir()
    with h5py.File(other, "w") as file:
        file.create_group("VTKHDF")
    for path, message in [
        (tmp_path / "d.vtkhdf", "is not there"),
        (folder, "is a folder"),
        (text, "is no HDF5 file"),
        (other, "of another kind"),
    ]:
        with pytest.raises(InputError, match=message):
            open_recording(path)


def test_damaged_recordings(tmp_path):
    path = write(tmp_path / "run.vtkhdf", [make_frame(0), make_frame(1)])
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(InputError, match="a part of one"):
        open_recording(path)

    def damaged(change):
        path.write_bytes(whole)
        with h5py.File(path, "r+") as file:
            change(file)

    damaged(lambda file: file["hydrostat"].attrs.modify("version", 1))
    with pytest.raises(InputError, match="version 1; expected version 2"):
        open_recording(path)
    damaged(lambda file: file["hydrostat"].pop("tets"))
    with pytest.raises(InputError, match="damaged"):
        open_recording(path)
    damaged(lambda file: file["VTKHDF/Points"].resize(20, axis=0))
    with open_recording(path) as recording, pytest.raises(InputError, match="Points ends"):
        recording.frame(1)
