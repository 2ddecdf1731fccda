"""Measures how a cost grows: the exponent of a power law through the measured points."""

from collections.abc import Mapping, Sequence
from math import log
from statistics import linear_regression
from typing import Final

from porting.spec import Op

ITERATIONS: Final = (10, 20, 40, 80)
_COUNTS: Final = ("iterations", "max_iter", "steps")  # the names of statics that count iterations


def iteration_static(op: Op) -> str | None:
    """Return the static that says how many iterations an op makes, if it has one."""
    return next((name for name in op.statics if name in _COUNTS), None)


def exponent(costs: Mapping[float, float] | Sequence[tuple[float, float]]) -> float:
    """Return p of the line cost = c size^p through the points, fitted in logarithms."""
    points = list(costs.items() if isinstance(costs, Mapping) else costs)
    return linear_regression([log(n) for n, _ in points], [log(max(cost, 1e-30)) for _, cost in points]).slope
