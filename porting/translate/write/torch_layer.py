"""Writes a module of PyTorch."""

from typing import Any, Final

import libcst as cst

from porting.translate.abstract_value import STATIC, UNKNOWN, Abstract, Sort
from porting.translate.code import Expression, build, docstring, literal, name, source
from porting.translate.layer import MODE, OBJECT, Layer, Weight
from porting.translate.lower.expression import Expressions, Typed
from porting.translate.lower.statements import function
from porting.translate.read.own_attributes import AsAttributes
from porting.translate.refusal import Refusal
from porting.translate.write.written_layer import NOTE, apart, method, statement, with_object

_OF_MODULE: Final = {  # what a module has already
    "forward", "parameters", "buffers", "children", "modules", "train", "eval", "apply", "float", "double", "half",
    "to", "type", "cpu", "cuda", "state_dict", "zero_grad", "add_module", "compile", "register_buffer",
}  # fmt: skip
_FILLED: Final = {"zeros": "torch.zeros({shape})", "ones": "torch.ones({shape})"}
_SET: Final = {  # of a tensor t
    "zeros": "torch.nn.init.zeros_({t})",
    "ones": "torch.nn.init.ones_({t})",
    "constant": "torch.nn.init.constant_({t}, {a})",
    "normal": "torch.nn.init.normal_({t}, {a}, {b})",
    "uniform": "torch.nn.init.uniform_({t}, {a}, {b})",
    "truncated": "torch.nn.init.trunc_normal_({t}, {a}, {b}, a={a} - 2 * {b}, b={a} + 2 * {b})",
    "orthogonal": "torch.nn.init.orthogonal_({t}, {a})",
    "identity": "torch.nn.init.eye_({t})",
}
_FANS: Final = {
    "avg": "torch.nn.init.xavier_uniform_({t})",
    "out": 'torch.nn.init.kaiming_uniform_({t}, mode="fan_out", nonlinearity="relu")',
}
_MATRIX: Final = 2  # axes
_COPY: Final = '''
def copy_weights(self, layer):
    """Take the weights of the layer of TensorFlow that this is the translation of; it must be built."""
    with torch.no_grad():
        for name in {names}:
            getattr(self, name).copy_(torch.as_tensor(getattr(layer, name).numpy()))
'''
_COPY_OPTIONAL: Final = '''
def copy_weights(self, layer):
    """Take the weights of the layer of TensorFlow that this is the translation of; it must be built."""
    with torch.no_grad():
        for name in {names}:
            if getattr(layer, name) is not None:
                getattr(self, name).copy_(torch.as_tensor(getattr(layer, name).numpy()))
'''


def write(layer: Layer, expressions: Expressions) -> cst.ClassDef:
    """Write one module.

    Parameters
    ----------
    layer : Layer
        What to write.
    expressions : Expressions
        Translates what is in it.

    Raises
    ------
    Refusal
        If something in it has no rule.
    """
    return _Writer(layer, expressions).write()


