"""Sees of which tensor a part is written to, through methods and helpers that only arrange its elements anew."""

from collections.abc import Callable
from typing import Any, Final

import libcst as cst
from libcst import matchers as m

from porting.translate.abstract_value import TENSOR, UNKNOWN, Sort
from porting.translate.analyse.slices import written
from porting.translate.code import Expression
from porting.translate.lower.expression import Expressions
from porting.translate.read.signatures import body_of, parameters_of

Found = tuple[cst.Name, Expression]
# `reshape`, `flatten` and `contiguous` may make a copy, and a write to a copy changes nothing else
_METHODS: Final = {"movedim", "permute", "select", "squeeze", "swapaxes", "t", "transpose", "unsqueeze", "view"}
_ATTRIBUTES: Final = {"T", "mT"}


def base_of(of: Expressions, value: Expression, place: Expression) -> Found | None:
    """Return the variable of which a value is a view, and the value with something else in the variable's place.

    Parameters
    ----------
    of : Expressions
        Knows the variables and the helpers of the file.
    value : expression
        Such as ``x.permute(1, 0)``, or ``helper(x, 1)``.
    place : expression
        What to put there for x.

    Returns
    -------
    (libcst.Name, expression) or None
        Nothing if it is not known to be a view.
    """
    match value:
        case cst.Name(value=title):
            return (value, place) if title in of.scope and of.scope[title].tensor else None
        case cst.Call(func=cst.Attribute(value=inner, attr=cst.Name(value=method)) as func) if method in _METHODS:
            inside: Any = func
            return _around(base_of(of, inner, place), lambda new: value.with_changes(func=_of(inside, new)))
        case cst.Attribute(value=inner, attr=cst.Name(value=title)) if title in _ATTRIBUTES:
            return _around(base_of(of, inner, place), lambda new: value.with_changes(value=new))
        case cst.Subscript(value=inner) if all(_in_place(of, element.slice) for element in value.slice):
            return _around(base_of(of, inner, place), lambda new: value.with_changes(value=new))
        case cst.Call(func=cst.Name(value=title), args=[first, *rest]) if _arranges(of, title, first):
            return _around(
                base_of(of, first.value, place),
                lambda new: value.with_changes(args=[first.with_changes(value=new), *rest]),
            )
    return None


def _around(found: Found | None, outer: Callable[[Expression], Expression]) -> Found | None:
    return None if found is None else (found[0], outer(found[1]))


def _of(method: cst.Attribute, value: Expression) -> cst.Attribute:
    return method.with_changes(value=value)


def _in_place(of: Expressions, part: cst.BaseSlice) -> bool:
    """Whether a subscript takes a part of the same memory: a range or a whole number does, a tensor does not."""
    if isinstance(part, cst.Slice):
        return True
    kind = of.typed(cst.ensure_type(part, cst.Index).value)[1]
    return kind.sort is Sort.STATIC and kind.number == "int"


def _arranges(of: Expressions, title: str, first: cst.Arg) -> bool:
    """Whether a helper of the file returns a view of its first argument, whatever it is given."""
    node = of.names.defined.get(title)
    if not isinstance(node, cst.FunctionDef) or node.decorators or title in of.scope or first.star or first.keyword:
        return False
    (x, *_) = [p.name.value for p in parameters_of(node)] or [""]
    body = cst.IndentedBlock(body_of(node))
    returned = [cst.ensure_type(found, cst.Return).value for found in m.findall(body, m.Return())]
    with of.within({x: TENSOR, title: UNKNOWN}):  # one that calls itself is not followed
        views = [value is not None and base_of(of, value, value) for value in returned]
    return bool(views) and all(view and view[0].value == x for view in views) and x not in written(body)
