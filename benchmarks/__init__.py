"""Benchmarks: what takes how long, on one core."""
