"""A runner that sets the seeds before each answer: for an op that draws random numbers."""

from __future__ import annotations

import random
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from porting.backends import BACKENDS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from porting.runners.base import Case, Outcome
    from porting.runners.protocol import Runner

_SEED = 20
_OTHER = 21


class SeededRunner:
    """Another runner whose op draws the same numbers in each run; everything else is unchanged."""

    def __init__(self, runner: Runner) -> None:
        self._runner = runner

    def __getattr__(self, name: str) -> Any:
        """Return what the other runner has."""
        return getattr(self._runner, name)

    def run(self, case: Case) -> Outcome:
        """Answer a case, from the same seeds as any other."""
        _seed(self._runner.key, _SEED)
        return self._runner.run(case)


@contextmanager
def other_seeds(runner: Runner) -> Iterator[None]:
    """While this is open, what is made draws other numbers than what was made before; then all is as before."""
    settings = runner.state()
    try:
        _seed(runner.key, _OTHER)
        yield
    finally:
        runner.restore(settings)


def _seed(key: str, number: int) -> None:
    random.seed(number)
    np.random.seed(number)  # noqa: NPY002 - the legacy generator is what an op may draw from
    BACKENDS[key].tensors.seed(number)
