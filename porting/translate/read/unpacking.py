"""Matches the names with the items in an unpacking such as ``x, y = values``."""

from collections.abc import Sequence
from typing import Any

import libcst as cst
from libcst import matchers as m

from porting.translate.code import Expression, renamed, source
from porting.translate.ir import returned
from porting.translate.refusal import Refusal


def paired(target: Any, items: Sequence[Expression]) -> list[tuple[Expression, Expression]]:
    """Return the pairs of a name and its item in an unpacking."""
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


def told_apart(statement: Any, several: str, names: Sequence[str]) -> Any:
    """Return a statement that reads a tuple of values with a name for each: ``grads[0]`` is ``dy``."""
    whole = cst.Tuple([cst.Element(cst.Name(n)) for n in names])
    return indexed(renamed(statement, {several: whole}))


def indexed(statement: Any) -> Any:
    """Put ``(a, b)[0]`` in its simple form."""

    class Index(cst.CSTTransformer):
        def leave_Subscript(self, original_node: Any, updated_node: cst.Subscript) -> Expression:  # noqa: ARG002
            if isinstance(updated_node.value, cst.Tuple) and m.matches(
                updated_node.slice[0].slice, m.Index(m.Integer())
            ):
                place = int(
                    cst.ensure_type(cst.ensure_type(updated_node.slice[0].slice, cst.Index).value, cst.Integer).value
                )
                if place < len(updated_node.value.elements):
                    return updated_node.value.elements[place].value
            return updated_node

    return statement.visit(Index())
