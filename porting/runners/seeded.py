"""A runner that sets the seeds before each answer: for an op that draws random numbers."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from porting.runners.base import Case, Outcome
    from porting.runners.protocol import Runner

_SEED = 20


class SeededRunner:
    """Another runner, whose op draws the same numbers each time that it is run; all else is as there."""

    def __init__(self, runner: Runner) -> None:
        self._runner = runner

    def __getattr__(self, name: str) -> Any:
        """Return what the other runner has."""
        return getattr(self._runner, name)

    def run(self, case: Case) -> Outcome:
        """Answer a case, from the same seeds as any other."""
        random.seed(_SEED)
        np.random.seed(_SEED)  # noqa: NPY002 - the legacy generator is what an op may draw from
        if self._runner.key == "torch":
            import torch

            # Without a GPU `torch.manual_seed` queues the seed for each kind of one, with its stack: 4 ms a call.
            seeded = torch if torch.accelerator.is_available() else torch.default_generator
            seeded.manual_seed(_SEED)
        else:
            import tensorflow as tf

            tf.random.set_seed(_SEED)
        return self._runner.run(case)
