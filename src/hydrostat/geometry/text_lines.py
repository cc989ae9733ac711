"""Text files of numbers, line by line; what is wrong with a file becomes an error that names it and the line."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import BinaryIO, NoReturn, TypeAlias

import numpy as np

from hydrostat.arrays import Floats, Ints
from hydrostat.errors import InputError

Column: TypeAlias = Callable[[bytes], float]


@dataclass
class Lines:
    """The lines of a text file that hold more than blanks and comments; errors name the file and the line."""

    path: Path
    file: BinaryIO
    number: int = 0

    def next(self) -> list[bytes]:
        """The fields of the next line that has any; none at the end of the file."""
        for line in self.file:
            self.number += 1
            if self.number == 1:
                line = line.removeprefix(b"\xef\xbb\xbf")
            if fields := line.partition(b"#")[0].split():
                return fields
        return []

    def require(self, expected: str) -> list[bytes]:
        """As ``next``, but the end of the file is an error."""
        fields = self.next()
        if not fields:
            self.number += 1
            self.fail("the file ends here", expected)
        return fields

    def fail(self, given: str, expected: str, number: int | None = None) -> NoReturn:
        """Refuse the current line, or the one numbered ``number``."""
        where = f"{self.path.name}, line {number or self.number}"
        raise InputError(f"{where}: {given}", expected, "correct the line or write the file again")

    def integer(self, field: bytes) -> int:
        """A whole number that fits in 32 bits, as those of TetGen do."""
        try:
            value = int(field)
        except ValueError:
            self.fail(f"found {shown(field)!r}", "a whole number")
        if abs(value) >= 2**31:
            self.fail(f"found {shown(field)!r}", "a whole number below 2147483648")
        return value

    def count(self, field: bytes) -> int:
        """A whole number from 0."""
        value = self.integer(field)
        if value < 0:
            self.fail(f"found {value}", "a count, 0 or more")
        return value

    def counts(self, fields: list[bytes], defaults: Sequence[int]) -> list[int]:
        """The counts of a header line; those left out at its end take their default."""
        return [*map(self.count, fields[: len(defaults)]), *defaults[len(fields) :]]

    def real(self, field: bytes) -> float:
        """A finite number."""
        try:
            value = float(field)
        except ValueError:
            self.fail(f"found {shown(field)!r}", "a number")
        if not isfinite(value):
            self.fail(f"found {shown(field)!r}", "a finite number")
        return value

    def point(self, fields: list[bytes], form: str) -> list[float]:
        """The coordinates of a vertex; whatever follows them is left out. ``form`` of the line, for the error."""
        if len(fields) < 3:
            self.fail(f"a vertex with {len(fields)} coordinates", form)
        return [self.real(field) for field in fields[:3]]


def shown(field: bytes) -> str:
    """Bytes of a file as a message can hold them."""
    text = field.decode("utf-8", "replace")
    return text if len(text) <= 60 else text[:60] + "…"


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Trouble with the file itself, while it is opened, read or written, becomes an ``InputError``."""
    try:
        yield
    except OSError as error:
        given = f"{path.name}: {(error.strerror or str(error)).lower()}"
        raise InputError(given, "a file that can be opened", "check the path and its permissions") from error


@contextmanager
def open_lines(path: Path) -> Iterator[Lines]:
    """Open a text file."""
    with naming(path), open(path, "rb") as file:
        yield Lines(path, file)


def write_bytes(path: Path, data: bytes) -> None:
    """Write a file."""
    with naming(path):
        path.write_bytes(data)


def write_lines(path: Path, lines: Iterable[str]) -> None:
    """Write a text file."""
    write_bytes(path, ("\n".join(lines) + "\n").encode())


@dataclass(frozen=True)
class Table:
    """Rows of numbers (n, columns) and the line (n,) each stands in."""

    values: Floats
    lines: Ints

    def integers(self, columns: slice) -> Ints:
        """Some of the columns, as whole numbers."""
        return self.values[:, columns].astype(np.int64)


def read_table(lines: Lines, count: int, name: str, columns: Sequence[Column]) -> Table:
    """Read ``count`` rows; memory grows with the rows there are, whatever the file promises.

    Without columns every number is whole and all rows are as long as the first.
    """
    values, numbers = array("d"), array("q")
    for index in range(count):
        fields = lines.require(f"{name} {index + 1} of {count}")
        columns = columns or [lines.integer] * len(fields)
        if len(fields) != len(columns):
            lines.fail(f"{name} {index + 1} has {len(fields)} numbers", f"{len(columns)}")
        values.extend(column(entry) for column, entry in zip(columns, fields, strict=True))
        numbers.append(lines.number)
    return Table(np.array(values).reshape(-1, len(columns) or 1), np.array(numbers, dtype=np.int64))


def numbered(first: int, *columns: Sequence[Sequence[float]]) -> Iterator[str]:
    """Lines of numbers after their own; ``repr`` writes the shortest digits that read back as the same double."""
    for number, parts in enumerate(zip(*columns, strict=True), first):
        yield " ".join([str(number), *(repr(value) for part in parts for value in part)])
