"""Positive definite matrices for what has no finite value for others: a square root, or a logarithm, of a matrix."""

from dataclasses import replace
from typing import Any

from porting.pairs.array import array
from porting.pairs.guess import Guess, Names
from porting.pairs.suitable import Ops, answers_of, is_finite, works


def definite_where_finite(found: Guess, _: Names, ops: Ops) -> Guess | None:
    """Return the same with positive definite matrices, if values are finite for these alone."""
    pair = found.pair
    square = {n: a for n, a in pair.inputs.items() if a.shape[-2:] == ("n", "n") and a == array(a.shape)}
    if not square or _is_defined(pair, ops) is not False:
        return None
    tried = replace(pair, inputs={**pair.inputs, **{n: array(a.shape, kind="spd") for n, a in square.items()}})
    if works(tried, ops)[0] < works(pair, ops)[0] or not _is_defined(tried, ops):
        return None
    many = len(square) > 1
    names = f"{', '.join(square)} {'are' if many else 'is'}"
    said = f"{names} positive definite: for others that were tried no value is finite"
    return found.with_(tried, said)


def _is_defined(pair: Any, ops: Ops) -> bool | None:
    """Whether every value of all sides is finite, or no side has one that is; nothing in between."""
    answers = [outcome for op, runner in ops(pair).values() for _, outcome in answers_of(pair, op, runner)]
    finite = [is_finite(y) for outcome in answers for y in outcome.value]
    return True if all(finite) else None if any(finite) else False
