"""Impulses of frictional contacts: a fast solver that starts from guessed pieces, and Lemke's method as reference."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum

import numpy as np
from numba import njit

from hydrostat.arrays import Floats, Ints
from hydrostat.errors import InputError
from hydrostat.solvers.lcp import solve_lcp
from hydrostat.solvers.pieces import classify, closest_friction, equations, exist, modes_of
from hydrostat.solvers.problems import ContactProblem
from hydrostat.solvers.residuals import ContactResiduals, contact_residuals

# Added to the diagonal of the scaled W. Where contacts outnumber the degrees of freedom W is singular; this picks
# the impulses of least norm, and it moves velocities by no more than this fraction.
RIDGE = 1e-10
# Scaled residuals below these count as solved and as inaccurate.
SOLVED, INACCURATE = 1e-6, 1e-3
# Scaled distance from solving the equations at which the search over pieces ends.
_CONVERGED = 1e-10
_ROUNDS = 12
_FEW_SWEEPS, _MANY_SWEEPS = 6, 3000


class ContactStatus(Enum):
    """How a contact problem ended."""

    SOLVED = "solved: every condition holds within 1e-6 of the problem's own scale"
    INACCURATE = "inaccurate: every condition holds within 1e-3 of the problem's own scale, not within 1e-6"
    FAILED = "failed: no solver found impulses that fulfil the conditions; these are the best it met"


@dataclass(frozen=True)
class ContactSolution:
    """Impulses of c contacts.

    impulses: p (3c,) N·s. velocities: w = w0 + W p (3c,) m/s. pieces: (c,) numbers of `pieces`, also the warm start
    of the next problem. method: what found it. iterations: linear solves or pivots spent on it. residuals:
    recomputed from the problem and the impulses.
    """

    impulses: Floats
    velocities: Floats
    pieces: Ints
    status: ContactStatus
    method: str
    iterations: int
    residuals: ContactResiduals

    @property
    def modes(self) -> Ints:
        """(c,) 0 free, 1 stick, 2 slide; a contact without friction slides, also at no speed."""
        return modes_of(self.pieces)


@dataclass(frozen=True)
class _Attempt:
    """Scaled impulses that one method arrived at; ``distance`` as `pieces.classify` measures it."""

    impulses: Floats
    pieces: Ints
    distance: float
    method: str
    iterations: int


def solve_contact(
    problem: ContactProblem, warm_pieces: Ints | None = None, method: str = "warm"
) -> ContactSolution:
    """Solve ``problem``.

    ``warm`` guesses the piece of every contact, from ``warm_pieces`` (c,) where given, solves the linear system of
    these pieces and moves contacts to other pieces until all conditions hold; it falls back to Lemke's method and
    then to Gauss–Seidel. ``lemke`` is Lemke's method alone. The two agree where the solution is unique, which it
    always is without friction and with W of full rank.
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
    velocities = problem.velocities + problem.delassus @ impulses
    return ContactSolution(
        impulses, velocities, attempt.pieces, status, attempt.method, attempt.iterations, residuals
    )


def _by_warm_start(problem: ContactProblem, warm_pieces: Ints | None) -> _Attempt:
    best: _Attempt | None = None
    for guess in _guesses(problem, warm_pieces):
        for attempt in (_search(problem, guess), guess):
            if best is None or attempt.distance < best.distance:
                best = attempt
        if best.distance <= _CONVERGED * (1.0 + np.abs(best.impulses).max(initial=0.0)):
            break
    assert best is not None
    return best


def _guesses(problem: ContactProblem, warm_pieces: Ints | None) -> Iterator[_Attempt]:
    """Ever more expensive starts for the search over pieces."""
    nothing = np.zeros(3 * problem.count)
    if warm_pieces is not None:
        yield _Attempt(nothing, warm_pieces, np.inf, "warm", 0)
    for method, start in (
        ("pieces", lambda: (_swept(problem, nothing, _FEW_SWEEPS), _FEW_SWEEPS)),
        ("lemke", lambda: _pivoted(problem)),
        ("sweeps", lambda: (_swept(problem, nothing, _MANY_SWEEPS), _MANY_SWEEPS)),
    ):
        impulses, iterations = start()
        yield _judged(problem, impulses, method, iterations)


def _by_lemke(problem: ContactProblem, _: Ints | None) -> _Attempt:
    impulses, pivots = _pivoted(problem)
    return _judged(problem, impulses, "lemke", pivots)


METHODS: dict[str, Callable[[ContactProblem, Ints | None], _Attempt]] = {
    "warm": _by_warm_start,
    "lemke": _by_lemke,
}


