"""A study: what a paper says, what we measure, and a table of both."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from importlib.resources import files
from itertools import starmap
from multiprocessing import get_context
from pathlib import Path
from typing import Any, TypeVar

from hydrostat.errors import InputError

# Fewer jobs than these are done sooner here than other processes start.
_FEW = 3
_Result = TypeVar("_Result")


@dataclass(frozen=True)
class Claim:
    """One number of a paper. verdict: how ours compares to be right: "more", "less", "near" or "" (only told)."""

    quantity: str
    value: float
    unit: str
    where: str
    verdict: str


@dataclass(frozen=True)
class Options:
    """How to run a study.

    small: a version of seconds. out: folder for pictures and files. file: what to study, where the study asks for it.
    progress: told what is being done.
    """

    out: Path
    small: bool = False
    file: Path | None = None
    progress: Callable[[str], None] = lambda text: None


@dataclass(frozen=True)
class Findings:
    """What a study found. numbers: ours, by the paper's quantity. lines: Markdown to stand below the table."""

    numbers: Mapping[str, float]
    lines: Sequence[str] = ()


@dataclass(frozen=True)
class Study:
    """A study by name. package: what holds its paper.csv, if there is one. file: what it studies, if that is a file."""

    name: str
    summary: str
    measure: Callable[[Options], Findings]
    package: str = ""
    file: str = ""

    def claims(self) -> list[Claim]:
        """What the paper says, if it does."""
        if not self.package:
            return []
        with (files(self.package) / "paper.csv").open(encoding="utf-8") as file:
            return [
                Claim(row["quantity"], float(row["value"]), row["unit"], row["where"], row["verdict"])
                for row in csv.DictReader(file)
            ]


VERDICTS: dict[str, Callable[[float, float], bool]] = {
    "more": lambda ours, paper: ours >= paper,
    "less": lambda ours, paper: ours <= paper,
    "near": lambda ours, paper: abs(ours - paper) <= 0.05 * abs(paper),
}


def table(claims: list[Claim], ours: Mapping[str, float]) -> list[str]:
    """Lines of a Markdown table, paper beside ours; what was not measured stays visible."""
    lines = ["| quantity | paper | ours | ratio | verdict | where |", "|---|---|---|---|---|---|"]
    for claim in claims:
        if claim.quantity not in ours:
            lines.append(f"| {claim.quantity} | {claim.value:g} {claim.unit} | not measured | | | {claim.where} |")
            continue
        value = ours[claim.quantity]
        ratio = f"{value / claim.value:.2f}" if claim.value else ""
        lines.append(
            f"| {claim.quantity} | {claim.value:g} {claim.unit} | {value:.4g} {claim.unit} | {ratio} "
            f"| {_verdict(claim, value)} | {claim.where} |"
        )
    return lines


def _verdict(claim: Claim, ours: float) -> str:
    if not claim.verdict:
        return ""
    if claim.verdict not in VERDICTS:
        raise InputError(f"verdict {claim.verdict!r}", f"one of {', '.join(VERDICTS)} or nothing", "mend paper.csv")
    return "holds" if VERDICTS[claim.verdict](ours, claim.value) else "fails"


def in_parallel(function: Callable[..., _Result], jobs: Sequence[tuple[Any, ...]]) -> Iterator[_Result]:
    """What ``function`` returns for the arguments of every job, in order, found by all cores."""
    if len(jobs) < _FEW:
        yield from starmap(function, jobs)
        return
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        yield from pool.map(function, *zip(*jobs, strict=True))
