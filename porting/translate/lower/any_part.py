"""Writes to any part of a tensor that can be read: steps, an axis by numbers, a mask whose elements are counted."""

from collections.abc import Sequence
from typing import Any, Final

import libcst as cst

from porting.translate.abstract_value import TENSOR, Abstract, Sort
from porting.translate.code import Expression, build, is_none, renamed, source
from porting.translate.dialects import DIALECTS
from porting.translate.lower.expression import Expressions
from porting.translate.lower.views import base_of
from porting.translate.refusal import Refusal

_PLACES: Final = "__places__"
_TF_PLACES: Final = '''
def _places_of(x):
    """Return the place of each element of x among all, in the shape of x."""
    return tf.reshape(tf.range(tf.size(x)), tf.shape(x))
'''
_TF_PUT: Final = '''
def _put(x, places, value):
    """Return x with a value at the elements of these places among all."""
    value = tf.broadcast_to(tf.cast(value, x.dtype), tf.shape(places))
    places, value = tf.reshape(places, [-1, 1]), tf.reshape(value, [-1])
    return tf.reshape(tf.tensor_scatter_nd_update(tf.reshape(x, [-1]), places, value), tf.shape(x))
'''


def with_part_of_view(
    of: Expressions, target: cst.Subscript, value: Expression, operator: Any
) -> tuple[str, Expression] | None:
    """Return x and its new value for ``x.permute(1, 0)[at] = value``; nothing if it is not seen what x is."""
    found = base_of(of, target.value, cst.Name(_PLACES)) if DIALECTS[of.to].traced else None
    if found is None:
        return None
    x, places = found
    return x.value, _put(of, target, x, places, value, operator)


def with_part(of: Expressions, target: cst.Subscript, value: Expression, operator: Any) -> Expression:
    """Return the new value of x for ``x[at] = value``, where `at` takes a part that is read in the same way.

    Parameters
    ----------
    of : Expressions
        Translates what is in it.
    target : libcst.Subscript
        ``x[at]``.
    value : expression
        What is written there, in the source's words.
    operator : class of libcst or None
        ``libcst.Add`` for ``x[at] += value``.

    Raises
    ------
    Refusal
        If it is not seen which part is meant.
    """
    return _put(of, target, cst.ensure_type(target.value, cst.Name), cst.Name(_PLACES), value, operator)


def _put(
    of: Expressions, target: cst.Subscript, x: cst.Name, places: Expression, value: Expression, operator: Any
) -> Expression:
    if not all(_seen(of, element.slice) for element in target.slice):
        raise Refusal(f"{source(target)[:40]} = ...: a rule for masks, ranges and whole numbers alone", target)
    with of.within({_PLACES: TENSOR}):
        part = of(target.with_changes(value=places))
    of.helper("_places_of", _TF_PLACES)
    of.helper("_put", _TF_PUT)
    at = renamed(part, {_PLACES: build("_places_of({x})", x=x)})
    new = of(value if operator is None else cst.BinaryOperation(target, operator(), value))
    return build("_put({x}, {at}, {new})", x=x, at=at, new=new)


def _seen(of: Expressions, part: cst.BaseSlice) -> bool:
    """Whether a subscript is a range, a whole number, ``...``, or a tensor of which it is known what it holds."""
    if isinstance(part, cst.Slice):
        return True
    value = cst.ensure_type(part, cst.Index).value
    if isinstance(value, cst.Ellipsis) or is_none(value):
        return True
    kind = of.typed(value)[1]
    return kind.number in _known_numbers(kind)


def _known_numbers(kind: Abstract) -> Sequence[str]:
    return {Sort.TENSOR: ("int", "bool"), Sort.STATIC: ("int",), Sort.ARRAY: ("",)}.get(kind.sort, ())
