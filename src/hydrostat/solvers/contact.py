"""Impulses of frictional contacts: a search that starts from guessed pieces, and Lemke's method."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numba import njit

from hydrostat.arrays import Bools, Floats, Ints
from hydrostat.errors import InputError
from hydrostat.solvers.dense import product
from hydrostat.solvers.iterations import classify, converged, search, sweep
from hydrostat.solvers.lcp import solve_lcp
from hydrostat.solvers.outcome import Outcome
from hydrostat.solvers.pieces import exist, modes_of
from hydrostat.solvers.problems import ContactProblem
from hydrostat.solvers.residuals import ContactResiduals, contact_residuals

# Scaled residuals below these count as solved and as inaccurate.
SOLVED, INACCURATE = 1e-6, 1e-3
_ROUNDS = 12
_FEW_SWEEPS, _MANY_SWEEPS = 6, 3000


class ContactStatus(Outcome):
    """How a contact problem ended."""

    SOLVED = "solved: every condition holds within 1e-6 of the problem's own scale"
    INACCURATE = "inaccurate: every condition holds within 1e-3 of the problem's own scale, not within 1e-6"
    FAILED = "failed: no solver found impulses that fulfil the conditions; these are the best it met"


@dataclass(frozen=True)
class ContactSolution:
    """Impulses of c contacts.

    impulses: p (3c,) N·s. velocities: w = w0 + W p (3c,) m/s. pieces: (c,) numbers of `pieces`, also the
    warm start of the next problem. method: what found it. iterations: linear solves or pivots spent on it.
    residuals: recomputed from the problem and the impulses.
    """

    impulses: Floats
    velocities: Floats
    pieces: Ints
    status: ContactStatus
    method: str
    iterations: int
    residuals: ContactResiduals

    @property
    def solved(self) -> bool:
        """Whether the status is SOLVED."""
        return self.status is ContactStatus.SOLVED

    @property
    def modes(self) -> Ints:
        """(c,) 0 free, 1 stick, 2 slide; a contact without friction slides, also at no speed."""
        return modes_of(self.pieces)


@dataclass(frozen=True)
class _Attempt:
    """Scaled impulses that one method arrived at; ``distance`` as `iterations.classify` measures it."""

    impulses: Floats
    pieces: Ints
    distance: float
    method: str
    iterations: int


def solve_contact(problem: ContactProblem, warm_pieces: Ints | None = None, method: str = "warm") -> ContactSolution:
    """Solve ``problem``.

    ``warm`` guesses the piece of every contact, from ``warm_pieces`` (c,) where given, solves the linear
    system of these pieces and moves contacts to other pieces until all conditions hold; it falls back to
    Lemke's method and then to Gauss–Seidel. ``lemke`` is Lemke's method alone. The two agree where the
    solution is unique, which it always is without friction and with W of full rank.
    """
    if method not in METHODS:
        raise InputError(f"method is {method!r}", f"one of {', '.join(METHODS)}", "use the default, 'warm'")
    if warm_pieces is not None:
        warm_pieces = np.array(warm_pieces, dtype=np.int64)
        if warm_pieces.shape != (problem.count,) or not exist(warm_pieces, problem.polygons):
            raise InputError(
                f"warm_pieces is {warm_pieces}",
                f"a piece that exists for each of {problem.count} contacts",
                "pass None for contacts that are new",
            )
    return _finished(problem, METHODS[method](problem, warm_pieces))


def _finished(problem: ContactProblem, attempt: _Attempt) -> ContactSolution:
    impulses = attempt.impulses * problem.scaled.impulse
    residuals = contact_residuals(problem, impulses)
    if residuals.worst <= SOLVED:
        status = ContactStatus.SOLVED
    elif residuals.worst <= INACCURATE:
        status = ContactStatus.INACCURATE
    else:
        status = ContactStatus.FAILED
    velocities = problem.velocities + product(problem.delassus, impulses)
    return ContactSolution(impulses, velocities, attempt.pieces, status, attempt.method, attempt.iterations, residuals)


def _by_warm_start(problem: ContactProblem, warm_pieces: Ints | None) -> _Attempt:
    attempts: list[_Attempt] = []
    for guess in _guesses(problem, warm_pieces):
        for attempt in (_searched(problem, guess), guess):
            if converged(attempt.impulses, attempt.distance):
                return attempt
            attempts.append(attempt)
    return min(attempts, key=lambda attempt: attempt.distance)


def _guesses(problem: ContactProblem, warm_pieces: Ints | None) -> Iterator[_Attempt]:
    """Ever more expensive starts for the search over pieces."""
    if warm_pieces is not None:
        yield _Attempt(np.zeros(3 * problem.count), warm_pieces, np.inf, "warm", 0)
    yield _judged(problem, _swept(problem, _FEW_SWEEPS), "pieces", _FEW_SWEEPS)
    impulses, pivots = _pivoted(problem)
    yield _judged(problem, impulses, "lemke", pivots)
    yield _judged(problem, _swept(problem, _MANY_SWEEPS), "sweeps", _MANY_SWEEPS)


def _by_lemke(problem: ContactProblem, _: Ints | None) -> _Attempt:
    impulses, pivots = _pivoted(problem)
    return _judged(problem, impulses, "lemke", pivots)


METHODS: dict[str, Callable[[ContactProblem, Ints | None], _Attempt]] = {
    "warm": _by_warm_start,
    "lemke": _by_lemke,
}


def _judged(problem: ContactProblem, impulses: Floats, method: str, iterations: int) -> _Attempt:
    scaled = problem.scaled
    velocities = scaled.velocities + product(scaled.delassus, impulses)
    pieces, distance = classify(impulses, velocities, scaled.clearance, problem.polygons)
    return _Attempt(impulses, pieces, distance, method, iterations)


def _searched(problem: ContactProblem, guess: _Attempt) -> _Attempt:
    scaled = problem.scaled
    impulses, pieces, distance, rounds = search(
        guess.pieces, scaled.ridged, scaled.velocities, scaled.clearance, problem.polygons, _ROUNDS
    )
    return _Attempt(impulses, pieces, distance, guess.method, guess.iterations + rounds)


def _swept(problem: ContactProblem, sweeps: int) -> Floats:
    scaled = problem.scaled
    start = np.zeros(3 * problem.count)
    swept: Floats = sweep(scaled.ridged, scaled.velocities, scaled.clearance, problem.polygons, start, sweeps)
    return swept


def _pivoted(problem: ContactProblem) -> tuple[Floats, int]:
    """Impulses by Lemke's method, and the pivots made.

    Without the ridge: the method needs no full rank, and pivots as small as the ridge would drown the
    tableau in rounding.
    """
    scaled, generators = problem.scaled, _generators(problem.polygons.corners)
    matrix, vector = _complementarity(scaled.delassus, scaled.velocities, scaled.clearance, generators)
    used = _used(problem.friction, problem.polygons.successors)
    solution = solve_lcp(matrix[np.ix_(used, used)], vector[used])
    weights = np.zeros(10 * problem.count)
    weights[used] = solution.z
    impulses = np.einsum("iak,ik->ia", generators, weights.reshape(problem.count, 10)[:, :9])
    return impulses.ravel(), solution.pivots


def _used(friction: Floats, successors: Ints) -> Bools:
    """(10c,): which of (p_n, β, λ) matter: the β of corners with friction, and λ where there is one."""
    corners = (successors >= 0) & (friction > 0)
    normal = np.ones((len(friction), 1), dtype=bool)
    return np.hstack([normal, corners, corners.any(axis=1, keepdims=True)]).ravel()


def _generators(corners: Floats) -> Floats:
    """(c, 3, 9): the impulse that each of (p_n, β) stands for, from corners (c, 8, 2)."""
    generators = np.zeros((len(corners), 3, 9))
    generators[:, 0, 0] = 1.0
    generators[:, 1:, 1:] = corners.transpose(0, 2, 1)
    return generators


@njit(cache=True)
def _complementarity(delassus, velocities, clearance, generators):  # type: ignore[no-untyped-def]
    """M (10c, 10c) and q (10c,) of the complementarity problem in (p_n, β, λ), contact by contact."""
    count = clearance.size
    matrix, vector = np.zeros((10 * count, 10 * count)), np.zeros(10 * count)
    for i in range(count):
        for j in range(count):
            for m in range(9):
                for a in range(3):
                    change = 0.0
                    for b in range(3):
                        change += delassus[3 * i + a, 3 * j + b] * generators[j, b, m]
                    for k in range(9):
                        matrix[10 * i + k, 10 * j + m] += generators[i, a, k] * change
        for k in range(9):
            for a in range(3):
                vector[10 * i + k] += generators[i, a, k] * velocities[3 * i + a]
        vector[10 * i] += clearance[i]
        for k in range(1, 9):
            matrix[10 * i + k, 10 * i + 9] = 1.0
            matrix[10 * i + 9, 10 * i + k] = -1.0
        matrix[10 * i + 9, 10 * i] = 1.0
    return matrix, vector
