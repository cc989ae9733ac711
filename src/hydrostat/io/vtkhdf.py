"""A recording in VTK's own terms: an UnstructuredGrid whose points move and whose cells stay.

Points are the body nodes, then the fibre points, then the patch slots. Cells are the tetrahedra, then one
line for every muscle segment, then one vertex for every patch slot.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hydrostat.arrays import Floats
from hydrostat.io.anatomy import Anatomy
from hydrostat.io.frames import Frame
from hydrostat.io.rows import undated_group

VERSION = (2, 2)  # of VTKHDF: the first that allows groups outside /VTKHDF
UNUSED = -1  # the mode of whatever is no contact
BODY, MUSCLE, PATCH = range(3)  # the cell array `part`
VERTEX, LINE, TETRA = 1, 3, 10  # VTK's cell types


def write_topology(vtk: Any, anatomy: Anatomy) -> None:
    """Write into the group /VTKHDF the cells, which hold for all steps, and no steps as yet."""
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
    undated_group(vtk, "CellData")["part"] = np.repeat(np.array([BODY, MUSCLE, PATCH], np.int32), counts)
    undated_group(vtk, "Steps").attrs["NSteps"] = 0


def step_blocks(index: int, frame: Frame, anatomy: Anatomy) -> dict[str, NDArray[Any]]:
    """The rows that step ``index`` adds to the growing datasets of /VTKHDF, by dataset."""
    slots, contacts = anatomy.patch_slots, frame.contacts
    fibre_points, tets, segments = anatomy.fibre_point_count, len(anatomy.tets), len(anatomy.segments)
    patches = slot_rows(contacts.positions, slots, frame.positions[0])  # unused ones rest on the body
    impulses = slot_rows(contacts.impulses, slots, 0.0)
    modes = slot_rows(contacts.modes, slots, UNUSED)
    blocks: dict[str, NDArray[Any]] = {
        "Points": _joined(frame.positions, frame.fibre_points, patches),
        "PointData/velocity": _joined(frame.velocities, np.zeros((fibre_points + slots, 3))),
        "PointData/impulse": _joined(np.zeros((anatomy.node_count + fibre_points, 3)), impulses),
        "CellData/activation": _joined(np.zeros(tets), frame.activation, np.zeros(slots)),
        "CellData/mode": _joined(np.full(tets + segments, UNUSED), modes).astype(np.int32),
    }
    fields = {f"FieldData/{name}": np.array([value], np.float64) for name, value in frame.scalars.items()}
    return blocks | fields | _offset_blocks(index, frame, anatomy)


def slot_rows(rows: NDArray[Any], slots: int, rest: ArrayLike) -> Floats:
    """The ``rows`` (c, …) of the used slots, then ``rest`` in every unused one: (slots, …)."""
    full = np.full((slots, *rows.shape[1:]), rest, np.float64)
    full[: len(rows)] = rows
    return full


def _joined(*parts: NDArray[Any]) -> Floats:
    return np.concatenate(parts, dtype=np.float64)


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
    blocks: dict[str, NDArray[Any]] = {f"Steps/{name}": np.array([at]) for name, at in offsets.items()}
    blocks |= {f"Steps/FieldDataSizes/{name}": np.array([[1, 1]]) for name in frame.scalars}
    return blocks | {"Steps/Values": np.array([frame.time], np.float64)}
