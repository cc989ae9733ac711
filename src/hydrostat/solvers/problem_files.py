"""Control problems in files, so that a frame can be solved again.

A problem file is a NumPy archive (.npz, no pickles) with the fields of `ControlProblem` and of its `ContactProblem`, in
their units and shapes; m actuators, c contacts:

    format "hydrostat control problem 1"
    hessian (m + 3c, m + 3c), gradient (m + 3c,), lower (m,), upper (m,), response (3c, m), impulse_effort, constant
    delassus (3c, 3c), velocities (3c,), clearance (c,), friction (c, 8), speed
    start_actuation (m,), start_pieces (c,): what the step before did, where it is known
"""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from hydrostat.errors import InputError
from hydrostat.solvers.problems import ContactProblem, ControlProblem
from hydrostat.solvers.qpcc.exploration import Start

FORMAT = "hydrostat control problem 1"
_CONTACT = tuple(field.name for field in fields(ContactProblem))
_CONTROL = tuple(field.name for field in fields(ControlProblem) if field.name != "contacts")


def save_problem(path: Path, problem: ControlProblem, start: Start = Start()) -> None:
    """Write ``problem``, and what is known from the step before, to ``path``."""
    known = {"start_actuation": start.actuation, "start_pieces": start.pieces}
    arrays = {name: getattr(problem, name) for name in _CONTROL}
    arrays |= {name: getattr(problem.contacts, name) for name in _CONTACT}
    arrays |= {name: value for name, value in known.items() if value is not None}
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb") as file:
            np.savez_compressed(file, format=np.array(FORMAT), **arrays)
    except OSError as error:
        raise InputError(f"{path}", "a file that can be written", f"choose another ({error})") from error


def load_problem(path: Path) -> tuple[ControlProblem, Start]:
    """What `save_problem` wrote."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}
    except FileNotFoundError as error:
        raise InputError(f"there is no file {path}", "a problem file (.npz)", "check its name") from error
    except (OSError, ValueError, BadZipFile, EOFError, TypeError) as error:
        raise _refusal(path, f"is no NumPy archive ({error})") from error
    if str(arrays.get("format")) != FORMAT:
        raise _refusal(path, f"has the format {arrays.get('format')}")
    missing = [name for name in (*_CONTROL, *_CONTACT) if name not in arrays]
    if missing:
        raise _refusal(path, f"lacks {', '.join(missing)}")
    del arrays["format"]
    for name, array in arrays.items():
        if array.dtype.kind not in "fiu":
            raise _refusal(path, f"has {name} of type {array.dtype}")
    plain: dict[str, Any] = {name: float(array) if array.ndim == 0 else array for name, array in arrays.items()}
    contacts = ContactProblem(**{name: plain[name] for name in _CONTACT})
    problem = ControlProblem(contacts=contacts, **{name: plain[name] for name in _CONTROL})
    pieces = arrays.get("start_pieces")
    return problem, Start(arrays.get("start_actuation"), None if pieces is None else pieces.astype(np.int64))


def _refusal(path: Path, what: str) -> InputError:
    return InputError(f"{path} {what}", f"a problem file: {FORMAT}", "write one with save_problem")
