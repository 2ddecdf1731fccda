"""Reads a gradient that is registered for an operation by its name, ``tf.RegisterGradient``, as a custom gradient.

Where the file says ``with graph.gradient_override_map({"Sign": "Mine"})``, the gradient that is registered as ``Mine``
is that of ``tf.sign``. Only operations of one input and one output, without attributes, are read so.
"""

import re
from collections.abc import Sequence
from typing import Any, Final

import libcst as cst
from libcst import matchers as m

from porting.translate import naming
from porting.translate.analyse.slices import written
from porting.translate.code import names_in, source
from porting.translate.names import Names, dotted
from porting.translate.read.signatures import parameters_of
from porting.translate.refusal import Refusal

_MAKER: Final = "RegisterGradient"
# What computes the operation of each name.
_OPERATIONS: Final = {
    "Abs": "abs", "Ceil": "math.ceil", "Elu": "nn.elu", "Exp": "exp", "Floor": "floor", "Identity": "identity",
    "Log": "math.log", "Log1p": "math.log1p", "Relu": "nn.relu", "Relu6": "nn.relu6", "Rint": "math.rint",
    "Round": "round", "Rsqrt": "math.rsqrt", "Selu": "nn.selu", "Sigmoid": "sigmoid", "Sign": "sign",
    "Softplus": "math.softplus", "Softsign": "nn.softsign", "Sqrt": "sqrt", "Square": "square", "Tanh": "tanh",
}  # fmt: skip
_SUFFIX: Final = re.compile(r"_?grad(ients?)?$", re.IGNORECASE)
_PARAMETERS: Final = 2  # the operation and the cotangent
_OVERRIDES: Final = m.Attribute(attr=m.Name("gradient_override_map"))
_SUBSCRIPT: Final = m.Subscript(slice=[m.SubscriptElement(m.Index(m.Integer("0")))])


def operation(node: cst.FunctionDef, around: cst.CSTNode, module: cst.Module) -> str:
    """Return the name of the only operation that a registered gradient is given to.

    A name that stands there as text is the same in every function, and may be handed on to the one that says
    ``gradient_override_map``. Any other is looked for in what stands around the gradient. What is returned is empty
    where there is no operation, or one that is no function of a single tensor.
    """
    maker = _maker(node)
    given = maker.args if maker else ()
    if len(given) != 1 or not m.findall(module, _OVERRIDES):
        return ""
    if _text(given[0].value):
        maps: Sequence[Any] = m.findall(module, m.Dict())
    else:
        calls: Sequence[Any] = m.findall(around, m.Call(_OVERRIDES, args=[m.Arg(m.Dict())]))
        maps = [call.args[0].value for call in calls]
    elements = [e for each in maps for e in each.elements if isinstance(e, cst.DictElement)]
    found = {_text(e.key) for e in elements if _same(e.value, given[0].value)}
    return next(iter(found)) if len(found) == 1 and found <= _OPERATIONS.keys() else ""


def as_custom_gradient(node: cst.FunctionDef, key: str, names: Names) -> cst.FunctionDef:
    """Return a registered gradient as the custom gradient of its operation.

    Raises
    ------
    Refusal
        If it asks its operation for more than its input and its output.
    """
    given = parameters_of(node)
    if len(given) != _PARAMETERS or node.params.star_kwarg or isinstance(node.params.star_arg, cst.Param):
        raise Refusal("takes more than an operation and a cotangent", node)
    asked, dy = (p.name.value for p in given)
    taken = names_in(node)
    own = [_named(node, f"{asked}.{key}") for key in ("inputs", "outputs")]
    x, y = (title or _free(free, taken) for title, free in zip(own, ("x", "y"), strict=True))
    grad = _free("grad", taken)
    body: Any = node.body.visit(_OfOperation(asked, x, y))
    body = body.with_changes(body=[s for s in body.body if source(s) not in {f"{x} = {x}", f"{y} = {y}"}])
    if asked in names_in(body):
        raise Refusal(f"asks its operation for more than {asked}.inputs[0] and {asked}.outputs[0]", node)
    alias = _alias(node, names)
    gradient = cst.FunctionDef(cst.Name(grad), cst.Parameters([cst.Param(cst.Name(dy))]), body)
    value = f"{alias}.{_OPERATIONS[key]}({x})"
    if y in names_in(body):
        lines = [cst.parse_statement(f"{y} = {value}"), gradient, cst.parse_statement(f"return {y}, {grad}")]
    else:
        lines = [gradient, cst.parse_statement(f"return {value}, {grad}")]
    decorators = [cst.Decorator(cst.parse_expression(f"{alias}.custom_gradient"))]
    parameters = cst.Parameters([cst.Param(cst.Name(x))])
    block = cst.IndentedBlock(lines)
    return cst.FunctionDef(node.name, parameters, block, decorators, leading_lines=node.leading_lines)