class _Writer:
    def __init__(self, layer: Layer, expressions: Expressions) -> None:
        self.layer = layer
        self.of = expressions
        self.called = {a: f"{a}_" for a in (layer.read & _OF_MODULE) - {*layer.methods}} | {layer.call: "forward"}
        before = expressions.call_of
        expressions.call_of = lambda t, node: self._weight(node) or before(t, node)

    def write(self) -> cst.ClassDef:
        """Return the class."""
        layer = self.layer
        if renamed := [title for title in layer.weights if title in self.called]:
            raise Refusal(f"self.{renamed[0]}: a module of PyTorch has a {renamed[0]} of its own")
        self.of.scope[f"{OBJECT}{MODE}"] = Abstract(Sort.STATIC, "bool")
        doc = [statement(docstring(layer.doc))] if layer.doc else []
        body = [self._init(), *(self._method(title, node) for title, node in layer.methods.items())]
        if layer.weights:
            names = ", ".join(f'"{weight}"' for weight in layer.weights) + "," * (len(layer.weights) == 1)
            text = _COPY_OPTIONAL if layer.optional else _COPY
            body.append(statement(text.format(names=f"({names})").strip("\n")))
            self.of.note(NOTE)
        return cst.ClassDef(
            cst.Name(layer.name),
            cst.IndentedBlock([*doc, *(apart(part) if k or doc else part for k, part in enumerate(body))]),
            [cst.Arg(name("torch.nn.Module"))],
            leading_lines=layer.comments,
        )

    def _init(self) -> Any:
        layer = self.layer
        node = method("__init__", layer.parameters, layer.body)
        known: dict[str, Abstract] = {}
        made, _ = function(node, self.of, given=[STATIC] * len(layer.parameters.params), keep=known)
        self.of.scope.update({n: kind for n, kind in known.items() if n.startswith(OBJECT)})
        made = with_object(made.visit(AsAttributes(self.called, {})))
        lines = [s for s in made.body.body if source(s) != "pass"]
        return made.with_changes(body=cst.IndentedBlock([statement("super().__init__()"), *lines]))

    def _method(self, title: str, node: cst.FunctionDef) -> Any:
        weights = self.layer.weights
        self.of.scope.update({f"{OBJECT}{w}": Abstract(Sort.TENSOR, "float", f"{OBJECT}{w}") for w in weights})
        tensors = [Abstract(Sort.TENSOR, "float", p.name.value) for p in node.params.params if p.default is None]
        made, kind = function(node, self.of, given=tensors if title == self.layer.call else ())
        self.of.scope[f"{OBJECT}{title}"] = Abstract(Sort.FUNCTION, items=(kind if kind.tensor else UNKNOWN,))
        called = cst.Name(self.called.get(title, title))
        return with_object(made.visit(AsAttributes(self.called, {}))).with_changes(name=called)

    # --- weights ---

    def _weight(self, node: cst.Call) -> Typed | None:
        """Return what makes a weight, or changes it."""
        key = node.func.value if isinstance(node.func, cst.Name) else ""
        if weight := self.layer.made.get(key):
            made = build("torch.nn.Parameter({value})", value=self._value(weight))
            if weight.trainable is not None:
                said = self.of(weight.trainable)
                made = build("torch.nn.Parameter({value}, requires_grad={said})", value=self._value(weight), said=said)
            return made, Abstract(Sort.TENSOR, "float")
        if weight := self.layer.changed.get(key):
            return self._set(name(f"{OBJECT}{weight.name}"), weight), STATIC
        return None

    def _value(self, weight: Weight) -> Expression:
        initial = weight.initial
        if initial.kind == "value":
            value, kind = self.of.typed(initial.given[0])
            return value if kind.tensor else build("torch.tensor({x}, dtype=torch.get_default_dtype())", x=value)
        assert weight.shape is not None  # noqa: S101 - for mypy: only a value has none
        shape = self.of(weight.shape)
        if initial.kind == "constant":
            number = self.of(initial.given[0])
            whole = literal(number)
            exact = cst.Float(f"{float(whole)}") if isinstance(whole, int) else build("float({a})", a=number)
            return build("torch.full({shape}, {a})", shape=shape, a=number if isinstance(whole, float) else exact)
        if initial.kind in _FILLED:
            return build(_FILLED[initial.kind], shape=shape)
        return self._set(build("torch.empty({shape})", shape=shape), weight)

    def _set(self, tensor: Expression, weight: Weight) -> Expression:
        """Return what draws the numbers of a tensor."""
        initial = weight.initial
        given = map(self.of, initial.given)
        if initial.kind != "fans":
            return build(_SET[initial.kind], t=tensor, **dict(zip("ab", given, strict=False)))
        lengths = weight.shape.elements if isinstance(weight.shape, cst.Tuple) else ()
        if len(lengths) == 1:  # a vector: both are its own length
            end = build(f"({'3' if initial.fan == 'avg' else '6'} / {{n}}) ** 0.5", n=self.of(lengths[0].value))
            return build(_SET["uniform"], t=tensor, a=build("-{end}", end=end), b=end)
        if len(lengths) != _MATRIX:
            raise Refusal("an initialisation by the lengths of what is no matrix here")
        return build(_FANS[initial.fan], t=tensor)
