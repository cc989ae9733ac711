"""Quadratic programs with contact complementarity: control that chooses stick, slide or lift (T2012-(11))."""
