"""One control problem out of a file, solved by every method: what each finds, proves and spends."""

from __future__ import annotations

from hydrostat.errors import InputError
from hydrostat.solvers.problem_files import load_problem
from hydrostat.solvers.qpcc.exploration import Budget
from hydrostat.solvers.qpcc.solve import METHODS, solve_qpcc
from hydrostat.studies.study import Findings, Options, Study

SMALL = Budget(1000)
MODES = ("free", "stick", "slide")
# More programs than this is no table that one waits for: 18⁴ and a little.
MOST_CONTACTS = 4


def measure(options: Options) -> Findings:
    """Solve the problem in ``options.file``."""
    if options.file is None:
        raise InputError("no file", STUDY.file, "name one")
    problem, start = load_problem(options.file)
    count = problem.contacts.count
    solve_qpcc(problem, "search", Budget(20), start)  # so that no time below is that of loading kernels
    lines = [
        f"{options.file.name}: {problem.size} actuators, {count} contacts; residuals are recomputed from the problem.",
        "",
        "| method | status | objective | bound | programs | ms | worst residual | contacts |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for method in METHODS:
        if method == "enumerate" and (options.small or count > MOST_CONTACTS):
            continue
        options.progress(method)
        answer = solve_qpcc(problem, method, SMALL if options.small else None, start)
        lines.append(
            f"| {method} | {answer.status.name.lower()} | {answer.objective:.9g} | {answer.bound:.9g} | {answer.nodes} "
            f"| {1e3 * answer.seconds:.1f} | {answer.residuals.worst:.0e} "
            f"| {' '.join(MODES[mode] for mode in answer.modes)} |"
        )
    return Findings({}, lines)


STUDY = Study("qpcc", "a control problem, solved by every method", measure, file="a problem file (.npz)")
