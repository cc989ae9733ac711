"""One step of a world."""
