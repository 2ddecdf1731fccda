"""Gives ``*args`` of a gradient a name for each input, where it is known what they are."""

from typing import Any, Final

import libcst as cst
from libcst import matchers as m

from porting.translate.code import same
from porting.translate.names import Names, targets_of
from porting.translate.read import tf as read_tf
from porting.translate.read import torch as read_torch
from porting.translate.read.unpacking import told_apart

_UNPACKED: Final = m.Assign(targets=[m.AssignTarget(m.Tuple() | m.List())], value=m.Tuple())


def with_inputs(node: Any, names: Names) -> Any:
    """Return a definition of a module whose gradients take the inputs that `names` knows in the place of ``*args``."""
    given = isinstance(node, cst.FunctionDef | cst.ClassDef) and names.inputs
    return node.visit(_Named(names)) if given else node


class _Named(cst.CSTTransformer):
    def __init__(self, names: Names) -> None:
        self._names = names
        self._classes: list[cst.ClassDef] = []

    def visit_ClassDef(self, node: cst.ClassDef) -> None:
        self._classes.append(node)

    def leave_ClassDef(self, original_node: cst.ClassDef, updated_node: cst.ClassDef) -> cst.ClassDef:  # noqa: ARG002 - libcst's name
        self._classes.pop()
        return updated_node

    def leave_FunctionDef(self, original_node: cst.FunctionDef, updated_node: cst.FunctionDef) -> cst.FunctionDef:
        given = updated_node.params
        own = {p.name.value for p in given.params}
        inputs = [name for name in self._names.inputs if name not in own]
        if not isinstance(given.star_arg, cst.Param) or not self._is_gradient(original_node) or not inputs:
            return updated_node
        several = given.star_arg.name.value
        plain = [p.with_changes(comma=cst.MaybeSentinel.DEFAULT) for p in given.params]
        params = given.with_changes(
            params=[*plain, *(cst.Param(cst.Name(n)) for n in inputs)], star_arg=cst.MaybeSentinel.DEFAULT
        )
        body = told_apart(updated_node.body, several, inputs)
        if any(len(slots) != len(items) for slots, items in map(_parts, m.findall(body, _UNPACKED))):
            return updated_node  # so many are not meant
        body = body.visit(_Unsaid())
        if {*inputs} & _assigned(body):
            return updated_node  # what it reads afterwards is not what came in
        return updated_node.with_changes(params=params, body=body)

    def _is_gradient(self, node: cst.FunctionDef) -> bool:
        if self._classes:
            return node.name.value == "forward" and read_torch.is_function(self._classes[-1], self._names)
        return read_tf.is_gradient(node, self._names)


def _parts(small: Any) -> tuple[Any, Any]:
    return small.targets[0].target.elements, small.value.elements


def _assigned(body: Any) -> set[str]:
    """Return the variables that are assigned, also in functions within."""
    slot = m.AssignTarget() | m.AugAssign() | m.AnnAssign() | m.For() | m.NamedExpr()
    targets: Any = m.findall(body, slot)
    return {name for one in targets for name in targets_of(one.target)}


class _Unsaid(cst.CSTTransformer):
    """Takes out what ``x, w = args`` and ``x = args[0]`` have become: ``x, w = (x, w)``, ``x = x``."""

    def leave_SimpleStatementLine(self, original_node: Any, updated_node: cst.SimpleStatementLine) -> Any:  # noqa: ARG002 - libcst's name
        kept = [small for small in updated_node.body if not self._says_nothing(small)]
        if len(kept) == len(updated_node.body):
            return updated_node
        return updated_node.with_changes(body=kept) if kept else cst.RemoveFromParent()

    @staticmethod
    def _says_nothing(small: cst.BaseSmallStatement) -> bool:
        if m.matches(small, _UNPACKED):
            return all(same(a.value, b.value) for a, b in zip(*_parts(small), strict=True))
        match small:
            case cst.Assign(targets=[target], value=cst.Name() as value):
                return same(target.target, value)
            case _:
                return False
