"""The reduced step in JAX, for many rollouts at once; only what imports this needs the package jax."""
