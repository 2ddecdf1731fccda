"""Common random numbers: two frameworks that draw the same kinds and shapes in the same order get the same numbers."""

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final
from zlib import crc32

import numpy as np

Array = np.ndarray[Any, Any]
_GRID: Final = 2.0**24  # of the numbers between 0 and 1, which float32 holds too


class Stream:
    """What the draws of one call are given.

    Parameters
    ----------
    seed : int
        Of another seed the numbers are others.

    Attributes
    ----------
    drawn : int
        How many draws there were since the start.
    """

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._counts: Counter[str] = Counter()

    @property
    def drawn(self) -> int:
        """How many draws there were since the start."""
        return self._counts.total()

    def restart(self) -> None:
        """Give the next draws what the first ones were given."""
        self._counts.clear()

    def uniform(self, shape: Sequence[int]) -> Array:
        """Return numbers from 0 to 1, without 1: float64, of a shape."""
        return np.asarray(np.floor(self._next("uniform").random(tuple(shape)) * _GRID) / _GRID)

    def normal(self, shape: Sequence[int]) -> Array:
        """Return numbers of the normal distribution: float64 that float32 holds, of a shape."""
        return np.asarray(self._next("normal").standard_normal(tuple(shape))).astype(np.float32).astype(np.float64)

    def _next(self, kind: str) -> np.random.Generator:
        self._counts[kind] += 1
        return np.random.default_rng([self._seed, crc32(kind.encode()), self._counts[kind]])
