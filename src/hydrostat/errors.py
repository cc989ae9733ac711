"""The errors a user meets: each says what was given, what was expected and the cure."""

from __future__ import annotations

from typing import Any


class HydrostatError(Exception):
    """Base of every error that hydrostat raises on purpose; the command line prints it without a traceback."""


class InputError(HydrostatError):
    """Something that the user gave cannot be used.

    >>> str(InputError("friction is -0.3", "a number ≥ 0", "pass friction=0 for a frictionless ground"))
    'friction is -0.3; expected a number ≥ 0. Cure: pass friction=0 for a frictionless ground.'
    """

    def __init__(self, given: str, expected: str, cure: str) -> None:
        self.given, self.expected, self.cure = given, expected, cure
        super().__init__(f"{given}; expected {expected}. Cure: {cure}.")


class StepError(HydrostatError):
    """A step of a world failed; the message names the object, the quantity and its value.

    problem: the contact conditions that could not be met (a ``solvers.problems.ContactProblem``), where it is they.
    """

    def __init__(self, message: str, problem: Any = None) -> None:
        self.problem = problem
        super().__init__(message)
