"""Ratios of timings within the same round, with their spread, and a test whether they are too noisy to use."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median, quantiles
from typing import Final

NOISY: Final = 0.30  # the spread (upper less lower quartile, in medians) beyond which nothing is concluded


@dataclass(frozen=True)
class Spread:
    """A median with its quartiles."""

    median: float
    low: float
    high: float

    @property
    def relative(self) -> float:
        """The distance of the quartiles, divided by the median."""
        return (self.high - self.low) / self.median if self.median else 0.0


def spread(values: Sequence[float]) -> Spread:
    """Return median and quartiles."""
    if len(values) < 2:
        return Spread(values[0], values[0], values[0])
    low, _, high = quantiles(values, n=4, method="inclusive")
    return Spread(median(values), low, high)


def ratio(times: Sequence[float], others: Sequence[float]) -> Spread:
    """Return the ratio within the round: a slow phase of the machine slows both timings."""
    return spread([a / b for a, b in zip(times, others, strict=True)])


def noise(floor: Sequence[float], quotient: Spread, limit: float = NOISY) -> str:
    """Say why a ratio is too noisy to use; empty if it is not.

    The floor moves the same bytes each time; if its own time varies, the machine does something else meanwhile.
    """
    own = spread(floor).relative
    if own > limit:
        return f"noisy: the floor itself varied by {own:.0%} between quartiles, {limit:.0%} allowed"
    if quotient.relative > limit:
        return f"noisy: the ratio varied by {quotient.relative:.0%} between quartiles, {limit:.0%} allowed"
    return ""
