"""Sides that drew random numbers when they were made, each for itself: frozen weights of modules, which no input is."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from porting.numeric import samples
from porting.pairs.pair import Pair
from porting.pairs.suitable import answer_to
from porting.parity.cases import Cases
from porting.runners import RUNNERS, runner_of
from porting.runners.base import Array

_GIVE: Final = (
    ", and nothing says which numbers of the sides are the same: say it with --weights torch:NAME=tf:NAME, or give "
    "FILE.py:make, functions without arguments that make both with the same numbers"
)


def frozen_draws(pair: Pair) -> str:
    """Say which frozen numbers sides draw for themselves, if answers depend on them; empty if none do."""
    found = [
        f"{RUNNERS[key].title} draws {', '.join(names)} for itself"
        for key, names in pair.apart.items()
        if key in pair.compared and _depends(pair, key)
    ]
    return f"{' and '.join(found)}{_GIVE}" if found else ""


def _depends(pair: Pair, key: str) -> bool:
    """Whether value or gradient of a side are others with other such numbers."""
    op, runner = pair.on(key), runner_of(pair, key)
    inputs = Cases(op, pair.widest).draw(samples.generator(0, op.name, "drawing"))
    (_, before) = answer_to(op, runner, inputs)
    with pair.redrawn(key):
        (_, after) = answer_to(op, runner, inputs)
    return are_others((*before.value, *before.vjp), (*after.value, *after.vjp))


def are_others(first: Sequence[Array | None], second: Sequence[Array | None]) -> bool:
    """Whether two answers differ anywhere."""
    arrays = ((a, b) for a, b in zip(first, second, strict=False) if a is not None and b is not None)
    return any(not np.array_equal(a, b, equal_nan=True) for a, b in arrays)
