"""Brings custom gradients into the forms that are read: a decorated function, a class with its own methods.

A form that is not known here is left as it is, and refused by `everywhere`. What is changed computes the same: the
decorator is called, a method is inherited, a scope has a name, keywords are not read.
"""

from collections.abc import Mapping
from typing import Any, Final

import libcst as cst
from libcst import matchers as m

from porting.translate.names import Names
from porting.translate.read import tf as read_tf
from porting.translate.read.contexts import without_contexts
from porting.translate.read.decorators import without_decorators
from porting.translate.read.inherited import with_inherited
from porting.translate.read.keywords import without_keywords
from porting.translate.read.old_code import without_old_code
from porting.translate.read.signatures import body_of, parameters_of
from porting.translate.read.stars import with_inputs

_UPSTREAM: Final = m.If(
    test=m.Comparison(m.Name("upstream"), [m.ComparisonTarget(m.Is(), m.Name("None"))]), orelse=None
)


def canonical(names: Names, *, by_class: bool) -> None:
    """Put the forms that are read in the place of others, among the definitions of a module.

    Parameters
    ----------
    names : Names
        Changed in place; its `origins` say what was there, its `notes` what is left out.
    by_class : bool
        Whether a custom gradient is a class (PyTorch), and not a decorated function (TensorFlow).
    """
    for title, node in list(names.defined.items()):
        notes: list[str] = []
        made = without_decorators(without_old_code(node), names, notes)
        made = without_keywords(without_contexts(made, names, notes), names, notes)
        made = with_inputs(made, names)
        made = names.with_members(with_inherited(made, names)) if by_class else decorated(title, made, names)
        if made is not node:
            names.origins.setdefault(title, node)
            names.defined[title] = made
        if notes:
            names.notes[title] = notes


def decorated(title: str, node: Any, names: Names) -> Any:
    """Return the decorated function that an assignment to a name, or a function, stands for."""
    if isinstance(node, cst.FunctionDef):
        made = _by_vjp(_in_function(node, names), names)
        return made.visit(_Upstream()) if m.findall(made, m.Param(m.Name("upstream"))) else made
    if m.matches(node, m.SimpleStatementLine([m.Assign(targets=[m.AssignTarget(m.Name(title))], value=m.Call())])):
        call = node.body[0].value
        maker, given = call.func, call.args[0].value if len(call.args) == 1 else None
        if read_tf.makes_gradient(maker, names):
            function = names.defined.get(given.value) if isinstance(given, cst.Name) else given
            one = made_by(maker, function)
            return node if one is None else one.with_changes(name=cst.Name(title), leading_lines=node.leading_lines)
    return node


def made_by(maker: cst.BaseExpression, function: Any) -> cst.FunctionDef | None:
    """Return a function, or a lambda as one, under the decorator that makes a gradient of it; None if it is neither."""
    decorators = [cst.Decorator(maker)]
    if isinstance(function, cst.Lambda):
        lines = cst.IndentedBlock([cst.SimpleStatementLine([cst.Return(function.body)])])
        return cst.FunctionDef(cst.Name("function"), function.params, lines, decorators)
    if isinstance(function, cst.FunctionDef) and not function.decorators:
        return function.with_changes(decorators=decorators)
    return None


def _in_function(node: cst.FunctionDef, names: Names) -> cst.FunctionDef:
    """Return a function whose own functions carry their decorators."""
    before = body_of(node, doc=True)
    body: list[Any] = list(before)
    local = {s.name.value: s for s in body if isinstance(s, cst.FunctionDef) and not s.decorators}
    if any(read_tf.makes_gradient(call.func, names) for call in m.findall(node, m.Call())):  # type: ignore[attr-defined]  # a call has one
        called = _Called(set(local), names)
        body = [s.visit(called) for s in body]
        body = [_carrying(s, called.makers) for s in body]
    gradients = any(isinstance(s, cst.FunctionDef) and read_tf.is_gradient(s, names) for s in body)
    changed = len(before) != len(body) or any(a is not b for a, b in zip(before, body, strict=True))
    return node.with_changes(body=cst.IndentedBlock(body)) if gradients and changed else node


def _carrying(statement: Any, makers: Mapping[str, cst.BaseExpression]) -> Any:
    """Return a function with the decorator that makes a gradient of it."""
    if not isinstance(statement, cst.FunctionDef) or statement.name.value not in makers:
        return statement
    return statement.with_changes(decorators=[cst.Decorator(makers[statement.name.value])])


class _Called(cst.CSTTransformer):
    """Replaces ``tf.custom_gradient(f)`` by f, for functions of the same body, and remembers what makes them."""

    def __init__(self, local: set[str], names: Names) -> None:
        self.makers: dict[str, cst.BaseExpression] = {}
        self._local = local
        self._names = names

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:
        given = updated_node.args[0].value if len(updated_node.args) == 1 else None
        makes = read_tf.makes_gradient(original_node.func, self._names)
        if not makes or not isinstance(given, cst.Name) or given.value not in self._local:
            return updated_node
        self.makers[given.value] = original_node.func
        return given


class _Upstream(cst.CSTTransformer):
    """Reads ``grad(*args, upstream=None)`` of Keras, which takes the cotangent either way, as ``grad(upstream)``."""

    def leave_FunctionDef(self, original_node: cst.FunctionDef, updated_node: cst.FunctionDef) -> cst.FunctionDef:  # noqa: ARG002
        given = updated_node.params
        names = [p.name.value for p in given.kwonly_params]
        body = body_of(updated_node)
        if names != ["upstream"] or given.params or not isinstance(given.star_arg, cst.Param):
            return updated_node
        rest = [s for s in body if not m.matches(s, _UPSTREAM)]
        if len(rest) == len(body):
            return updated_node
        alone = cst.Parameters([cst.Param(cst.Name("upstream"))])
        return updated_node.with_changes(params=alone, body=cst.IndentedBlock(rest))


def _by_vjp(node: cst.FunctionDef, names: Names) -> cst.FunctionDef:
    """Return a function whose gradient is given as ``vjp_fwd`` and ``vjp_bwd``, with both in it."""
    if len(node.decorators) != 1 or not isinstance(call := node.decorators[0].decorator, cst.Call):
        return node
    given: Mapping[str, Any] = {a.keyword.value: a.value for a in call.args if a.keyword}
    if not {"vjp_fwd", "vjp_bwd"} <= {*given} <= {"vjp_fwd", "vjp_bwd", "jvp_fn"}:
        return node
    if "tf" not in names.imported or not all(isinstance(given[key], cst.Name) for key in ("vjp_fwd", "vjp_bwd")):
        return node
    inputs = ", ".join(p.name.value for p in parameters_of(node))
    lines = [
        f"y, aux = {given['vjp_fwd'].value}({inputs})",
        f"def grad(dy):\n    return {given['vjp_bwd'].value}(aux, dy)",
        "return y, grad",
    ]
    body = cst.IndentedBlock([cst.parse_statement(line) for line in lines])
    decorator = cst.Decorator(cst.parse_expression("tf.custom_gradient"))
    return node.with_changes(decorators=[decorator], body=body)
