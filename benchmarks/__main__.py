"""All benchmarks: ``make bench``. They print medians and limits; they never fail on time."""

from benchmarks import bodies, solvers

for part in (bodies, solvers):
    part.main()
    print()
