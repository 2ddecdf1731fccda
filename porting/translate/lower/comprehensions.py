"""Translates comprehensions and lambdas: expressions with variables of their own."""

from typing import Any

import libcst as cst

from porting.translate.abstract_value import UNKNOWN, Abstract, Sort
from porting.translate.code import same
from porting.translate.lower.subscripts import element_of
from porting.translate.lower.translating import Translating, Typed
from porting.translate.names import targets_of
from porting.translate.refusal import Refusal


def function(t: Translating, node: cst.Lambda) -> Typed:
    """Translate a lambda."""
    inside = {param.name.value: UNKNOWN for param in node.params.params}
    if node.params.star_kwarg or node.params.kwonly_params:
        raise Refusal("a lambda with keywords", node)
    if isinstance(node.params.star_arg, cst.Param):
        inside[node.params.star_arg.name.value] = Abstract(Sort.TUPLE)
    with t.within(inside):
        body = t(node.body)
    return cst.Lambda(node.params, body), Abstract(Sort.FUNCTION)


def comprehension(t: Translating, node: Any) -> Typed:
    """Translate a comprehension; one that does nothing to each element is what it goes through."""
    inside: dict[str, Abstract] = {}
    changed = _for_in(t, node.for_in, inside)
    with t.within(inside):
        element, kind = t.typed(node.elt)
    whole = changed.iter
    if (
        same(element, changed.target)
        and not changed.ifs
        and not changed.inner_for_in
        and isinstance(whole, cst.Tuple | cst.List)
    ):
        return whole, t.typed(node.for_in.iter)[1]  # what was done to each is nothing here
    return node.with_changes(elt=element, for_in=changed), Abstract(Sort.TUPLE, items=(kind,))


def _for_in(t: Translating, part: cst.CompFor, inside: dict[str, Abstract]) -> cst.CompFor:
    made, kind = t.typed(part.iter)
    inside.update(dict.fromkeys(targets_of(part.target), element_of(kind)))
    with t.within(inside):
        tests = [cst.CompIf(t(test.test)) for test in part.ifs]
        inner = _for_in(t, part.inner_for_in, inside) if part.inner_for_in else None
    return part.with_changes(iter=made, ifs=tests, inner_for_in=inner)
