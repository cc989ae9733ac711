"""Surfaces in .ply files, text or binary; elements and properties beyond corners and faces are left out."""

from __future__ import annotations

import io
import struct
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from hydrostat.geometry.mesh_arrays import MeshArrays, from_polygons
from hydrostat.geometry.surfaces import Surface
from hydrostat.geometry.text_lines import Lines, open_lines, shown, write_bytes

# The letters of the struct module for the types, which have two names each.
TYPES = {
    **dict.fromkeys((b"char", b"int8"), "b"),
    **dict.fromkeys((b"uchar", b"uint8"), "B"),
    **dict.fromkeys((b"short", b"int16"), "h"),
    **dict.fromkeys((b"ushort", b"uint16"), "H"),
    **dict.fromkeys((b"int", b"int32"), "i"),
    **dict.fromkeys((b"uint", b"uint32"), "I"),
    **dict.fromkeys((b"float", b"float32"), "f"),
    **dict.fromkeys((b"double", b"float64"), "d"),
}
# The sign of the struct module for the order of bytes; text has none.
ORDERS = {b"ascii": "", b"binary_little_endian": "<", b"binary_big_endian": ">"}


@dataclass(frozen=True)
class _Property:
    """A column of an element: ``count`` is the type of a list's length, empty for a single number."""

    name: bytes
    kind: str
    count: str = ""


@dataclass
class _Element:
    name: str
    size: int
    properties: list[_Property] = field(default_factory=list)

    def column(self, lines: Lines, *names: bytes) -> int:
        """The index of the property with one of ``names``."""
        for index, entry in enumerate(self.properties):
            if entry.name in names:
                return index
        lines.fail(f"{self.name} without {shown(names[0])}", "such a property in the header")


_Row: TypeAlias = Sequence[Any]


def read(path: Path) -> MeshArrays:
    """Read a .ply file."""
    points, polygons = np.empty((0, 3)), []
    with open_lines(path) as lines:
        order, elements = _header(lines)
        data = io.BytesIO(lines.file.read() if order else b"")
        for element in elements:
            rows = _binary_rows(lines, element, order, data) if order else _text_rows(lines, element)
            if element.name == "vertex":
                columns = [element.column(lines, name) for name in (b"x", b"y", b"z")]
                points = np.array([[row[i] for i in columns] for row in rows], dtype=float)
            elif element.name == "face":
                column = element.column(lines, b"vertex_indices", b"vertex_index")
                polygons = [row[column] for row in rows]
    return from_polygons(path, points, polygons)


def _header(lines: Lines) -> tuple[str, list[_Element]]:
    """The order of bytes and what the file is made of."""
    if lines.require("ply") != [b"ply"]:
        lines.fail("another kind of file", "ply in the first line")
    order, elements = "", list[_Element]()
    while (fields := lines.require("end_header")) != [b"end_header"]:
        match fields:
            case [b"comment" | b"obj_info", *_]:
                pass
            case [b"format", kind, _] if kind in ORDERS:
                order = ORDERS[kind]
            case [b"element", name, size]:
                elements.append(_Element(shown(name), lines.count(size)))
            case [b"property", b"list", count, kind, name] if elements and {count, kind} <= TYPES.keys():
                elements[-1].properties.append(_Property(name, TYPES[kind], TYPES[count]))
            case [b"property", kind, name] if elements and kind in TYPES:
                elements[-1].properties.append(_Property(name, TYPES[kind]))
            case _:
                lines.fail(f"found {shown(b' '.join(fields))}", "a line of a .ply header")
    return order, elements


def _text_rows(lines: Lines, element: _Element) -> list[_Row]:
    return [_text_row(lines, element, f"{element.name} {i + 1}") for i in range(element.size)]


def _text_row(lines: Lines, element: _Element, name: str) -> _Row:
    fields = iter(lines.require(f"{name} of {element.size}"))
    row: list[Any] = []
    try:
        for entry in element.properties:
            convert = lines.real if entry.kind in "fd" else lines.integer
            if entry.count:
                size = lines.count(next(fields))
                row.append([convert(next(fields)) for _ in range(size)])
            else:
                row.append(convert(next(fields)))
    except StopIteration:
        lines.fail(f"{name} is incomplete", "all properties of the header")
    return row


def _binary_rows(lines: Lines, element: _Element, order: str, data: io.BytesIO) -> list[_Row]:
    try:
        if any(entry.count for entry in element.properties):
            return [_binary_row(element, order, data) for _ in range(element.size)]
        layout = struct.Struct(order + "".join(entry.kind for entry in element.properties))
        rows = layout.iter_unpack(_take(data, layout.size * element.size)) if layout.size else ()
        return list(rows)
    except struct.error:
        lines.fail(f"the data end before {element.size} times {element.name}", "what the header says")


def _binary_row(element: _Element, order: str, data: io.BytesIO) -> _Row:
    row: list[Any] = []
    for entry in element.properties:
        if entry.count:
            (size,) = _unpack(data, order + entry.count)
            row.append(_unpack(data, f"{order}{size}{entry.kind}"))
        else:
            row += _unpack(data, order + entry.kind)
    return row


def _unpack(data: io.BytesIO, layout: str) -> tuple[Any, ...]:
    return struct.unpack(layout, _take(data, struct.calcsize(layout)))


def _take(data: io.BytesIO, size: int) -> bytes:
    taken = data.read(size)
    if len(taken) < size:
        raise struct.error
    return taken


def write(path: Path, surface: Surface) -> None:
    """Write a binary .ply file."""
    header = (
        "ply\nformat binary_little_endian 1.0\n"
        f"element vertex {len(surface.vertices)}\n"
        "property double x\nproperty double y\nproperty double z\n"
        f"element face {len(surface.faces)}\nproperty list uchar int vertex_indices\nend_header\n"
    )
    faces = np.empty(len(surface.faces), [("size", "u1"), ("corners", "<i4", 3)])
    faces["size"], faces["corners"] = 3, surface.faces
    write_bytes(path, header.encode() + surface.vertices.astype("<f8").tobytes() + faces.tobytes())
