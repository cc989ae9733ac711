"""Gaits by CMA-ES: what is searched, how it is scored, who computes it."""
