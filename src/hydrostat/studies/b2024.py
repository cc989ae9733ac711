"""What the studies of B2024 do alike: creatures as reduced bodies, and searches for their gaits."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from time import perf_counter

import numpy as np

from hydrostat.actuation.modes import largest_amplitudes
from hydrostat.actuation.sines import Sines
from hydrostat.arrays import Floats
from hydrostat.bodies.reduced import Damping, ReducedBody, ReducedOptions, Surroundings, reduce_body
from hydrostat.characters.creatures import CREATURES
from hydrostat.contact.ground import Plane
from hydrostat.geometry.tetrahedra import TetMesh
from hydrostat.search.evolution import Progress, SearchOptions, search
from hydrostat.search.finding import Workforce
from hydrostat.search.objectives import BLOWN_UP, GAINS, Objective
from hydrostat.search.outcomes import Outcome
from hydrostat.search.reports import Report
from hydrostat.search.wishes import Wishes, trial_of
from hydrostat.studies.study import Options

GROUND = Surroundings(ground=Plane())
FREE_SPACE = Surroundings(gravity=(0.0, 0.0, 0.0))
# Limits and friction as the paper prints them: Table 1, appendices E and H.
PAPER_WISHES = Wishes(sinusoids=2, periods=(0.2, 0.6), common_period=False, amplitude=1.0, starts=1)
PAPER_GROUND = Surroundings(ground=Plane(), friction=Damping())
# Of small versions.
SMALL_SEARCH, SMALL_SECONDS = SearchOptions(generations=2, population=4), 0.5


@dataclass(frozen=True)
class Printed(Objective):
    """J as the paper prints it, B2024-(17): the alignment counts once, and toppling costs nothing.

    A body that turned around counts as one that stood still, or else going backward would be a success then.
    """

    def score(self, outcome: Outcome) -> float:
        """J = - gain · alignment, m."""
        return BLOWN_UP if outcome.blown_up else -GAINS[self.gain](outcome) * max(outcome.alignment, 0.0)


@dataclass(frozen=True)
class Walk(Report):
    """A gait that was found.

    seconds: of the search by the clock, the start of its workers included. effort: s of all processors together.
    """

    progress: Progress
    seconds: float
    effort: float

    @property
    def score(self) -> float:
        """J as printed and without work, whatever was searched for; m."""
        return Printed(self.trial.objective.gain).score(self.outcome)

    @property
    def stride(self) -> float:
        """Body lengths in one period of the first sinusoid."""
        seconds = self.trial.steps * self.trial.surroundings.dt
        return self.lengths(self.outcome) * float(self.gait.periods[0, 0]) / seconds

    @property
    def moving(self) -> str:
        """The numbers of the modes that move."""
        return " ".join(str(mode) for mode in np.flatnonzero(self.trial.space.moving(self.progress.best)))


def creature_mesh(name: str, options: Options) -> TetMesh:
    """The creature ``name``, coarse in a small version."""
    return CREATURES[name].mesh(CREATURES[name].coarse if options.small else None)


def creature_body(name: str, reduced: ReducedOptions, options: Options) -> ReducedBody:
    """The creature ``name`` as a reduced body."""
    return reduce_creature(name, creature_mesh(name, options), reduced)


def reduce_creature(name: str, mesh: TetMesh, reduced: ReducedOptions) -> ReducedBody:
    """``mesh`` as a reduced body; of the octopus every tentacle has its own modes, as in the paper."""
    parts = CREATURES[name].parts if name == "octopus" else None
    return reduce_body(mesh, reduced, parts(mesh.vertices) if parts else None)


def find_walk(
    body: ReducedBody,
    wishes: Wishes,
    options: Options,
    surroundings: Surroundings = GROUND,
    seed: int = 0,
    objective: Objective | None = None,
) -> Walk:
    """The best gait of a whole search by all cores; of a tiny one in a small version.

    objective: in place of the one that is wished.
    """
    limits = replace(SMALL_SEARCH if options.small else SearchOptions(), seed=seed)
    wished = replace(wishes, seconds=SMALL_SECONDS) if options.small else wishes
    started, spent = perf_counter(), _effort()
    trial = trial_of(body, wished, surroundings)
    if objective is not None:
        trial = replace(trial, objective=objective)
    with Workforce(1 if options.small else None).hired(trial) as evaluate:
        *_, last = search(trial.space.dimension, evaluate, limits)
    return Walk(trial, trial.space.gait(last.best), last, perf_counter() - started, _effort() - spent)


def _effort() -> float:
    """Seconds that processors have spent for this process and for those that it started and that have ended."""
    return sum(os.times()[:4])


def rhythm(body: ReducedBody, steps: int, surroundings: Surroundings, stretch: float = 0.1) -> Floats:
    """Amplitudes (steps, m) of all modes at two turns a second, each a third of a turn after the one before.

    stretch: what the largest of each ask of an element, as p of B2024-(77).
    """
    largest = largest_amplitudes(body.mesh, body.modes, stretch)[:, None]
    phases = np.arange(len(largest))[:, None] / 3.0
    return Sines(largest, np.full_like(largest, 0.5), phases).values(surroundings.dt * np.arange(1.0, steps + 1))
