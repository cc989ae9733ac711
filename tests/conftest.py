"""Settings that all tests share."""

from hypothesis import settings

# The same examples on every run and machine; how long one takes says nothing about whether it is right.
settings.register_profile("hydrostat", derandomize=True, deadline=None)
settings.load_profile("hydrostat")
