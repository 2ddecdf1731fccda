"""Which name stands for which item in ``x, y = ...``."""

from collections.abc import Sequence
from typing import Any

import libcst as cst

from porting.translate.code import Expression, source
from porting.translate.expression import Refusal
from porting.translate.record import returned


def paired(target: Any, items: Sequence[Expression]) -> list[tuple[Expression, Expression]]:
    """Return which name stands for which item in an unpacking."""
    if not isinstance(target, cst.Tuple | cst.List):
        if len(items) == 1:
            return [(target, items[0])]
        return [(target, cst.Tuple([cst.Element(item) for item in items]))]
    slots = list(target.elements)
    if any(isinstance(slot, cst.StarredElement) for slot in slots):
        raise Refusal("an unpacking with a star", target)
    if len(slots) != len(items):
        raise Refusal(f"{source(target)} = {len(items)} things", target)
    return [(slot.value, item) for slot, item in zip(slots, items, strict=True)]


def flat(pairs: Sequence[tuple[Expression, Expression]]) -> list[tuple[Expression, Expression]]:
    """Return the pairs within nested ones."""
    found: list[tuple[Expression, Expression]] = []
    for slot, item in pairs:
        if isinstance(slot, cst.Tuple) and isinstance(item, cst.Tuple):
            found += flat(paired(slot, returned(item)))
        else:
            found.append((slot, item))
    return found
