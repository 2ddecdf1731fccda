"""A side of a pair of the user's own as something to measure, beside the plain version that it replaces."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from porting.bench.subjects import COMPOSITION, TWIN
from porting.errors import UnsaidError
from porting.pairs.pair import Pair
from porting.runners import runner_of
from porting.spec import Op


def side(pair: Pair, backend: str) -> tuple[Op, dict[str, Callable[..., Any]]]:
    """Return the op that one side is measured as, and what is measured; imports the user's files.

    Parameters
    ----------
    pair : Pair
        Whose inputs are guessed where nobody said what it takes, as `porting check` guesses them.
    backend : str
        The side.

    Raises
    ------
    PortingError
        If a function cannot be loaded, or its inputs cannot be guessed.
    """
    with suppress(UnsaidError):
        if guess := pair.guess():
            pair = guess.pair
    op = pair.alone(backend, runner_of(pair, backend))
    found = {TWIN: op.twin(backend)}
    if pair.like is not None and pair.plain[0] == backend:
        found[COMPOSITION] = op.answers["like"].function
    return op, found
