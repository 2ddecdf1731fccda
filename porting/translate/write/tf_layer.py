"""Writes a layer of Keras."""

from typing import Any, Final

import libcst as cst

from porting.translate.code import Expression, build, name, names_in, source
from porting.translate.layer import Initial, Weight
from porting.translate.read.own_attributes import attributes_in, free
from porting.translate.read.signatures import parameters_of
from porting.translate.refusal import Refusal
from porting.translate.write.written_layer import Writer, statement

_OF_KERAS: Final = frozenset({  # what a layer has already, and may not be set
    "activity_regularizer", "autocast", "built", "call", "build", "compute_dtype", "dtype", "dtype_policy", "input",
    "input_dtype", "input_spec", "losses", "metrics", "metrics_variables", "name", "non_trainable_variables",
    "non_trainable_weights", "output", "path", "quantization_mode", "supports_masking", "trainable",
    "trainable_variables", "trainable_weights", "updates", "variable_dtype", "variables", "weights",
})  # fmt: skip
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


class LayerOfKeras(Writer):
    """A layer of Keras: weights that it adds, and a call."""

    base = "tf.keras.layers.Layer"
    call = "call"
    own = _OF_KERAS
    copy = (_COPY, _COPY_OPTIONAL)

    def constructor(self, made: Any, body: list[Any]) -> list[Any]:
        """Return the constructor, which hands on to Keras what it does not know, as the name and the type."""
        given = self.layer.parameters
        if not self.layer.body and not parameters_of(made.with_changes(params=given)):
            return []
        rest = given.star_kwarg or cst.Param(cst.Name("kwargs"), star="**")
        first = statement(f"super().__init__(**{rest.name.value})")
        params = made.params.with_changes(star_kwarg=rest)
        return [made.with_changes(params=params, body=cst.IndentedBlock([first, *body]))]

    def method(self, made: Any) -> Any:
        """Return a method; a weight of Keras becomes a tensor in it, which is what a custom gradient takes."""
        taken = names_in(made) | {p.name.value for p in parameters_of(made)} | {*self.of.names.defined}
        local = {w: free(w, taken) for w in attributes_in(made.body) if w in self.layer.weights}
        head = [statement(f"{variable} = {self._as_tensor(weight)}") for weight, variable in local.items()]
        node = self.with_attributes(made, local)
        doc = node.body.body[:1] if made.get_docstring() is not None else []
        return node.with_changes(body=cst.IndentedBlock([*doc, *head, *node.body.body[len(doc) :]]))

    def _as_tensor(self, weight: str) -> str:
        converted = f"tf.convert_to_tensor(self.{weight})"
        return f"None if self.{weight} is None else {converted}" if weight in self.layer.optional else converted

    def changed(self, weight: Weight) -> Expression:
        """Return ``self.w.assign(...)``."""
        begins = build(f"{{i}}(self.{weight.name}.shape, self.{weight.name}.dtype)", i=self._object(weight))
        return build(f"self.{weight.name}.assign({{v}})", v=begins)

    def made(self, weight: Weight) -> Expression:
        """Return ``self.add_weight(...)``."""
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


def _of_fans(initial: Initial, gain: Expression, shape: Expression | None) -> Expression:
    """Return an initializer whose variance is the square of the gain by the mean of lengths of a matrix."""
    if not isinstance(shape, cst.Tuple) or len(shape.elements) != _MATRIX:
        raise Refusal("an initialisation by the lengths of what is no matrix here")
    scale = build("{gain} ** 2", gain=gain) if source(gain) != "1" else cst.Float("1.0")
    if isinstance(gain, cst.BinaryOperation) and isinstance(gain.operator, cst.Power) and source(gain.right) == "0.5":
        scale = gain.left
    fan, distribution = _FAN[initial.fan], _NORMAL[initial.distribution]
    return build(f'tf.keras.initializers.VarianceScaling({{scale}}, "{fan}", "{distribution}")', scale=scale)
