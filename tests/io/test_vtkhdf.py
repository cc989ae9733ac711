"""The file by the rules of VTKHDF alone, as ParaView reads it."""

from __future__ import annotations

import h5py
import numpy as np
import pytest
from recorded_frames import BODY, make_frame, write

FRAMES = [make_frame(index) for index in range(9)]
POINTS, CELLS = 5 + 5 + 3, 2 + 3 + 3
BODY_POINTS, FIBRE_POINTS, PATCH_POINTS = slice(0, 5), slice(5, 10), slice(10, 13)


@pytest.fixture
def vtk(tmp_path):
    path = write(tmp_path / "run.vtkhdf", FRAMES, flush_every=4)
    with h5py.File(path, "r") as file:
        yield file["VTKHDF"]


def step_of(vtk, name, step):
    """Array ``name`` of one step: NumberOf… of its only part, from its offset on."""
    steps = vtk["Steps"]
    part = steps["PartOffsets"][step]
    assert steps["NumberOfParts"][step] == 1
    kind = name.split("/")[0]
    count = vtk["NumberOfCells" if kind == "CellData" else "NumberOfPoints"][part]
    offset = steps["PointOffsets" if kind == "Points" else name.replace("Data/", "DataOffsets/")][step]
    return vtk[name][offset : offset + count]


def test_the_head(vtk):
    assert vtk.attrs["Version"].tolist() == [2, 2]
    kind = vtk.attrs.get_id("Type").get_type()
    assert not kind.is_variable_str() and vtk.attrs["Type"] == b"UnstructuredGrid"
    assert vtk["Steps"].attrs["NSteps"] == len(FRAMES)
    np.testing.assert_array_equal(vtk["Steps/Values"], [frame.time for frame in FRAMES])
    assert [vtk[f"NumberOf{what}"][:].tolist() for what in ("Points", "Cells")] == [[POINTS], [CELLS]]


def test_every_step_has_every_offset(vtk):
    offsets = []
    vtk["Steps"].visititems(lambda _, item: offsets.append(item) if isinstance(item, h5py.Dataset) else None)
    assert {len(dataset) for dataset in offsets} == {len(FRAMES)}
    for group in ("PointData", "CellData", "FieldData"):
        assert set(vtk[group]) == set(vtk[f"Steps/{group}Offsets"])


def test_points_of_every_step(vtk):
    for step, frame in enumerate(FRAMES):
        points, used = step_of(vtk, "Points", step), len(frame.contacts.gaps)
        assert points.dtype == np.float64
        np.testing.assert_array_equal(points[BODY_POINTS], frame.positions)
        np.testing.assert_array_equal(points[FIBRE_POINTS], frame.fibre_points)
        np.testing.assert_array_equal(points[PATCH_POINTS][:used], frame.contacts.positions)
        np.testing.assert_array_equal(points[PATCH_POINTS][used:], np.tile(frame.positions[0], (3 - used, 1)))


def test_point_data_of_every_step(vtk):
    for step, frame in enumerate(FRAMES):
        velocity, impulse = step_of(vtk, "PointData/velocity", step), step_of(vtk, "PointData/impulse", step)
        expected, used = np.zeros((POINTS, 3)), len(frame.contacts.gaps)
        expected[PATCH_POINTS][:used] = frame.contacts.impulses
        np.testing.assert_array_equal(impulse, expected)
        np.testing.assert_array_equal(velocity, np.vstack([frame.velocities, np.zeros((8, 3))]))


def test_cell_data_of_every_step(vtk):
    for step, frame in enumerate(FRAMES):
        used = len(frame.contacts.gaps)
        modes = np.r_[[-1] * 5, frame.contacts.modes, [-1] * (3 - used)]
        activation = np.r_[0, 0, frame.activation, 0, 0, 0]
        np.testing.assert_array_equal(step_of(vtk, "CellData/mode", step), modes)
        np.testing.assert_array_equal(step_of(vtk, "CellData/activation", step), activation)
        np.testing.assert_array_equal(step_of(vtk, "CellData/part", step), [0, 0, 1, 1, 1, 2, 2, 2])


def test_field_data_of_every_step(vtk):
    for step, frame in enumerate(FRAMES):
        for name, value in frame.scalars.items():
            components, tuples = vtk[f"Steps/FieldDataSizes/{name}"][step]
            offset = vtk[f"Steps/FieldDataOffsets/{name}"][step]
            assert vtk[f"FieldData/{name}"][offset : offset + tuples].tolist() == [value] and components == 1


def test_cells(vtk):
    offsets = vtk["Offsets"][:]
    assert len(offsets) == CELLS + 1 and vtk["NumberOfConnectivityIds"][:] == [offsets[-1]]
    assert vtk["Types"].dtype == np.uint8 and vtk["Types"][:].tolist() == [10, 10, 3, 3, 3, 1, 1, 1]
    cells = [part.tolist() for part in np.split(vtk["Connectivity"][:], offsets[1:-1])]
    assert cells == [*BODY["tets"].tolist(), [5, 6], [6, 7], [8, 9], [10], [11], [12]]
    for name in ("CellOffsets", "ConnectivityIdOffsets"):
        assert not vtk[f"Steps/{name}"][:].any()
