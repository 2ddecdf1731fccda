"""Finds whose numbers a value is computed from; what only says where something stands has no derivative."""

from collections.abc import Sequence
from typing import Final

import libcst as cst

from porting.translate.analyse.slices import written

_TAKE: Final = {"gather", "index_select", "take", "embedding", "one_hot"}  # numbers from places, which come last


def numbers_read(value: cst.CSTNode, body: Sequence[cst.BaseStatement]) -> set[str]:
    """Return the names whose numbers a value is computed from, by the statements before it."""
    used = _Numbers(value).names
    for statement in reversed(body):
        used |= _Numbers(statement).names if written(statement) & used else set()
    return used


class _Numbers(cst.CSTVisitor):
    """The names in code whose numbers count."""

    def __init__(self, node: cst.CSTNode) -> None:
        super().__init__()
        self.names: set[str] = set()
        node.visit(self)

    def visit_Name(self, node: cst.Name) -> None:
        self.names.add(node.value)

    def visit_SubscriptElement(self, node: cst.SubscriptElement) -> bool:  # noqa: ARG002 - libcst's name
        return False

    def visit_Call(self, node: cst.Call) -> bool:
        takes = isinstance(node.func, cst.Attribute) and node.func.attr.value in _TAKE
        for part in (node.func, *node.args[: -1 if takes else None]):
            part.visit(self)
        return False
