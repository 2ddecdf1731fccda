"""Functions that write their result into a tensor: ``torch.add(x, y, out=z)``."""

from typing import Any, Final

import libcst as cst
from libcst import matchers as m

from porting.translate.abstract_value import Abstract, Sort
from porting.translate.code import Expression, build, names_in, same, source
from porting.translate.dialects import DIALECTS
from porting.translate.lower.expression import Expressions
from porting.translate.refusal import Refusal

_WHOLE_AXIS: Final = m.SubscriptElement(m.Slice(lower=None, upper=None, step=None))


def place_of(call: Expression) -> cst.Name | cst.Subscript | None:
    """Return what a function writes its result into: a variable or a part of it; nothing for anything else."""
    given = next((a.value for a in call.args if _is_out(a)), None) if isinstance(call, cst.Call) else None
    match given:
        case cst.Subscript(value=cst.Name() as whole) if all(m.matches(part, _WHOLE_AXIS) for part in given.slice):
            return whole
        case cst.Subscript():
            return given
        case cst.Name(value=title) if title != "None":
            return given
    return None


def without_place(call: cst.Call) -> cst.Call:
    """Return the call of a function that only returns its result.

    Raises
    ------
    Refusal
        If a function within writes into something that is read afterwards.
    """
    (out,) = [a.value for a in call.args if _is_out(a)]
    rest = [a for a in call.args if not _is_out(a)]
    made: list[cst.Arg] = []
    for n, argument in enumerate(rest):
        inner: Any = argument.value
        if (place := place_of(inner)) is not None:
            read_after = set().union(*(names_in(a.value) for a in rest[n + 1 :]), set())
            if not same(place, out) or names_in(place) & read_after:
                raise Refusal(f"{source(inner)[:60]}: writes to what is read in the same line", inner)
            inner = without_place(inner)
        made.append(argument.with_changes(value=inner))
    return call.with_changes(args=made)


def in_type_of(of: Expressions, x: cst.Name, call: cst.Call) -> tuple[Expression, Abstract]:
    """Return the result of a function as what is written into x: in the type of x.

    Raises
    ------
    Refusal
        If x is not known to be a tensor.
    """
    kind = of.scope.get(x.value, Abstract())
    if kind.sort is not Sort.TENSOR:
        raise Refusal(f"out={x.value}: is no tensor that is known here", call)
    made, result = of.typed(call)
    if result.number == kind.number and result.like == kind.like and kind.number in {"int", "bool", "float"}:
        return made, kind
    text = "tf.cast({y}, {x}.dtype)" if DIALECTS[of.to].traced else "np.asarray({y}, {x}.dtype)"
    return build(text, y=made, x=x), kind


def _is_out(argument: cst.Arg) -> bool:
    return argument.keyword is not None and argument.keyword.value == "out"
