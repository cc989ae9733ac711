"""What every status of this room is: a name, and words that a user can read."""

from __future__ import annotations

from enum import Enum


class Outcome(Enum):
    """Base of the statuses; ``str`` gives the words."""

    def __str__(self) -> str:
        """The words."""
        return str(self.value)
