"""Turns a write to a part of a tensor into a new value: TensorFlow has no writes in place."""

from collections.abc import Sequence
from typing import Any, Final

import libcst as cst
from libcst import matchers as m

from porting.translate.abstract_value import UNKNOWN, Abstract, Sort
from porting.translate.analyse.elementwise import without_mask
from porting.translate.code import Expression, build, literal, names_in, source
from porting.translate.dialects import DIALECTS
from porting.translate.lower.any_part import with_part
from porting.translate.lower.expression import Expressions, Typed
from porting.translate.lower.subscripts import places_of
from porting.translate.refusal import Refusal

Ends = tuple[Expression | None, Expression | None]
_ALL = m.Slice(lower=None, upper=None, step=None)


def written(of: Expressions, target: cst.Subscript, value: Expression, operator: Any) -> Expression:
    """Return the new value of x for ``x[at] = value``.

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
        If there is no such function for what `at` is.
    """
    x = cst.ensure_type(target.value, cst.Name)
    kind = of.scope.get(x.value, UNKNOWN)
    said, target = len(target.slice), _without_whole_axes(target)
    first = target.slice[0].slice
    if len(target.slice) == 1 and isinstance(first, cst.Index):
        at, what = of.typed(first.value)
        if what.mask and said == 1 and (new := _chosen(of, target, value)) is not None:
            return _where(of, target, at, new, operator)
        if what.mask and not DIALECTS[of.to].traced:
            raise Refusal(f"{source(target)[:40]} = ...: a mask whose elements are counted", target)
        if what.mask:
            return with_part(of, target, value, operator)
        if what.tensor and DIALECTS[of.to].traced:
            return _at_numbers(of, x, kind, at, value, operator)
    if DIALECTS[of.to].traced and len(target.slice) > 1 and (places := _places(of, target)) is not None:
        return _at_elements(of, x, kind, places, value, operator)
    front = [element.slice for element in target.slice[:-1]]
    if not DIALECTS[of.to].traced:
        raise Refusal(f"{source(target)[:40]} = ...: a rule for masks alone", target)
    if (all(m.matches(part, _ALL) for part in front) or _is_rest(front)) and (ends := _ends(of, target)) is not None:
        return _at_places(of, target, kind, ends, value, operator)
    return with_part(of, target, value, operator)


def _without_whole_axes(target: cst.Subscript) -> cst.Subscript:
    """Return ``x[:, k]`` for ``x[:, k, :, :]``: all of the axes behind the place are meant in any case."""
    parts = [element.with_changes(comma=cst.MaybeSentinel.DEFAULT) for element in target.slice]
    while len(parts) > 1 and m.matches(parts[-1].slice, _ALL) and not _is_rest([parts[0].slice]):
        parts.pop()
    return target.with_changes(slice=parts)


def _is_rest(front: Sequence[cst.BaseSlice]) -> bool:
    """Whether the axes before the last place are ``...``."""
    return len(front) == 1 and m.matches(front[0], m.Index(m.Ellipsis()))


def _where(of: Expressions, target: cst.Subscript, at: Expression, chosen: Typed, operator: Any) -> Expression:
    x = cst.ensure_type(target.value, cst.Name)
    kind = of.scope.get(x.value, UNKNOWN)
    new, of_new = chosen
    if operator is not None:
        new, of_new = cst.BinaryOperation(x, operator(), new), kind
    if of_new.sort is Sort.STATIC and DIALECTS[of.to].traced:
        new = of.filled_like(x, kind, new)
    function = DIALECTS[of.to].alias
    return build(function + ".where({at}, {new}, {x})", at=_over(of, at, x), new=new, x=x)


_OVER: Final = '''
def _over(mask, x):
    """A mask of the first axes of x, with as many axes as x has."""
    more = tf.ones([tf.rank(x) - tf.rank(mask)], tf.int32)
    return tf.reshape(mask, tf.concat([tf.shape(mask), more], 0))
'''


def _over(of: Expressions, at: Expression, x: cst.Name) -> Expression:
    """Return a mask for x, whose axes are the first ones of x in PyTorch, and the last ones in a choice."""
    asked = any(topic.startswith("broadcast") for topic in of.general)
    if not DIALECTS[of.to].traced or not asked or names_in(at) & set(of.scope) == {x.value}:
        return at
    of.helper("_over", _OVER)
    return build("_over({at}, {x})", at=at, x=x)


