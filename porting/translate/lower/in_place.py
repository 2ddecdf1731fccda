"""Writes in place: finds the variables that share memory, and gives each of them its new value."""

from collections.abc import Sequence
from typing import Any, Final

import libcst as cst

from porting.translate.analyse.targets import assigned
from porting.translate.code import Expression, build, literal, names_in, source
from porting.translate.dialects import DIALECTS
from porting.translate.lower.expression import Expressions
from porting.translate.refusal import Refusal

Statement = cst.BaseStatement
Views = dict[str, tuple[str, bool]]


_OPERATORS: Final = {
    "add_": cst.Add, "sub_": cst.Subtract, "mul_": cst.Multiply, "div_": cst.Divide, "pow_": cst.Power,
}  # fmt: skip
_WHOLE: Final = {"view", "view_as", "reshape", "reshape_as", "flatten", "ravel", "contiguous", "detach", "data"}
_VIEWS: Final = _WHOLE | {
    "t", "transpose", "permute", "squeeze", "unsqueeze", "expand", "expand_as", "narrow", "T", "mT", "diagonal",
    "unbind", "chunk", "split",
}  # fmt: skip


def viewed(value: Expression) -> tuple[str, bool] | None:
    """Return the variable whose memory a value shares, as ``x.view(-1)``, and whether it is all of it, in order."""
    whole = True
    while True:
        match value:
            case cst.Name():
                return value.value, whole
            case cst.Call(func=cst.Attribute(attr=attr)) if attr.value in _VIEWS:
                whole &= attr.value in _WHOLE
                value = cst.ensure_type(value.func, cst.Attribute).value
            case cst.Attribute(attr=attr) if attr.value in _VIEWS:
                whole &= attr.value in _WHOLE
                value = value.value
            case cst.Subscript():
                whole = False
                value = value.value
            case _:
                return None


def part_changed(call: cst.Call) -> tuple[cst.Subscript, Expression, Any] | None:
    """Return ``x[at]``, what is written there, and the operator, for a method that changes a part of x in place.

    Nothing for one that changes all of it, as ``x.mul_(2).add_(1)`` does.

    Raises
    ------
    Refusal
        If the part is no range, number or mask: x has to be written to, not replaced by its part.
    """
    method = cst.ensure_type(call.func, cst.Attribute)
    changed = method.value
    while isinstance(changed, cst.Call) and source(changed.func).endswith("_"):
        changed = cst.ensure_type(changed.func, cst.Attribute).value
    if isinstance(changed, cst.Name):
        return None
    values = [a.value for a in call.args if a.keyword is None and not a.star]
    part = _range(changed) if changed is method.value and len(values) == len(call.args) else None
    operator = _OPERATORS.get(method.attr.value)
    if part is not None and method.attr.value == "zero_" and not values:
        return part, cst.Integer("0"), None
    if part is not None and len(values) == 1 and (operator is not None or method.attr.value in {"copy_", "fill_"}):
        return part, values[0], operator
    raise Refusal(f"{source(call)[:60]}: changes a part of a tensor in place", call)


def _range(changed: Expression) -> cst.Subscript | None:
    """Return ``x[start:stop]`` for a part of a variable, as ``x.narrow(0, start, length)`` is; nothing for another."""
    match changed:
        case cst.Subscript(value=cst.Name()):
            return changed
        case cst.Call(func=cst.Attribute(value=cst.Name() as x, attr=cst.Name(value="select"))):
            axis, at = _numbers(changed, 2)
            return None if at is None or axis is None else _at(x, axis, cst.Index(at))
        case cst.Call(func=cst.Attribute(value=cst.Name() as x, attr=cst.Name(value="narrow"))):
            axis, start, length = _numbers(changed, 3)
            if length is None or axis is None or isinstance(start, cst.UnaryOperation):
                return None  # a range that ends at 0 is empty
            if isinstance(start, cst.Integer) and start.value == "0":
                return _at(x, axis, cst.Slice(None, length))
            return _at(x, axis, cst.Slice(start, build("{start} + {length}", start=start, length=length)))
        case _:
            return None


def _numbers(call: cst.Call, count: int) -> list[Any]:
    """Return the axis, if it is the last one or a number that is written out, and the other arguments.

    Nothing if there are not `count`.
    """
    values = [a.value for a in call.args if a.keyword is None and not a.star]
    if len(values) != count or len(values) != len(call.args):
        return [None] * count
    axis, *rest = values
    number = literal(axis)
    return [number if isinstance(number, int) and number >= -1 else None, *rest]


def _at(x: cst.Name, axis: int, place: cst.BaseSlice) -> cst.Subscript:
    before: list[cst.BaseSlice] = [cst.Index(cst.Ellipsis())] if axis < 0 else [cst.Slice(None, None)] * axis
    return cst.Subscript(x, [cst.SubscriptElement(part) for part in (*before, place)])


def through(
    of: Expressions, views: Views, variable: str, small: cst.BaseSmallStatement, rest: Sequence[Statement]
) -> list[cst.BaseSmallStatement]:
    """Assign the new value, after a write in place, to the variables of the same memory that are used later.

    Parameters
    ----------
    of : Expressions
        Of the function.
    views : dict
        Variables that share the memory of another one, and whether they are all of it, in order.
    variable : str
        What was written to.
    small : libcst.BaseSmallStatement
        Where.
    rest : sequence of statements
        What follows.
    """
    if not DIALECTS[of.of].underscored:
        return []
    later = set().union(*map(names_in, rest), set())
    made: list[cst.BaseSmallStatement] = []
    for view, (whole, same_numbers) in views.items():
        other = whole if view == variable else view if whole == variable else ""
        if not other or other not in later:
            continue
        if not same_numbers or not DIALECTS[of.to].traced:
            raise Refusal(f"{variable}: is changed in place, and {other} has the same memory", small)
        made.append(assigned(other, build("tf.reshape({x}, tf.shape({y}))", x=cst.Name(variable), y=cst.Name(other))))
    return made
