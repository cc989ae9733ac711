"""Solvers: matrices in, numbers out; nothing here knows a body or a muscle."""
