"""Writes in place: finds the variables that share memory, and gives each of them its new value."""

from collections.abc import Sequence
from typing import Final

import libcst as cst

from porting.translate.analyse.targets import assigned
from porting.translate.code import Expression, build, names_in
from porting.translate.dialects import DIALECTS
from porting.translate.lower.expression import Expressions
from porting.translate.refusal import Refusal

Statement = cst.BaseStatement
Views = dict[str, tuple[str, bool]]


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
