"""A runner that sets the seeds before each answer: for an op that draws random numbers."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import numpy as np

from porting.backends import BACKENDS

if TYPE_CHECKING:
    from porting.runners.base import Case, Outcome
    from porting.runners.protocol import Runner

_SEED = 20


class SeededRunner:
    """Another runner whose op draws the same numbers in each run; everything else is unchanged."""

    def __init__(self, runner: Runner) -> None:
        self._runner = runner

    def __getattr__(self, name: str) -> Any:
        """Return what the other runner has."""
        return getattr(self._runner, name)

    def run(self, case: Case) -> Outcome:
        """Answer a case, from the same seeds as any other."""
        random.seed(_SEED)
        np.random.seed(_SEED)  # noqa: NPY002 - the legacy generator is what an op may draw from
        BACKENDS[self._runner.key].tensors.seed(_SEED)
        return self._runner.run(case)
