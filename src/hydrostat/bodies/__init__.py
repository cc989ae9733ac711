"""What moves: bodies and the step system they all speak."""
