"""Shapes: letters, primitives, surfaces, tetrahedra, embedding and mesh files."""
