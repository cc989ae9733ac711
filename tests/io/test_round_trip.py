"""What is written is what is read, to the bit."""

from __future__ import annotations

import dataclasses

import h5py
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from recorded_frames import BODY, assert_same_frame, make_frame, write

from hydrostat.errors import InputError
from hydrostat.io.frames import ContactFrame, Frame
from hydrostat.io.reader import open_recording
from hydrostat.io.writer import RecordingWriter


@pytest.mark.parametrize("flush_every", [1, 4, 100])
def test_frames_come_back_to_the_bit(tmp_path, flush_every):
    frames = [make_frame(index) for index in range(10)]
    with open_recording(write(tmp_path / "run.vtkhdf", frames, flush_every=flush_every)) as recording:
        assert len(recording) == 10
        for index, frame in enumerate(frames):
            assert_same_frame(recording.frame(index), frame)


def test_more_frames_than_a_chunk_holds(tmp_path):
    frames = [make_frame(index) for index in range(300)]
    with open_recording(write(tmp_path / "run.vtkhdf", frames)) as recording:
        for index in (0, 255, 256, 299):
            assert_same_frame(recording.frame(index), frames[index])


def test_what_stays_comes_back(tmp_path):
    with open_recording(write(tmp_path / "run.vtkhdf", [make_frame(0)])) as recording:
        for name in ("rest_positions", "tets", "surface_faces"):
            np.testing.assert_array_equal(getattr(recording, name), BODY[name])
        assert [fibre.tolist() for fibre in recording.fibres] == [[0, 1, 2], [3, 4]]
        assert (recording.dt, recording.title, recording.ground) == (0.01, "a test", {"height": 0.5})
        assert recording.metadata["gait"] == [1.0, 2.0]


def test_title_and_ground_have_defaults(tmp_path):
    path = write(tmp_path / "crawl.vtkhdf", [make_frame(0)], metadata={"dt": 0.5})
    with open_recording(path) as recording:
        assert (recording.title, recording.ground) == ("crawl", {})


def test_scalars_as_series(tmp_path):
    frames = [make_frame(index) for index in range(5)]
    with open_recording(write(tmp_path / "run.vtkhdf", frames)) as recording:
        assert recording.scalar_names == ["solve.ms", "volume ratio"]
        expected = [frame.scalars["volume ratio"] for frame in frames]
        np.testing.assert_array_equal(recording.scalar("volume ratio"), expected)
        np.testing.assert_array_equal(recording.times, [frame.time for frame in frames])
        with pytest.raises(InputError, match="volume ratio"):
            recording.scalar("energy")


def test_indices_are_those_of_python(tmp_path):
    frames = [make_frame(index) for index in range(3)]
    with open_recording(write(tmp_path / "run.vtkhdf", frames)) as recording:
        assert_same_frame(recording.frame(-3), frames[0])
        assert_same_frame(recording.frame(np.int64(-1)), frames[2])
        for reader in (recording.positions, recording.contacts, recording.state, recording.frame):
            for index in (3, -4):
                with pytest.raises(InputError, match="from -3 to 2"):
                    reader(index)


def test_a_body_without_muscles_contacts_or_faces(tmp_path):
    nothing = {"surface_faces": np.zeros((0, 3)), "fibres": [], "patch_slots": 0, "tets": np.zeros((0, 4))}
    still = np.zeros((5, 3))
    frame = Frame(0.0, BODY["rest_positions"], still, np.zeros((0, 3)), np.zeros(0), ContactFrame.none())
    with open_recording(write(tmp_path / "run.vtkhdf", [frame], **nothing)) as recording:
        assert_same_frame(recording.frame(0), frame)
        assert recording.fibres == [] and recording.scalar_names == []


def test_a_recording_without_frames(tmp_path):
    with open_recording(write(tmp_path / "run.vtkhdf", [])) as recording:
        assert len(recording) == 0
        with pytest.raises(InputError, match="this has none"):
            recording.frame(0)


def test_the_caller_may_reuse_its_arrays(tmp_path):
    frame, again = make_frame(1), make_frame(1)
    with RecordingWriter(tmp_path / "run.vtkhdf", **BODY) as writer:
        writer.append(frame)
        for array in (frame.positions, frame.contacts.impulses, frame.state["phase"], frame.markers["com"]):
            array[...] = 7.0
    with open_recording(tmp_path / "run.vtkhdf") as recording:
        assert_same_frame(recording.frame(0), again)


def test_float32_is_recorded_in_double_precision(tmp_path):
    single = make_frame(1).positions.astype(np.float32)
    frame = dataclasses.replace(make_frame(1), positions=single, fibre_points=single)
    with open_recording(write(tmp_path / "run.vtkhdf", [frame, make_frame(2)])) as recording:
        np.testing.assert_array_equal(recording.positions(0), single.astype(np.float64))
        assert_same_frame(recording.frame(1), make_frame(2))


def test_the_same_frames_give_the_same_bytes(tmp_path):
    frames = [make_frame(index) for index in range(40)]
    first, second = (write(tmp_path / name, frames).read_bytes() for name in ("a.vtkhdf", "b.vtkhdf"))
    assert first == second
    frames[39].markers["com"][0] += 1e-15
    assert write(tmp_path / "c.vtkhdf", frames).read_bytes() != first


def test_nothing_in_the_file_tells_when_it_was_written(tmp_path):
    dated = []

    def look(name, item):
        if item.id.get_create_plist().get_obj_track_times():
            dated.append(name)

    with h5py.File(write(tmp_path / "run.vtkhdf", [make_frame(0)]), "r") as file:
        file.visititems(look)
    assert dated == []


@settings(max_examples=20, deadline=None)
@given(
    st.lists(arrays(np.float64, (5, 3), elements=st.floats(allow_nan=False, allow_infinity=False)), min_size=1),
    st.integers(1, 5),
)
def test_any_finite_double_survives(tmp_path_factory, positions, flush_every):
    frames = [
        dataclasses.replace(make_frame(index), positions=p, state={"positions": p}) for index, p in enumerate(positions)
    ]
    path = write(tmp_path_factory.mktemp("any") / "run.vtkhdf", frames, flush_every=flush_every)
    with open_recording(path) as recording:
        for index, frame in enumerate(frames):
            assert_same_frame(recording.frame(index), frame)
