"""Leaves ``**kwargs`` out of the signature of a gradient, and of the function around it, if nothing reads it."""

from collections.abc import Iterable
from typing import Any

import libcst as cst
from libcst import matchers as m

from porting.translate.code import names_in
from porting.translate.names import Names
from porting.translate.read import tf as read_tf
from porting.translate.read import torch as read_torch
from porting.translate.read.signatures import body_of, parameters_of

_METHODS = {"forward", "backward"}


def without_keywords(node: Any, names: Names, notes: list[str]) -> Any:
    """Return a definition of a module without ``**kwargs`` that nothing reads; add to `notes` what is left out."""
    changing = _Without(names, notes)
    return node.visit(changing) if isinstance(node, cst.FunctionDef | cst.ClassDef) else node


def _last_bare(params: cst.Parameters) -> cst.Parameters:
    """Return parameters without a comma behind the last one."""
    last = "kwonly_params" if params.kwonly_params else "params"
    given = getattr(params, last)
    if not given:
        return params
    return params.with_changes(**{last: [*given[:-1], given[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)]})


class _Without(cst.CSTTransformer):
    def __init__(self, names: Names, notes: list[str]) -> None:
        self._names = names
        self._notes = notes
        self._around: list[cst.CSTNode] = []

    def visit_ClassDef(self, node: cst.ClassDef) -> None:
        self._around.append(node)

    def visit_FunctionDef(self, node: cst.FunctionDef) -> None:
        self._around.append(node)

    def leave_ClassDef(self, original_node: cst.ClassDef, updated_node: cst.ClassDef) -> cst.ClassDef:  # noqa: ARG002 - libcst's name
        self._around.pop()
        return updated_node

    def leave_FunctionDef(self, original_node: cst.FunctionDef, updated_node: cst.FunctionDef) -> cst.FunctionDef:
        self._around.pop()
        rest = updated_node.params.star_kwarg
        if rest is None or not self._is_of_gradient(original_node):
            return updated_node
        title, own = rest.name.value, original_node.name.value
        read = any(title in names_in(line) for line in body_of(updated_node))
        around = [*self._around[:1], *self._names.defined.values()]
        if read or self._is_given_more(own, {p.name.value for p in parameters_of(updated_node)}, around):
            return updated_node
        self._notes.append(f"`**{title}` of `{own}` is left out: nothing reads it")
        return updated_node.with_changes(params=_last_bare(updated_node.params.with_changes(star_kwarg=None)))

    def _is_of_gradient(self, node: cst.FunctionDef) -> bool:
        """Whether a function is a part of a gradient, or stands around one."""
        inner = self._around[-1] if self._around else None
        if isinstance(inner, cst.ClassDef):
            return node.name.value in _METHODS and read_torch.is_function(inner, self._names)
        applied = m.findall(node, m.Call(m.Attribute(attr=m.Name("apply"))))
        return read_tf.is_unit(node, self._names) or (bool(applied) and inner is None)

    @staticmethod
    def _is_given_more(title: str, known: set[str], around: Iterable[cst.CSTNode]) -> bool:
        """Whether a call gives a function keywords that it does not name."""
        calls: list[Any] = [call for node in around for call in m.findall(node, m.Call(m.Name(title)))]
        arguments = [argument for call in calls for argument in call.args]
        return any(a.star == "**" or (a.keyword and a.keyword.value not in known) for a in arguments)
