"""The papers' tables and figures, measured again: one file or folder each, by name."""

from __future__ import annotations

from importlib import import_module

from hydrostat.errors import InputError
from hydrostat.studies.study import Study

# name: module, imported when the study is run
STUDIES = {
    "alphabet": "hydrostat.studies.alphabet",
    "b2024-fig1": "hydrostat.studies.b2024_fig1",
    "b2024-fig3": "hydrostat.studies.b2024_fig3",
    "b2024-fig5": "hydrostat.studies.b2024_fig5",
    "b2024-fig6": "hydrostat.studies.b2024_fig6",
    "b2024-fig7": "hydrostat.studies.b2024_fig7",
    "b2024-fig8": "hydrostat.studies.b2024_fig8",
    "b2024-fig9": "hydrostat.studies.b2024_fig9",
    "b2024-fig10": "hydrostat.studies.b2024_fig10",
    "b2024-fig11": "hydrostat.studies.b2024_fig11",
    "b2024-fig12": "hydrostat.studies.b2024_fig12",
    "b2024-fig14": "hydrostat.studies.b2024_fig14",
    "b2024-fig15": "hydrostat.studies.b2024_fig15",
    "b2024-modes": "hydrostat.studies.b2024_modes",
    "b2024-table1": "hydrostat.studies.b2024_table1",
    "qpcc": "hydrostat.studies.qpcc",
    "t2012-balance": "hydrostat.studies.t2012_balance",
    "t2012-crawl": "hydrostat.studies.t2012_crawl",
    "t2012-figure3": "hydrostat.studies.t2012_figure3",
    "t2012-figures": "hydrostat.studies.t2012_figures",
    "t2012-jitter": "hydrostat.studies.t2012_jitter",
    "t2012-roll": "hydrostat.studies.t2012_roll",
    "t2012-table1": "hydrostat.studies.t2012_table1",
    "t2012-table2": "hydrostat.studies.t2012_table2",
}


def load_study(name: str) -> Study:
    """The study called ``name``."""
    if name not in STUDIES:
        raise InputError(f"there is no study {name!r}", f"one of {', '.join(sorted(STUDIES))}", "choose one of them")
    study: Study = import_module(STUDIES[name]).STUDY
    return study
