"""Plans: what a behaviour wants of one step; and phases, which make a behaviour of several."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from hydrostat.arrays import Floats, Ints
from hydrostat.control.goals import Goal, Moment


class Plan(NamedTuple):
    """What a behaviour wants of one step. memory: what it shall find in the state of the next one.

    ceiling: greatest activation of every segment, 0 to 1, (m,) or one number for all. leaving: nodes (k,) that are to
    leave the ground now: where to look for the best contacts first, not a wish.
    """

    goals: Sequence[Goal]
    memory: Mapping[str, Floats] = {}
    ceiling: Floats | float = 1.0
    leaving: Ints = np.empty(0, dtype=np.int64)


Behaviour = Callable[[Moment], Plan]


def always(goals: Sequence[Goal]) -> Behaviour:
    """The behaviour that never changes its goals."""
    return lambda moment: Plan(goals)


class Clock(NamedTuple):
    """Where a phase stands. elapsed: s since it began. mark: what it noted then."""

    elapsed: float
    mark: Floats


class Phase(NamedTuple):
    """A part of a behaviour.

    plan: what it wants. over: whether it ends before this step. following: the phase after it. mark: what to note of
    the moment in which it begins, (k,).
    """

    plan: Callable[[Moment, Clock], Plan]
    over: Callable[[Moment, Clock], bool]
    following: str
    mark: Callable[[Moment], Floats] = lambda moment: np.empty(0)


def phased(phases: Mapping[str, Phase], first: str) -> Behaviour:
    """The behaviour that begins with the phase ``first`` and goes on from phase to phase, each for a step at least."""
    names = list(phases)

    def behaviour(moment: Moment) -> Plan:
        time, memory = moment.state.time, moment.state.memory
        if "phase" in memory:
            index, since, mark = int(memory["phase"][0]), float(memory["since"][0]), memory["mark"]
        else:
            index, since, mark = names.index(first), time, phases[first].mark(moment)
        clock = Clock(time - since, mark)
        if clock.elapsed > 0.0 and phases[names[index]].over(moment, clock):
            index = names.index(phases[names[index]].following)
            since, clock = time, Clock(0.0, phases[names[index]].mark(moment))
        plan = phases[names[index]].plan(moment, clock)
        own = {"phase": np.array([float(index)]), "since": np.array([since]), "mark": clock.mark}
        return plan._replace(memory={**plan.memory, **own})

    return behaviour
