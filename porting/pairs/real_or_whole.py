"""Inputs that were guessed to be whole numbers, and by which the sides have a gradient: they are real ones."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from porting.pairs.array import BOOL, INTEGERS, array
from porting.pairs.candidates import POSITIVE_RANGE
from porting.pairs.guess import Guess, Names
from porting.pairs.suitable import BENT, TAKEN, Ops, answers_of, is_finite, works


def real_where_learned(found: Guess, _: Names, ops: Ops) -> Guess | None:
    """Return the same with real numbers for whole ones, if all sides take them and have a gradient by them.

    An index is refused as a real number, and by a label no side has a gradient. Where one side alone has one, it may
    be a label that the other side computes with: then it is said that no gradient by it is compared.
    """
    whole = [n for n, a in found.pair.inputs.items() if a.dtype in INTEGERS and a.dtype != BOOL and a.kind is None]
    given, said = found, list[str]()
    for name in whole:
        before = found.pair.inputs[name]
        for domain in (None, POSITIVE_RANGE):
            real = replace(array(before.shape, domain=domain), part=before.part)
            tried = replace(found.pair, inputs={**found.pair.inputs, name: real})
            learned = _learned(tried, name, ops)
            if learned and all(learned):
                found = found.with_(tried, f"{name} has a gradient on all sides")
            elif any(learned):
                typed = replace(found, pair=tried).flags
                said.append(f"one side alone has a gradient by {name}, so none is compared: {typed} compares it")
            if any(learned):
                break
    return None if found is given and not said else found.with_(found.pair, *said)


def _learned(tried: Any, name: str, ops: Ops) -> Sequence[bool]:
    """Return of each side whether it has a gradient by an input; nothing if one does not take it, or has no numbers."""
    if works(tried, ops)[0] < TAKEN * BENT:
        return []
    learned = []
    for op, runner in ops(tried).values():
        answers = list(answers_of(tried, op, runner))
        if not all(is_finite(y) for _, outcome in answers for y in outcome.value):
            return []
        there = [dict(zip(case.op.wrt, outcome.vjp, strict=False)).get(name) for case, outcome in answers]
        learned.append(any(g is not None and g.any() for g in there))
    return learned
