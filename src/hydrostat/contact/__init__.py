"""Where a body touches the world: the ground, contact patches and friction."""
