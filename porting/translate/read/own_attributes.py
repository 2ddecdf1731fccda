"""Writes ``self.k`` as a variable, and a variable as ``self.k`` again."""

from collections.abc import Collection, Mapping
from typing import Any

import libcst as cst

from porting.translate.code import Expression, name
from porting.translate.layer import OBJECT
from porting.translate.refusal import Refusal


class AsVariables(cst.CSTTransformer):
    """Replaces the attributes of an object by variables.

    Parameters
    ----------
    title : str
        What the object is called.
    instead : mapping of str to libcst.BaseExpression
        What stands for some attributes: a function that an attribute is another name of.
    refused : mapping of str to str
        Attributes that are not translated, and why.

    Raises
    ------
    Refusal
        If the object itself is handed on, or such an attribute is read.
    """

    def __init__(self, title: str, instead: Mapping[str, Expression], refused: Mapping[str, str]) -> None:
        self._title = title
        self._instead = instead
        self._refused = refused

    def visit_Attribute(self, node: cst.Attribute) -> bool:
        return not self._is_own(node)

    def leave_Attribute(self, original_node: cst.Attribute, updated_node: cst.Attribute) -> Expression:
        if not self._is_own(original_node):
            return updated_node
        attribute = original_node.attr.value
        if attribute in self._refused:
            raise Refusal(self._refused[attribute], original_node)
        if attribute in self._instead:
            return self._instead[attribute].deep_clone()
        return cst.Name(f"{OBJECT}{attribute}")

    def visit_Name(self, node: cst.Name) -> None:
        if node.value == self._title:
            raise Refusal(f"does more with {self._title} than to read its attributes", node)

    def _is_own(self, node: cst.Attribute) -> bool:
        return isinstance(node.value, cst.Name) and node.value.value == self._title


class AsAttributes(cst.CSTTransformer):
    """Replaces variables by the attributes of ``self`` that they stand for.

    Parameters
    ----------
    called : mapping of str to str
        What some attributes are called in the translation.
    local : mapping of str to str
        The variables that have the values of some attributes.
    """

    def __init__(self, called: Mapping[str, str], local: Mapping[str, str]) -> None:
        self._called = called
        self._local = local

    def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> Expression:  # noqa: ARG002 - libcst's name
        if not updated_node.value.startswith(OBJECT):
            return updated_node
        attribute = updated_node.value.removeprefix(OBJECT)
        if attribute in self._local:
            return cst.Name(self._local[attribute])
        return name(f"self.{self._called.get(attribute, attribute)}")


def attributes_in(node: Any) -> list[str]:
    """Return the attributes that code reads as variables, in order."""
    found: list[str] = []

    class Visitor(cst.CSTVisitor):
        def visit_Name(self, node: cst.Name) -> None:
            if node.value.startswith(OBJECT):
                found.append(node.value.removeprefix(OBJECT))

    node.visit(Visitor())
    return list(dict.fromkeys(found))


def free(wanted: str, taken: Collection[str]) -> str:
    """Return a name that nothing has."""
    while wanted in taken:
        wanted = f"{wanted}_"
    return wanted
