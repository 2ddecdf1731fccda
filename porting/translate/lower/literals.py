"""Translates names and literals: numbers, texts, tuples, lists, sets and dictionaries."""

import builtins
from collections.abc import Mapping
from typing import Any, Final

import libcst as cst

from porting.translate.abstract_value import STATIC, WHOLE, Abstract, Sort
from porting.translate.lower.attributes import beside, by_path
from porting.translate.lower.subscripts import element_of
from porting.translate.lower.translating import Translating, Typed
from porting.translate.refusal import Refusal

KINDS: Final[Mapping[type[cst.CSTNode], Abstract]] = {
    cst.Integer: WHOLE,
    cst.Float: Abstract(Sort.STATIC, "float"),
    cst.Imaginary: STATIC,
    cst.Ellipsis: STATIC,
    cst.SimpleString: STATIC,
}


def variable(t: Translating, node: cst.Name) -> Typed:
    """Translate a name: of a variable, an import, something the module defines, or a function of Python."""
    if node.value in t.scope:
        return cst.Name(node.value), t.scope[node.value]
    if node.value in {"True", "False"}:
        return cst.Name(node.value), Abstract(Sort.STATIC, "bool")
    if node.value in t.names.imported:
        return beside(t, node) or by_path(t, t.path(node), node)
    found = t.call_of(t, cst.Call(cst.Name(node.value), [cst.Arg(cst.Ellipsis())]))  # its name alone
    if found is not None:
        return found
    if hasattr(builtins, node.value):
        return cst.Name(node.value), STATIC
    raise Refusal(f"{node.value}: is not defined in this file", node)


def as_is(_: Translating, node: Any) -> Typed:
    """Return a number or a text."""
    made = cst.Ellipsis() if isinstance(node, cst.Ellipsis) else type(node)(node.value)
    return made, KINDS[type(node)]


def texts(t: Translating, node: cst.ConcatenatedString) -> Typed:
    """Translate texts that stand side by side."""
    left, right = t(node.left), t(node.right)
    return cst.ConcatenatedString(left, right), STATIC  # type: ignore[arg-type]  # both are strings


def formatted(t: Translating, node: cst.FormattedString) -> Typed:
    """Translate a formatted text."""
    parts = [
        part.with_changes(expression=t(part.expression).visit(_Quotes(node.quote)))
        if isinstance(part, cst.FormattedStringExpression)
        else part
        for part in node.parts
    ]
    return node.with_changes(parts=parts, lpar=[], rpar=[]), STATIC


def in_tuple(t: Translating, node: cst.Tuple) -> Typed:
    """Translate a tuple."""
    made = [_element(t, element) for element in node.elements]
    pars: Any = {} if node.lpar else {"lpar": [], "rpar": []}
    return cst.Tuple([element for element, _ in made], **pars), Abstract(
        Sort.TUPLE, items=tuple(kind for _, kind in made)
    )


def in_list(t: Translating, node: cst.List) -> Typed:
    """Translate a list."""
    made = [_element(t, element) for element in node.elements]
    return cst.List([element for element, _ in made]), Abstract(Sort.TUPLE, items=tuple(kind for _, kind in made))


def _element(t: Translating, element: cst.BaseElement) -> tuple[cst.BaseElement, Abstract]:
    made, kind = t.typed(element.value)
    if isinstance(element, cst.StarredElement):
        return cst.StarredElement(made), element_of(kind)
    return cst.Element(made), kind


def in_set(t: Translating, node: cst.Set) -> Typed:
    """Translate a set."""
    return cst.Set([_element(t, element)[0] for element in node.elements]), STATIC


def in_dict(t: Translating, node: cst.Dict) -> Typed:
    """Translate a dictionary."""
    elements = [
        cst.DictElement(t(e.key), t(e.value)) if isinstance(e, cst.DictElement) else cst.StarredDictElement(t(e.value))
        for e in node.elements
    ]
    return cst.Dict(elements), STATIC


class _Quotes(cst.CSTTransformer):
    """Writes texts within a formatted text in its other quotes, which Python before 3.12 wants."""

    def __init__(self, outer: str) -> None:
        self._outer = outer

    def leave_SimpleString(self, original_node: Any, updated_node: cst.SimpleString) -> cst.SimpleString:  # noqa: ARG002
        text = updated_node.value
        other = "'" if self._outer == '"' else '"'
        if text[:1] == text[-1:] == self._outer and other not in text:
            return updated_node.with_changes(value=f"{other}{text[1:-1]}{other}")
        return updated_node
