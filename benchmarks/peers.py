"""The same problems solved by other people's solvers, where they are installed: pip install gurobipy pyscipopt casadi.

All see T2012-(11) in its own variables, f⊥, f∥ and λ of every contact, 40 pairs for four contacts. Gurobi and SCIP
branch on special ordered sets; IPOPT follows the products of all pairs down to zero.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from statistics import median
from time import perf_counter
from typing import NamedTuple

import numpy as np

from hydrostat.solvers.friction import DIRECTIONS
from hydrostat.solvers.problems import ControlProblem
from hydrostat.solvers.qpcc.solve import solve_qpcc

SECONDS = 10.0
CLOSE = 1e-3  # an objective this close, as a share, counts as the same


class Printed(NamedTuple):
    """½ xᵀ H x + g·x + constant over x = (u, then f⊥, f∥, λ of every contact); x[m:] ≥ 0 ⟂ rows x + shift ≥ 0."""

    hessian: np.ndarray
    gradient: np.ndarray
    constant: float
    lower: np.ndarray
    upper: np.ndarray
    rows: np.ndarray
    shift: np.ndarray


def printed(problem: ControlProblem) -> Printed:
    """T2012-(11) as printed, in units in which impulses and velocities are near 1."""
    m, c, contacts = problem.size, problem.contacts.count, problem.contacts
    spread = np.zeros((3 * c, 10 * c))
    for i in range(c):
        spread[3 * i, 10 * i] = 1.0
        spread[3 * i + 1 : 3 * i + 3, 10 * i + 1 : 10 * i + 9] = (contacts.friction[i][:, None] * DIRECTIONS).T
    spread *= contacts.scaled.impulse[:, None]
    width = 0.5 * (problem.upper - problem.lower)
    change = np.zeros((m + 3 * c, m + 10 * c))
    change[np.arange(m), np.arange(m)] = width
    change[m:, m:] = spread
    penalty = np.concatenate([np.zeros(m), problem.impulse_penalty])
    velocity = (
        np.concatenate([problem.response, contacts.delassus], axis=1) @ change / contacts.scaled.velocity[:, None]
    )
    before = contacts.velocities / contacts.scaled.velocity
    rows, shift = np.zeros((10 * c, m + 10 * c)), np.zeros(10 * c)
    for i in range(c):
        own = slice(3 * i + 1, 3 * i + 3)
        tangents = contacts.friction[i][:, None] * DIRECTIONS
        rows[10 * i] = velocity[3 * i]
        shift[10 * i] = before[3 * i] + contacts.scaled.clearance[i]
        rows[10 * i + 1 : 10 * i + 9] = tangents @ velocity[own]
        shift[10 * i + 1 : 10 * i + 9] = tangents @ before[own]
        rows[10 * i + 1 : 10 * i + 9, m + 10 * i + 9] += 1.0
        rows[10 * i + 9, m + 10 * i] = 1.0
        rows[10 * i + 9, m + 10 * i + 1 : m + 10 * i + 9] = -1.0
    hessian = change.T @ (problem.hessian + np.diag(penalty)) @ change
    lower = np.concatenate([problem.lower / width, np.zeros(10 * c)])
    upper = np.concatenate([problem.upper / width, np.full(10 * c, 1e3)])
    return Printed(hessian, change.T @ problem.gradient, problem.constant, lower, upper, rows, shift)


def gurobi(given: Printed) -> float:
    """The objective that Gurobi finds."""
    gp = import_module("gurobipy")
    with gp.Env(empty=True) as env:
        env.setParam("OutputFlag", 0)
        env.start()
        with gp.Model(env=env) as model:
            model.Params.Threads, model.Params.TimeLimit, model.Params.MIPGap = 1, SECONDS, 1e-6
            x = model.addMVar(len(given.gradient), lb=given.lower, ub=given.upper)
            s = model.addMVar(len(given.shift), lb=0.0)
            model.addConstr(given.rows @ x + given.shift == s)
            first = len(given.gradient) - len(given.shift)
            for k in range(len(given.shift)):
                model.addSOS(gp.GRB.SOS_TYPE1, [x[first + k].item(), s[k].item()])
            model.setObjective(0.5 * (x @ given.hessian @ x) + given.gradient @ x)
            model.optimize()
            return model.ObjVal + given.constant if model.SolCount else np.inf


def scip(given: Printed) -> float:
    """The objective that SCIP finds."""
    sc = import_module("pyscipopt")
    model = sc.Model()
    model.hideOutput()
    model.setParam("limits/time", SECONDS)
    x = [model.addVar(lb=low, ub=high) for low, high in zip(given.lower, given.upper, strict=True)]
    s = [model.addVar(lb=0.0, ub=1e3) for _ in given.shift]
    first = len(x) - len(s)
    for k, row in enumerate(given.rows):
        used = np.flatnonzero(row)
        model.addCons(sc.quicksum(row[j] * x[j] for j in used) + given.shift[k] == s[k])
        model.addConsSOS1([x[first + k], s[k]])
    values, vectors = np.linalg.eigh(given.hessian)
    cost = model.addVar(lb=None)
    squares = []
    for value, vector in zip(values, vectors.T, strict=True):
        if value > 1e-12 * values[-1]:
            along = model.addVar(lb=None)
            model.addCons(sc.quicksum(vector[j] * x[j] for j in range(len(x))) == along)
            squares.append(0.5 * value * along * along)
    linear = sc.quicksum(given.gradient[j] * x[j] for j in range(len(x)))
    model.addCons(sc.quicksum(squares) + linear <= cost)
    model.setObjective(cost)
    model.optimize()
    return model.getObjVal() + given.constant if model.getNSols() else np.inf


def ipopt(given: Printed) -> float:
    """The objective that IPOPT reaches while the products of the pairs are made small."""
    ca = import_module("casadi")
    n, first = len(given.gradient), len(given.gradient) - len(given.shift)
    x, relaxed = ca.MX.sym("x", n), ca.MX.sym("relaxed")
    slack = ca.DM(given.rows) @ x + given.shift
    cost = 0.5 * ca.bilin(ca.DM(given.hessian), x, x) + ca.dot(given.gradient, x)
    problem = {"x": x, "p": relaxed, "f": cost, "g": ca.vertcat(slack, x[first:] * slack - relaxed)}
    options = {"print_time": False, "ipopt": {"print_level": 0, "sb": "yes", "max_cpu_time": SECONDS}}
    solver = ca.nlpsol("solver", "ipopt", problem, options)
    pairs = len(given.shift)
    bounds = {
        "lbx": given.lower,
        "ubx": given.upper,
        "lbg": np.repeat([0.0, -np.inf], pairs),
        "ubg": np.repeat([np.inf, 0.0], pairs),
    }
    now = np.clip(np.zeros(n), given.lower, given.upper)
    answer = {}
    for level in 10.0 ** -np.arange(0.0, 9.0):
        answer = solver(x0=now, p=level, **bounds)
        now = answer["x"]
    good = solver.stats()["success"]
    return float(answer["f"]) + given.constant if good else np.inf


PEERS: dict[str, tuple[str, Callable[[Printed], float]]] = {
    "Gurobi, SOS1": ("gurobipy", gurobi),
    "SCIP, SOS1": ("pyscipopt", scip),
    "IPOPT, relaxation": ("casadi", ipopt),
}


def compare(problems: list[tuple[ControlProblem, float]]) -> None:
    """Times of all that are installed, as multiples of our certified solve of the same problem."""
    for name, (module, solve) in PEERS.items():
        try:
            import_module(module)
        except ImportError:
            print(f"{name}: not installed ({module})")
            continue
        ratios, hits, times = [], 0, []
        for problem, best in problems:
            started = perf_counter()
            solve_qpcc(problem, "certified")
            ours = perf_counter() - started
            given = printed(problem)
            started = perf_counter()
            try:
                objective = solve(given)
            except Exception as error:  # a licence, a limit of size: told, and no reason to stop the benchmark
                print(f"{name}: {error}")
                break
            times.append(perf_counter() - started)
            ratios.append(times[-1] / ours)
            hits += abs(objective - best) <= CLOSE * abs(best)
        else:
            print(
                f"{name}: optima {hits} of {len(problems)}, {1e3 * median(times):.0f} ms at the median, "
                f"{median(ratios):.1f} × our certified solve"
            )
