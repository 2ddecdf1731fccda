"""Writes a layer of Keras."""

from typing import Any, Final

import libcst as cst

from porting.translate.abstract_value import STATIC, UNKNOWN, Abstract, Sort
from porting.translate.code import Expression, build, docstring, name, names_in, source
from porting.translate.layer import OBJECT, Initial, Layer, Weight
from porting.translate.lower.expression import Expressions, Typed
from porting.translate.lower.statements import function
from porting.translate.read.own_attributes import AsAttributes, attributes_in, free
from porting.translate.read.signatures import parameters_of
from porting.translate.refusal import Refusal
from porting.translate.write.written_layer import NOTE, apart, method, statement, with_object

_OF_KERAS: Final = {  # what a layer has already, and may not be set
    "activity_regularizer", "autocast", "built", "call", "build", "compute_dtype", "dtype", "dtype_policy", "input",
    "input_dtype", "input_spec", "losses", "metrics", "metrics_variables", "name", "non_trainable_variables",
    "non_trainable_weights", "output", "path", "quantization_mode", "supports_masking", "trainable",
    "trainable_variables", "trainable_weights", "updates", "variable_dtype", "variables", "weights",
}  # fmt: skip
_MATRIX: Final = 2  # axes
_FAN: Final = {"in": "fan_out", "out": "fan_in", "avg": "fan_avg"}  # Keras takes a matrix for inputs by outputs
_NORMAL: Final = {"normal": "untruncated_normal", "uniform": "uniform"}

_COPY: Final = '''
def copy_weights(self, module):
    """Take the weights of the module of PyTorch that this is the translation of."""
    for name in {names}:
        getattr(self, name).assign(getattr(module, name).detach().cpu().numpy())
'''
_COPY_OPTIONAL: Final = '''
def copy_weights(self, module):
    """Take the weights of the module of PyTorch that this is the translation of."""
    for name in {names}:
        if getattr(module, name) is not None:
            getattr(self, name).assign(getattr(module, name).detach().cpu().numpy())
'''


