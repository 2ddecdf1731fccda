"""A runner whose op draws the same random numbers in each run, and the same ones as another framework's op."""

from __future__ import annotations

import random
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from porting.backends import BACKENDS
from porting.runners.stream import Stream

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from porting.runners.base import Case, Outcome
    from porting.runners.protocol import Runner

_OTHER = 21


class SeededRunner:
    """Another runner whose op is given the numbers of a stream, from its start in each run; nothing else is changed.

    What its framework does not let be replaced, see `porting.backends.backend.Backend.draws`, is drawn from a seed.

    Parameters
    ----------
    runner : Runner
        Who answers.
    seed : int
        Of the stream, and of all generators.
    """

    def __init__(self, runner: Runner, seed: int = 20) -> None:
        self._runner = runner
        self._seed = seed
        self.stream = Stream(seed)

    def __getattr__(self, name: str) -> Any:
        """Return what the other runner has."""
        return getattr(self._runner, name)

    def run(self, case: Case) -> Outcome:
        """Answer a case, with the same numbers as any other."""
        self._start()
        BACKENDS[self._runner.key].tensors.seed(self._seed)
        with BACKENDS[self._runner.key].drawing(self.stream):
            return self._runner.run(case)

    def drawn_in_backward(self, case: Case) -> bool:
        """Whether a backward draws more than its forward has."""
        self.run(replace(case, dy=None))
        forward = self.stream.drawn
        self.run(case)
        return self.stream.drawn > forward

    def from_the_start(self, twin: Callable[..., Any]) -> Callable[..., Any]:
        """Return a twin that draws from the start of the stream in each call; its backward goes on from there."""

        def drawn(*xs: Any, **statics: Any) -> Any:
            self._start()
            return twin(*xs, **statics)

        drawn.__wrapped__ = twin  # type: ignore[attr-defined]  # where the source is
        return drawn

    def _start(self) -> None:
        self.stream.restart()
        _seed(self._seed)


@contextmanager
def other_seeds(runner: Runner) -> Iterator[None]:
    """While this is open, what is made draws other numbers than what was made before; then all is as before."""
    settings = runner.state()
    try:
        _seed(_OTHER)
        BACKENDS[runner.key].tensors.seed(_OTHER)
        yield
    finally:
        runner.restore(settings)


def _seed(number: int) -> None:
    random.seed(number)
    np.random.seed(number)  # noqa: NPY002 - the legacy generator is what an op may draw from
