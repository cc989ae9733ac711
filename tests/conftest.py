"""Settings that all tests share."""

import os

# Many small dense operations: threads of BLAS would only wait for one another.
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")

from hypothesis import settings  # noqa: E402

# The same examples on every run and machine; how long one takes says nothing about whether it is right.
settings.register_profile("hydrostat", derandomize=True, deadline=None)
settings.load_profile("hydrostat")
