"""Reads and simplifies the targets of assignments, which stand on their left side."""

from typing import Any

import libcst as cst
from libcst import matchers as m

from porting.translate.abstract_value import Abstract, Sort
from porting.translate.code import Expression, same


def without_unread(target: Any, made: Expression, kind: Abstract) -> tuple[Any, Expression, Abstract]:
    """Leave out ``_`` of ``_, n = values, numbers``."""
    if not (
        isinstance(target, cst.Tuple) and isinstance(made, cst.Tuple) and len(target.elements) == len(made.elements)
    ):
        return target, made, kind
    kept = [n for n, e in enumerate(target.elements) if not m.matches(e.value, m.Name("_"))]
    if len(kept) == len(target.elements) or not kept or len(kind.items) != len(made.elements):
        return target, made, kind
    if len(kept) == 1:
        return target.elements[kept[0]].value, made.elements[kept[0]].value, kind.items[kept[0]]
    parts = (
        cst.Tuple([_on_one_line(e, e.value) for e in (whole.elements[n] for n in kept)], lpar=[], rpar=[])
        for whole in (target, made)
    )
    return *parts, Abstract(Sort.TUPLE, items=tuple(kind.items[n] for n in kept))  # type: ignore[return-value]  # two parts


def unchanged(target: Expression, value: Expression) -> bool:
    """Whether an assignment changes nothing: ``x, y = x, y``."""
    if isinstance(target, cst.Tuple) and isinstance(value, cst.Tuple) and len(target.elements) == len(value.elements):
        return all(same(a.value, b.value) for a, b in zip(target.elements, value.elements, strict=True))
    return same(target, value)


def first(node: cst.Attribute) -> Expression:
    """Return what a chain of methods begins with: ``x`` of ``x.mul_(2).add_(1)``, and of ``x[0].T.mul_(2)``."""
    value = node.value
    while True:
        match value:
            case cst.Call(func=cst.Attribute(value=inner)) | cst.Subscript(value=inner) | cst.Attribute(value=inner):
                value = inner
            case _:
                return value


def assigned(variable: str, value: Expression) -> cst.Assign:
    """Return ``variable = value``."""
    return cst.Assign([cst.AssignTarget(cst.Name(variable))], value)


def plain_target(target: Any, *, inside: bool = False) -> Any:
    """Return the left side of an assignment without parentheses, except around the tuples inside of it."""
    if isinstance(target, cst.Tuple | cst.List):
        elements: list[Any] = [_on_one_line(e, plain_target(e.value, inside=True)) for e in target.elements]
        bare = len(elements) > 1 and not inside
        return cst.Tuple(elements, lpar=[] if bare else [cst.LeftParen()], rpar=[] if bare else [cst.RightParen()])
    return cst.Name(target.value) if isinstance(target, cst.Name) else target


def _on_one_line(element: Any, value: Expression) -> Any:
    """Return an element with a value, and no line break behind its comma: without parentheses none may be there."""
    return element.with_changes(value=value, comma=cst.MaybeSentinel.DEFAULT)
