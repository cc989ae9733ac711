"""A search in a file: the scores of every generation, from which it goes on as if it had never stopped."""

from __future__ import annotations

import zipfile
import zlib
from pathlib import Path

import numpy as np

from hydrostat.arrays import Floats
from hydrostat.errors import InputError
from hydrostat.search.evolution import Progress
from hydrostat.show.files import written_whole


def save_search(path: Path, problem: str, progress: Progress) -> None:
    """Keep a search after a generation, whole or not at all.

    problem: names all that the scores depend on: body, limits, objective, options. Whoever goes on must name the same.
    """
    with written_whole(path) as part, part.open("wb") as file:
        np.savez(
            file,
            problem=np.array(problem),
            scores=progress.scores,
            best=progress.best,
            best_score=np.array(progress.best_score),
        )


def load_scores(path: Path, problem: str) -> Floats:
    """The scores (g, population) of a kept search; InputError if it searched for something else."""
    try:
        with path.open("rb") as file, np.load(file) as data:
            kept, scores = str(data["problem"]), np.asarray(data["scores"], dtype=np.float64)
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, zlib.error) as error:
        raise InputError(
            f"{path} ({error})", "the file of a search that was stopped", "start the search without --resume"
        ) from error
    if kept != problem:
        raise InputError(
            f"{path} holds another search",
            "the same mesh and options as before",
            "give the mesh and the options of that search again, or start anew without --resume",
        )
    return scores