def _named(node: cst.FunctionDef, asked: str) -> str:
    """Return the variable that a gradient has for ``op.inputs[0]``, if it is that and nothing else; or nothing."""
    for statement in node.body.body:
        if m.matches(statement, m.SimpleStatementLine([m.Assign([m.AssignTarget(m.Name())], _SUBSCRIPT)])):
            small: Any = cst.ensure_type(statement, cst.SimpleStatementLine).body[0]
            title = str(small.targets[0].target.value)
            if dotted(small.value.value) == asked and sum(title in written(s) for s in node.body.body) == 1:
                return title
    return ""


def registered_again(node: cst.FunctionDef, key: str, title: str, given: Sequence[str]) -> list[Any]:
    """Return the lines that compute an operation with a gradient as it stands: it is registered, and used in a graph.

    Parameters
    ----------
    node : libcst.FunctionDef
        The gradient.
    key : str
        The operation.
    title : str
        What the function of these lines is called; it keeps a graph for other arguments that are plain numbers.
    given : sequence of str
        Its arguments, the input first.
    """
    own = cst.Decorator(cst.ensure_type(_maker(node), cst.Call).with_changes(args=[cst.Arg(cst.Name("registered_as"))]))
    x, *others = given
    before = f"""import uuid

import tensorflow as tf_of_today

key = tuple((type(other), other) for other in [{", ".join(others)}] if isinstance(other, (int, float, str)))
graphs = {title}.__dict__.setdefault("graphs", {{}})
if len(key) == {len(others)} and key in graphs:
    return graphs[key]({x})
registered_as = str(uuid.uuid4())
"""
    after = f"""@tf_of_today.function(autograph=False)
def in_a_graph(x):
    with tf_of_today.compat.v1.get_default_graph().gradient_override_map({{"{key}": registered_as}}):
        return tf_of_today.{_OPERATIONS[key]}(x)


graphs[key] = in_a_graph
return in_a_graph({x})
"""
    gradient = node.with_changes(decorators=[own], leading_lines=[])
    return [*cst.parse_module(before).body, gradient, *cst.parse_module(after).body]


def titles_of(node: Any, key: str) -> list[str]:
    """Return what the gradient of an operation may be called, the best first: ``_GuidedReluGrad`` is guided_relu."""
    own = naming.called(_SUFFIX.sub("", node.name.value.strip("_")) or key)
    other = f"{own}_{key.lower()}"
    return [naming.free(own), other, f"{other}_"]


def told(key: str) -> str:
    """Return what a reader of the translation should know."""
    return f"the source registers this gradient for {key}: this is tf.{_OPERATIONS[key]} with it"


class _OfOperation(cst.CSTTransformer):
    """Writes x for ``op.inputs[0]``, and y for ``op.outputs[0]``."""

    def __init__(self, asked: str, x: str, y: str) -> None:
        self._names = {f"{asked}.inputs": x, f"{asked}.outputs": y}

    def leave_Subscript(self, original_node: cst.Subscript, updated_node: cst.Subscript) -> cst.BaseExpression:
        title = self._names.get(dotted(original_node.value)) if m.matches(original_node, _SUBSCRIPT) else None
        return cst.Name(title) if title else updated_node


def _maker(node: cst.FunctionDef) -> cst.Call | None:
    """Return the call, as a decorator, that registers a function as a gradient."""
    calls = [d.decorator for d in node.decorators if isinstance(d.decorator, cst.Call)]
    return next((call for call in calls if dotted(call.func).rpartition(".")[2] == _MAKER), None)


def _same(one: cst.BaseExpression, other: cst.BaseExpression) -> bool:
    return source(one) == source(other) or (bool(_text(one)) and _text(one) == _text(other))


def _text(node: cst.BaseExpression) -> str:
    return str(node.evaluated_value) if isinstance(node, cst.SimpleString) else ""


def _free(title: str, taken: set[str]) -> str:
    while title in taken:
        title += "_"
    return title


def _alias(node: cst.FunctionDef, names: Names) -> str:
    """Return what the module calls the package that registers a gradient."""
    first = dotted(cst.ensure_type(_maker(node), cst.Call).func).partition(".")[0]
    package = names.imported.get(first, first).partition(".")[0]
    whole = (n for n, path in names.imported.items() if path == package or path.startswith(f"{package}.compat."))
    alias = next((n for n in whole if "." not in n), "")
    if not alias:
        raise Refusal(f"is in a file that does not import {package} by a name", node)
    return alias
