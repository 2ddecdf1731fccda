"""Reads a class that takes methods from a custom gradient of the module as one that has them all."""

from typing import Any, Final

import libcst as cst
from libcst import matchers as m

from porting.translate.code import source
from porting.translate.names import Names, static
from porting.translate.read import torch as read_torch

_SUPER: Final = m.Call(m.Name("super"))
_OWN_SUPER: Final = m.Call(m.Name("super"), args=[])
_OF_CLASS: Final = m.Decorator(m.Name("staticmethod") | m.Name("classmethod"))  # another one says more of a method


def with_inherited(node: Any, names: Names) -> Any:
    """Return a class that inherits from a custom gradient of the module, with the methods that it takes from it.

    ``super().forward(ctx, x)`` becomes a call of a static method of its own, with what the other class does there.
    """
    base = _base(node, names)
    if base is None:
        return node
    own: Any = node.body.body
    known = {s.name.value for s in own if isinstance(s, cst.FunctionDef)}
    methods = {s.name.value: s for s in base.body.body if isinstance(s, cst.FunctionDef)}
    above = {name: f"_{base.name.value.lower()}_{name}" for name in methods}
    asked = _asked(node) & {*methods}
    copies = [_called(methods[name], above[name], node) for name in sorted(asked)]
    inherited = [method for name, method in methods.items() if name not in known]
    body = [s for s in own if not m.matches(s, m.SimpleStatementLine([m.Pass()]))]
    changed: Any = cst.IndentedBlock(body).visit(_Above(node.name.value, {name: above[name] for name in asked}))
    return node.with_changes(bases=base.bases, body=cst.IndentedBlock([*changed.body, *copies, *inherited]))


def inherits(node: Any, names: Names) -> bool:
    """Whether a class takes methods from a custom gradient of the module, in a way that is read."""
    return _base(node, names) is not None


def _base(node: Any, names: Names) -> cst.ClassDef | None:
    """Return the class of the module that a class inherits from, which is a custom gradient; None if that is not so."""
    if not isinstance(node, cst.ClassDef) or len(node.bases) != 1 or read_torch.is_function(node, names):
        return None
    title = source(node.bases[0].value)
    base = names.defined.get(title)
    if not isinstance(base, cst.ClassDef) or not read_torch.is_function(base, names):
        return None
    called = len(m.findall(node, _SUPER)) == len(m.findall(node, m.Call(m.Attribute(_OWN_SUPER))))
    methods = [s for s in base.body.body if isinstance(s, cst.FunctionDef) and s.name.value in _asked(node)]
    plain = all(m.matches(d, _OF_CLASS) for method in methods for d in method.decorators)
    return base if called and plain and not m.findall(node, m.Attribute(m.Name(title))) else None


def _asked(node: cst.ClassDef) -> set[str]:
    """Return the methods that a class asks of the one above it."""
    found: Any = m.findall(node, m.Attribute(_SUPER))
    return {attribute.attr.value for attribute in found}


def _called(method: cst.FunctionDef, name: str, node: cst.ClassDef) -> cst.FunctionDef:
    """Return a method of another class as a static one of this class, under another name."""
    made: cst.FunctionDef = static(method, node.name.value)
    return made.with_changes(name=cst.Name(name), decorators=[cst.Decorator(cst.Name("staticmethod"))])


class _Above(cst.CSTTransformer):
    """Puts ``Own._base_forward`` in the place of ``super().forward``."""

    def __init__(self, title: str, above: dict[str, str]) -> None:
        self._title = title
        self._above = above

    def leave_Attribute(self, original_node: cst.Attribute, updated_node: cst.Attribute) -> cst.Attribute:
        if not m.matches(original_node.value, _SUPER) or original_node.attr.value not in self._above:
            return updated_node
        return cst.Attribute(cst.Name(self._title), cst.Name(self._above[original_node.attr.value]))