def ridged(problem: ContactProblem) -> Floats:
    """The scaled W of ``problem`` with the ridge, (3c, 3c)."""
    return problem.scaled.delassus + RIDGE * np.eye(3 * problem.count)


def _judged(problem: ContactProblem, impulses: Floats, method: str, iterations: int) -> _Attempt:
    scaled = problem.scaled
    velocities = scaled.velocities + ridged(problem) @ impulses
    pieces, distance = classify(impulses, velocities, scaled.clearance, problem.polygons)
    return _Attempt(impulses, pieces, distance, method, iterations)


def _search(problem: ContactProblem, guess: _Attempt) -> _Attempt:
    """Newton's method on the piecewise linear conditions: solve the pieces, see where every contact tends, repeat."""
    scaled, delassus = problem.scaled, ridged(problem)
    best, pieces = guess, guess.pieces
    for round_ in range(1, _ROUNDS + 1):
        matrix, right = equations(
            pieces, delassus, scaled.velocities[:, None], scaled.clearance, problem.polygons
        )
        try:
            impulses = np.linalg.solve(matrix, right)[:, 0]
        except np.linalg.LinAlgError:
            break
        velocities = scaled.velocities + delassus @ impulses
        following, distance = classify(impulses, velocities, scaled.clearance, problem.polygons)
        if not np.isfinite(distance):
            break
        if distance < best.distance:
            best = _Attempt(impulses, pieces, distance, guess.method, guess.iterations + round_)
        if distance <= _CONVERGED * (1.0 + np.abs(impulses).max(initial=0.0)) or (following == pieces).all():
            break
        pieces = following
    return best


def _pivoted(problem: ContactProblem) -> tuple[Floats, int]:
    """Impulses from the complementarity problem in (p_n, β, λ), 10 variables a contact, and the pivots made."""
    count = problem.count
    scaled, corners = problem.scaled, problem.polygons.corners
    generators = np.zeros((count, 3, 9))
    generators[:, 0, 0] = 1.0
    generators[:, 1:, 1:] = corners.transpose(0, 2, 1)
    delassus = ridged(problem).reshape(count, 3, count, 3)
    matrix = np.zeros((count, 10, count, 10))
    matrix[:, :9, :, :9] = np.einsum("iak,iajb,jbl->ikjl", generators, delassus, generators, optimize=True)
    each = np.arange(count)
    matrix[each, 1:9, each, 9] = 1.0
    matrix[each, 9, each, 0] = 1.0
    matrix[each, 9, each, 1:9] = -1.0
    vector = np.zeros((count, 10))
    vector[:, :9] = np.einsum("iak,ia->ik", generators, scaled.velocities.reshape(count, 3))
    vector[:, 0] += scaled.clearance
    solution = solve_lcp(matrix.reshape(10 * count, 10 * count), vector.ravel())
    weights = solution.z.reshape(count, 10)[:, :9]
    return np.einsum("iak,ik->ia", generators, weights).ravel(), solution.pivots


def _swept(problem: ContactProblem, impulses: Floats, sweeps: int) -> Floats:
    scaled = problem.scaled
    swept: Floats = _sweep(
        ridged(problem), scaled.velocities, scaled.clearance, problem.polygons, impulses, sweeps
    )
    return swept


@njit(cache=True)
def _sweep(delassus, velocities, clearance, polygons, start, sweeps):  # type: ignore[no-untyped-def]
    """Projected block Gauss–Seidel on the friction polygon: contact by contact, normal first, then tangent."""
    impulses = start.copy()
    for _ in range(sweeps):
        change = 0.0
        for i in range(clearance.size):
            n = 3 * i
            block = delassus[n : n + 3, n : n + 3]
            w = velocities[n : n + 3] + delassus[n : n + 3] @ impulses
            old = impulses[n : n + 3].copy()
            impulses[n] = max(0.0, old[0] - (w[0] + clearance[i]) / block[0, 0])
            if impulses[n] == 0.0:
                impulses[n + 1 : n + 3] = 0.0
            else:
                shift = impulses[n] - old[0]
                # The largest eigenvalue of the tangential block: the step that never overshoots.
                half = 0.5 * (block[1, 1] - block[2, 2])
                stiffest = 0.5 * (block[1, 1] + block[2, 2]) + np.hypot(half, block[1, 2])
                _, impulses[n + 1], impulses[n + 2] = closest_friction(
                    polygons,
                    i,
                    impulses[n],
                    old[1] - (w[1] + block[1, 0] * shift) / stiffest,
                    old[2] - (w[2] + block[2, 0] * shift) / stiffest,
                )
            change = max(change, np.abs(impulses[n : n + 3] - old).max())
        if change <= 1e-13:
            break
    return impulses
