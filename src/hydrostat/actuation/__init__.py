"""What drives a body: muscle fibres and their groups."""
