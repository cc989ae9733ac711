"""Goals, and the controllers that turn them into muscle."""
