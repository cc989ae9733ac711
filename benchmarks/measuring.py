"""How benchmarks measure."""

from __future__ import annotations

from collections.abc import Callable
from statistics import median
from time import perf_counter


def milliseconds(function: Callable[[], object], repeats: int = 30) -> float:
    """Median time of ``function`` over ``repeats`` calls, after one that is not counted."""
    function()
    times = []
    for _ in range(repeats):
        started = perf_counter()
        function()
        times.append(1e3 * (perf_counter() - started))
    return median(times)
