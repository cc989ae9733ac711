"""All benchmarks: ``make bench``. They print medians and limits; they never fail on time."""

from benchmarks import bodies, qpcc, reduced, solvers

for part in (bodies, reduced, solvers, qpcc):
    part.main()
    print()
