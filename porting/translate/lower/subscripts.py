"""Translates subscripts of tensors, shapes and tuples."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import libcst as cst
from libcst import matchers as m

from porting.translate.abstract_value import SHAPE, STATIC, TENSOR, UNKNOWN, WHOLE, Abstract, Sort
from porting.translate.code import Expression, build, literal, source
from porting.translate.dialects import DIALECTS
from porting.translate.lower.translating import Translating, Typed
from porting.translate.refusal import Refusal

_WHOLE_AXIS: Final = m.Slice(lower=None, upper=None, step=None)
_WHOLE_AXES: Final = m.Index(m.Ellipsis())
_LISTED: Final = m.Index(m.List())


def subscript(t: Translating, node: cst.Subscript) -> Typed:
    """Translate ``x[at]``."""
    made, kind = t.typed(node.value)
    kind = kind.of_axes(0)
    taken = [_index_of(t, element.slice) for element in node.slice]
    if kind.sort in {Sort.TENSOR, Sort.UNKNOWN}:
        taken = _without_lists(t, node, taken)
    kinds = [k for _, k in taken]
    if kind.sort in {Sort.TENSOR, Sort.UNKNOWN} and any(map(_several, kinds)):
        return _picked(t, node, made, kind, taken)
    slices = [cst.SubscriptElement(part) for part, _ in taken]
    found = cst.Subscript(made, slices)
    if kind.sort is Sort.SHAPE:
        part = SHAPE if isinstance(node.slice[0].slice, cst.Slice) else WHOLE
        return found, replace(part, traced=kind.traced)
    if kind.sort is Sort.TUPLE:
        place = literal(node.slice[0].slice.value) if isinstance(node.slice[0].slice, cst.Index) else ...
        if not isinstance(place, int) or not -len(kind.items) <= place < len(kind.items):
            return found, element_of(kind)
        if isinstance(made, cst.Tuple) and len(made.elements) == len(kind.items):
            return made.elements[place].value, kind.items[place]
        return found, kind.items[place]
    return found, kind


def _without_lists(t: Translating, node: cst.Subscript, taken: list[Any]) -> list[Any]:
    """Return ``x[..., -1:]`` for ``x[..., [-1]]``; a list of places takes them in this order, beside whole axes."""
    listed = [n for n, (part, _) in enumerate(taken) if m.matches(part, _LISTED)]
    rest = [part for part, _ in taken if not m.matches(part, _LISTED)]
    if not listed or not all(isinstance(part, cst.Slice) or m.matches(part, _WHOLE_AXES) for part in rest):
        return taken
    if len(listed) > 1 and not DIALECTS[t.to].traced:
        return taken
    if len(listed) > 1:
        raise Refusal("several lists as subscripts", node)
    elements = taken[listed[0]][0].value.elements
    places = [literal(element.value) for element in elements]
    if len(places) == 1 and isinstance(places[0], int):
        end = (
            cst.Integer(str(places[0] + 1)) if places[0] >= 0 else build(str(places[0] + 1)) if places[0] < -1 else None
        )
        taken[listed[0]] = cst.Slice(elements[0].value, end), STATIC
    elif DIALECTS[t.to].traced:
        if not all(isinstance(place, int) and place >= 0 for place in places):
            raise Refusal("a list as a subscript, of other places than 0, 1, 2 ...", node)
        taken[listed[0]] = taken[listed[0]][0], Abstract(Sort.ARRAY, "int")
    return taken


def _several(kind: Abstract) -> bool:
    """Whether a subscript takes several elements of an axis by their numbers, or by a mask."""
    return kind.tensor or kind.sort is Sort.ARRAY


def _index_of(t: Translating, part: cst.BaseSlice) -> tuple[cst.BaseSlice, Abstract]:
    if isinstance(part, cst.Slice):
        ends = [t(end) if end is not None else None for end in (part.lower, part.upper, part.step)]
        return cst.Slice(*ends), STATIC  # type: ignore[arg-type]  # in this order
    made, kind = t.typed(cst.ensure_type(part, cst.Index).value)
    return cst.Index(made), kind


def _picked(t: Translating, node: cst.Subscript, made: Expression, kind: Abstract, taken: list[Any]) -> Typed:
    (part, what), *others = taken
    if others:
        return _of_several(t, node, made, kind, taken)
    if DIALECTS[t.to].traced:
        if what.mask:
            rule = t.rules.functions["torch.masked_select"].rule
            return t.write(rule, {"x": made, "mask": part.value}, {"x": kind}, source(node)[:40])
        return build("tf.gather({x}, {at})", x=made, at=part.value), kind
    return cst.Subscript(made, [cst.SubscriptElement(part)]), kind


def _of_several(t: Translating, node: cst.Subscript, made: Expression, kind: Abstract, taken: list[Any]) -> Typed:
    """Translate ``x[:, at]``, with whole axes beside one array, and ``x[rows, cols]``."""
    places = [n for n, (_, what) in enumerate(taken) if _several(what)]
    rest = [part for part, what in taken if not _several(what)]
    alone = len(places) == 1 and all(m.matches(part, _WHOLE_AXIS | _WHOLE_AXES) for part in rest)
    stacked = places_of([(part.value, what) for part, what in taken]) if not rest else None
    if not alone and stacked is None:
        raise Refusal("an array as one of several subscripts", node)
    if not DIALECTS[t.to].traced:
        return cst.Subscript(made, [cst.SubscriptElement(part) for part, _ in taken]), kind
    if stacked is not None:
        return build("tf.gather_nd({x}, {at})", x=made, at=stacked), kind
    (place,) = places
    part, what = taken[place]
    behind = any(m.matches(other, _WHOLE_AXES) for other, _ in taken[:place])
    function = "tf.boolean_mask" if what.mask else "tf.gather"
    axis = place - len(taken) if behind else place
    if what.mask and axis < 0:
        raise Refusal("a mask behind an ellipsis", node)
    return build(f"{function}({{x}}, {{at}}, axis={axis})", x=made, at=part.value), kind


def places_of(taken: Sequence[Typed]) -> Expression | None:
    """Return the places of elements of which each axis has a tensor of numbers; nothing if the axes have others.

    One of whose numbers nothing is known is no mask beside whole ones.
    """
    numbers = {kind.number for _, kind in taken}
    if not all(kind.tensor for _, kind in taken) or "int" not in numbers or not numbers <= {"int", ""}:
        return None
    places = [build("tf.cast({at}, tf.int64)", at=at) for at, _ in taken]
    return build("tf.stack({places}, axis=-1)", places=cst.List([cst.Element(at) for at in places]))


def element_of(kind: Abstract) -> Abstract:
    """Return the kind of one element of a value that a loop goes through."""
    if kind.sort is Sort.TUPLE:
        same_ = len(set(kind.items)) == 1
        every = all(item.tensor for item in kind.items)
        return kind.items[0] if same_ else TENSOR if kind.items and every else UNKNOWN
    length = replace(WHOLE, traced=kind.traced)
    return {Sort.SHAPE: length, Sort.STATIC: Abstract(Sort.STATIC, kind.number), Sort.TENSOR: kind.of_axes(0)}.get(
        kind.sort, UNKNOWN
    )