def _chosen(of: Expressions, target: cst.Subscript, value: Expression) -> Typed | None:
    """Return what is written where a mask is: ``y[mask] * 2`` is ``y * 2`` there.

    Nothing for a tensor of a number of no axes, or of as many as the mask has: which of both is not known here.
    """
    mask = cst.ensure_type(target.slice[0].slice, cst.Index).value

    if (whole := without_mask(value, mask)) is not None:
        return of.typed(whole)
    made, kind = of.typed(value)
    return (made, kind) if kind.sort is Sort.STATIC else None


def _at_numbers(
    of: Expressions, x: cst.Name, kind: Abstract, at: Expression, value: Expression, operator: Any
) -> Expression:
    """Write rows by their numbers."""
    old = build("tf.gather({x}, {at})", x=x, at=at)
    new = _filled(of, old, kind, value, operator)
    return build("tf.tensor_scatter_nd_update({x}, {at}[:, None], {new})", x=x, at=at, new=new)


def _places(of: Expressions, target: cst.Subscript) -> Expression | None:
    """Return the places of elements that have a tensor of numbers for each axis; nothing if the axes have others."""
    parts = [element.slice.value for element in target.slice if isinstance(element.slice, cst.Index)]
    return places_of([of.typed(part) for part in parts]) if len(parts) == len(target.slice) else None


def _at_elements(
    of: Expressions, x: cst.Name, kind: Abstract, places: Expression, value: Expression, operator: Any
) -> Expression:
    """Write elements, of which each has a number for each axis."""
    new = _filled(of, build("tf.gather_nd({x}, {at})", x=x, at=places), kind, value, operator)
    return build("tf.tensor_scatter_nd_update({x}, {at}, {new})", x=x, at=places, new=new)


def _at_places(
    of: Expressions, target: cst.Subscript, kind: Abstract, ends: Ends, value: Expression, operator: Any
) -> Expression:
    """Write a range, or one place, of an axis: what is before it, the new part, what is behind it."""
    x, part = cst.ensure_type(target.value, cst.Name), target.slice[-1].slice
    front = target.slice[:-1]
    axis = -1 if _is_rest([element.slice for element in front]) else len(front)
    lower, upper = ends

    def piece(start: Expression | None, stop: Expression | None) -> Expression:
        return cst.Subscript(x, [*front, cst.SubscriptElement(cst.Slice(start, stop))])

    old: Expression = piece(lower, upper)
    made, what = of.typed(value)
    if isinstance(part, cst.Index) and operator is None and what.tensor:
        if (kind.number, kind.like) != (what.number, what.like):
            made = build("tf.cast({v}, {x}.dtype)", v=made, x=x)
        new = build(f"tf.expand_dims({{v}}, {axis})", v=made)
    else:
        new = _filled(of, old, kind, value, operator)
    parts = [
        *([piece(None, lower)] if lower is not None else []),
        new,
        *([piece(upper, None)] if upper is not None else []),
    ]
    whole = cst.List([cst.Element(p) for p in parts])
    return build(f"tf.concat({{parts}}, {axis})", parts=whole) if len(parts) > 1 else new


def _ends(of: Expressions, target: cst.Subscript) -> Ends | None:
    """Return where the part of the last axis begins and ends, with nothing for the ends of the axis.

    Nothing at all for another part: one with steps, or of which it is not known where it ends.
    """
    part = target.slice[-1].slice
    if isinstance(part, cst.Slice):
        if part.step is not None:
            return None
        return (of(part.lower) if part.lower is not None else None), (
            of(part.upper) if part.upper is not None else None
        )
    at, kind = of.typed(cst.ensure_type(part, cst.Index).value)
    place = literal(at)
    if place == -1:
        return at, None
    if isinstance(place, int):
        return (cst.Integer(str(place)) if place else None), (
            build(str(place + 1)) if place >= 0 else build(f"({place + 1})")
        )
    return (at, build("{at} + 1", at=at)) if kind.sort is Sort.STATIC else None


def _filled(of: Expressions, old: Expression, kind: Abstract, value: Expression, operator: Any) -> Expression:
    """Return a value in the shape and type of the part it replaces."""
    made, what = of.typed(value)
    if operator is not None:
        left, right = of.meeting(old, kind, made, what, arithmetic=True)
        return cst.BinaryOperation(left, operator(), right)
    number = literal(made)
    if what.sort is Sort.STATIC:
        if isinstance(number, int | float) and number in (0, 1):
            return build("tf.zeros_like({old})" if not number else "tf.ones_like({old})", old=old)
        return build("{made} * tf.ones_like({old})", made=made, old=old)
    return build("tf.broadcast_to({made}, tf.shape({old}))", made=made, old=old)
