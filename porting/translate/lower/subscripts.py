"""Translates subscripts of tensors, shapes and tuples."""

from dataclasses import replace
from typing import Any

import libcst as cst

from porting.translate.abstract_value import SHAPE, STATIC, TENSOR, UNKNOWN, WHOLE, Abstract, Sort
from porting.translate.code import Expression, build, literal, source
from porting.translate.dialects import DIALECTS
from porting.translate.lower.translating import Translating, Typed
from porting.translate.refusal import Refusal


def subscript(t: Translating, node: cst.Subscript) -> Typed:
    """Translate ``x[at]``."""
    made, kind = t.typed(node.value)
    taken = [_index_of(t, element.slice) for element in node.slice]
    kinds = [k for _, k in taken]
    if kind.sort in {Sort.TENSOR, Sort.UNKNOWN} and any(k.tensor for k in kinds):
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


def _index_of(t: Translating, part: cst.BaseSlice) -> tuple[cst.BaseSlice, Abstract]:
    if isinstance(part, cst.Slice):
        ends = [t(end) if end is not None else None for end in (part.lower, part.upper, part.step)]
        return cst.Slice(*ends), STATIC  # type: ignore[arg-type]  # in this order
    made, kind = t.typed(cst.ensure_type(part, cst.Index).value)
    return cst.Index(made), kind


def _picked(t: Translating, node: cst.Subscript, made: Expression, kind: Abstract, taken: list[Any]) -> Typed:
    (part, what), *others = taken
    if others:
        raise Refusal("an array as one of several subscripts", node)
    if DIALECTS[t.to].traced:
        if what.mask:
            rule = t.rules.functions["torch.masked_select"].rule
            return t.write(rule, {"x": made, "mask": part.value}, {"x": kind}, source(node)[:40])
        return build("tf.gather({x}, {at})", x=made, at=part.value), kind
    return cst.Subscript(made, [cst.SubscriptElement(part)]), kind


def element_of(kind: Abstract) -> Abstract:
    """Return the kind of one element of a value that a loop goes through."""
    if kind.sort is Sort.TUPLE:
        same_ = len(set(kind.items)) == 1
        every = all(item.tensor for item in kind.items)
        return kind.items[0] if same_ else TENSOR if kind.items and every else UNKNOWN
    length = replace(WHOLE, traced=kind.traced)
    return {Sort.SHAPE: length, Sort.STATIC: Abstract(Sort.STATIC, kind.number), Sort.TENSOR: kind}.get(
        kind.sort, UNKNOWN
    )
