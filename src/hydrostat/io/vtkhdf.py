"""A recording in VTK's own terms: an UnstructuredGrid whose points move and whose cells stay.

Points are the body nodes, then the fibre points, then the patch slots. Cells are the tetrahedra, then one line for
every muscle segment, then one vertex for every patch slot.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hydrostat.io.frames import UNUSED, Anatomy, Frame

VERSION = (2, 2)  # of VTKHDF: the first that allows groups outside /VTKHDF
BODY, MUSCLE, PATCH = range(3)  # the cell array `part`
VERTEX, LINE, TETRA = 1, 3, 10  # VTK's cell types


def write_topology(vtk: Any, anatomy: Anatomy) -> None:
    """Write the cells, which hold for all steps, and the empty frame of the steps, into the group /VTKHDF."""
    fibre_start = anatomy.node_count
    patch_start = fibre_start + anatomy.fibre_point_count
    cells = [
        anatomy.tets,
        anatomy.segments + fibre_start,
        np.arange(patch_start, patch_start + anatomy.patch_slots)[:, None],
    ]
    counts = [len(group) for group in cells]
    sizes = np.repeat([group.shape[1] for group in cells], counts)
    vtk.attrs["Version"] = VERSION
    vtk.attrs["Type"] = np.bytes_("UnstructuredGrid")
    vtk["NumberOfPoints"] = [anatomy.point_count]
    vtk["NumberOfCells"] = [anatomy.cell_count]
    vtk["NumberOfConnectivityIds"] = [sizes.sum()]
    vtk["Connectivity"] = np.concatenate([group.ravel() for group in cells])
    vtk["Offsets"] = np.concatenate([[0], np.cumsum(sizes)])
    vtk["Types"] = np.repeat(np.array([TETRA, LINE, VERTEX], np.uint8), counts)
    vtk["CellData/part"] = np.repeat(np.array([BODY, MUSCLE, PATCH], np.int32), counts)
    vtk.create_group("Steps").attrs["NSteps"] = 0


def step_blocks(index: int, frame: Frame, anatomy: Anatomy) -> dict[str, NDArray[Any]]:
    """The rows that step ``index`` adds to the growing datasets of /VTKHDF, by dataset."""
    slots, contacts = anatomy.patch_slots, frame.contacts
    fibre_points, tets, segments = anatomy.fibre_point_count, len(anatomy.tets), len(anatomy.segments)
    resting = filled(contacts.positions, slots, frame.positions[0])
    grown = {
        "Points": np.concatenate([frame.positions, frame.fibre_points, resting]),
        "PointData/velocity": np.concatenate([frame.velocities, np.zeros((fibre_points + slots, 3))]),
        "PointData/impulse": np.concatenate(
            [np.zeros((anatomy.node_count + fibre_points, 3)), filled(contacts.impulses, slots, 0.0)]
        ),
        "CellData/activation": np.concatenate([np.zeros(tets), frame.activation, np.zeros(slots)]),
        "CellData/mode": np.concatenate(
            [np.full(tets + segments, UNUSED), filled(contacts.modes, slots, UNUSED)]
        ),
    }
    fields = {f"FieldData/{name}": np.array([value]) for name, value in frame.scalars.items()}
    return grown | fields | _offset_blocks(index, frame, anatomy)


def _offset_blocks(index: int, frame: Frame, anatomy: Anatomy) -> dict[str, NDArray[Any]]:
    """Where step ``index`` begins in every dataset; what stays (parts, cells) begins at 0 in all steps."""
    point, cell = index * anatomy.point_count, index * anatomy.cell_count
    offsets = {
        "PartOffsets": 0,
        "NumberOfParts": 1,
        "PointOffsets": point,
        "CellOffsets": 0,
        "ConnectivityIdOffsets": 0,
        "PointDataOffsets/velocity": point,
        "PointDataOffsets/impulse": point,
        "CellDataOffsets/part": 0,
        "CellDataOffsets/activation": cell,
        "CellDataOffsets/mode": cell,
    }
    offsets |= {f"FieldDataOffsets/{name}": index for name in frame.scalars}
    blocks = {f"Steps/{name}": np.array([offset], np.int64) for name, offset in offsets.items()}
    blocks |= {f"Steps/FieldDataSizes/{name}": np.array([[1, 1]], np.int64) for name in frame.scalars}
    return blocks | {"Steps/Values": np.array([frame.time])}


def filled(rows: NDArray[Any], slots: int, rest: Any) -> NDArray[Any]:
    """The used ``rows`` (c, …), then ``rest`` in every unused slot: (slots, …)."""
    full = np.full((slots, *rows.shape[1:]), rest, rows.dtype)
    full[: len(rows)] = rows
    return full