def write(layer: Layer, expressions: Expressions) -> cst.ClassDef:
    """Write one layer.

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
        self.called = {a: f"{a}_" for a in layer.read & _OF_KERAS}
        before = expressions.call_of
        expressions.call_of = lambda t, node: self._weight(node) or before(t, node)

    def write(self) -> cst.ClassDef:
        """Return the class."""
        layer = self.layer
        doc = [statement(docstring(layer.doc))] if layer.doc else []
        init = self._init()
        body: list[Any] = [init] if init is not None else []
        body += [self._method(title, node) for title, node in layer.methods.items()]
        body += self._copying()
        for title in layer.weights:
            if title in self.called:
                raise Refusal(f"self.{title}: Keras has a {title} of its own")
        if layer.weights:
            self.of.note(NOTE)
        return cst.ClassDef(
            cst.Name(layer.name),
            cst.IndentedBlock([*doc, *(apart(part) if k or doc else part for k, part in enumerate(body))]),
            [cst.Arg(name("tf.keras.layers.Layer"))],
            leading_lines=layer.comments,
        )

    def _init(self) -> Any:
        layer = self.layer
        if not layer.body and not parameters_of(method("__init__", layer.parameters, [])):
            return None
        node = method("__init__", layer.parameters, layer.body)
        known: dict[str, Abstract] = {}
        made, _ = function(node, self.of, given=[STATIC] * len(layer.parameters.params), keep=known)
        self.of.scope.update({n: kind for n, kind in known.items() if n.startswith(OBJECT)})
        made = self._with_object(made, {})
        star = layer.parameters.star_kwarg
        rest = star or cst.Param(cst.Name("kwargs"), star="**")
        params: Any = made.params.with_changes(star_kwarg=rest)
        first = statement(f"super().__init__(**{rest.name.value})")
        lines: list[Any] = [s for s in made.body.body if source(s) != "pass"]
        return made.with_changes(params=params, body=cst.IndentedBlock([first, *lines]))

    def _method(self, title: str, node: cst.FunctionDef) -> Any:
        """Return a method; a weight of Keras becomes a tensor in it, which is what a custom gradient takes."""
        layer, weights = self.layer, self.layer.weights
        self.of.scope.update({f"{OBJECT}{w}": Abstract(Sort.TENSOR, "float", f"{OBJECT}{w}") for w in weights})
        tensors = [Abstract(Sort.TENSOR, "float", p.name.value) for p in node.params.params if p.default is None]
        made, kind = function(node, self.of, given=tensors if title == layer.call else ())
        self.of.scope[f"{OBJECT}{title}"] = Abstract(Sort.FUNCTION, items=(kind if kind.tensor else UNKNOWN,))
        taken = names_in(made) | {p.name.value for p in parameters_of(made)} | {*self.of.names.defined}
        local = {w: free(w, taken) for w in attributes_in(made.body) if w in weights}
        head = [cst.parse_statement(f"{variable} = {self._as_tensor(weight)}") for weight, variable in local.items()]
        made = self._with_object(made, local)
        block: Any = made.body
        doc = block.body[:1] if made.get_docstring() is not None else []
        made = made.with_changes(body=cst.IndentedBlock([*doc, *head, *block.body[len(doc) :]]))
        return made.with_changes(name=cst.Name("call" if title == layer.call else self._title(title)))

    def _as_tensor(self, weight: str) -> str:
        converted = f"tf.convert_to_tensor(self.{weight})"
        return f"None if self.{weight} is None else {converted}" if weight in self.layer.optional else converted

    def _title(self, attribute: str) -> str:
        return self.called.get(attribute, attribute)

    def _with_object(self, node: cst.FunctionDef, local: dict[str, str]) -> Any:
        return with_object(node.visit(AsAttributes(self.called, local)))

    # --- weights ---

    def _weight(self, node: cst.Call) -> Typed | None:
        """Return what makes a weight, or changes it."""
        key = node.func.value if isinstance(node.func, cst.Name) else ""
        if weight := self.layer.made.get(key):
            return self._made(weight), Abstract(Sort.TENSOR, "float")
        if weight := self.layer.changed.get(key):
            begins = build(f"{{i}}(self.{weight.name}.shape, self.{weight.name}.dtype)", i=self._object(weight))
            return build(f"self.{weight.name}.assign({{v}})", v=begins), STATIC
        return None

    def _made(self, weight: Weight) -> Expression:
        text = 'self.add_weight(name="{0}", shape={{shape}}, initializer={{initial}}{1})'
        call = text.format(weight.name, "" if weight.trainable is None else ", trainable={trainable}")
        given = {} if weight.trainable is None else {"trainable": self.of(weight.trainable)}
        if weight.initial.kind == "value":
            value = self.of(weight.initial.given[0])
            initial = build("lambda shape, dtype: tf.cast({value}, dtype)", value=value)
            return build(call, shape=build("{value}.shape", value=value), initial=initial, **given)
        assert weight.shape is not None  # noqa: S101 - for mypy: only a value has none
        return build(call, shape=self.of(weight.shape), initial=self._initializer(weight), **given)

    def _initializer(self, weight: Weight) -> Expression:
        if weight.initial.kind in {"zeros", "ones"}:
            return cst.SimpleString(f'"{weight.initial.kind}"')
        return self._object(weight)

    def _object(self, weight: Weight) -> Expression:
        """Return an initializer as an object."""
        initial = weight.initial
        given = [self.of(value) for value in initial.given]
        if initial.kind == "fans":
            return _of_fans(initial, given[0], weight.shape)
        maker = {
            "zeros": "Zeros", "ones": "Ones", "constant": "Constant", "normal": "RandomNormal",
            "uniform": "RandomUniform", "orthogonal": "Orthogonal", "identity": "Identity",
        }[initial.kind]  # fmt: skip
        return cst.Call(name(f"tf.keras.initializers.{maker}"), [cst.Arg(value) for value in given])

    def _copying(self) -> list[Any]:
        weights = self.layer.weights
        if not weights:
            return []
        names = ", ".join(f'"{weight}"' for weight in weights) + "," * (len(weights) == 1)
        text = (_COPY_OPTIONAL if self.layer.optional else _COPY).format(names=f"({names})")
        return [cst.parse_statement(text.strip("\n"))]


def _of_fans(initial: Initial, gain: Expression, shape: Expression | None) -> Expression:
    """Return an initializer whose variance is the square of the gain by the mean of lengths of a matrix."""
    if not isinstance(shape, cst.Tuple) or len(shape.elements) != _MATRIX:
        raise Refusal("an initialisation by the lengths of what is no matrix here")
    scale = build("{gain} ** 2", gain=gain) if source(gain) != "1" else cst.Float("1.0")
    if isinstance(gain, cst.BinaryOperation) and isinstance(gain.operator, cst.Power) and source(gain.right) == "0.5":
        scale = gain.left
    fan, distribution = _FAN[initial.fan], _NORMAL[initial.distribution]
    return build(f'tf.keras.initializers.VarianceScaling({{scale}}, "{fan}", "{distribution}")', scale=scale)
