"""All benchmarks: ``make bench``. They print medians and limits; they never fail on time."""

from benchmarks import bodies, qpcc, solvers

for part in (bodies, solvers, qpcc):
    part.main()
    print()
