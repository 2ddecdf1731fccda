"""Writes a module of PyTorch."""

from typing import Any, Final

import libcst as cst

from porting.translate.code import Expression, build, literal, name
from porting.translate.layer import OBJECT, Weight
from porting.translate.refusal import Refusal
from porting.translate.write.written_layer import Writer, statement

_OF_MODULE: Final = frozenset({  # what a module has already
    "forward", "parameters", "buffers", "children", "modules", "train", "eval", "apply", "float", "double", "half",
    "to", "type", "cpu", "cuda", "state_dict", "zero_grad", "add_module", "compile", "register_buffer",
})  # fmt: skip
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


class ModuleOfTorch(Writer):
    """A module of PyTorch: parameters, and a forward."""

    base = "torch.nn.Module"
    call = "forward"
    own = _OF_MODULE
    copy = (_COPY, _COPY_OPTIONAL)

    def constructor(self, made: Any, body: list[Any]) -> list[Any]:
        """Return the constructor."""
        return [made.with_changes(body=cst.IndentedBlock([statement("super().__init__()"), *body]))]

    def made(self, weight: Weight) -> Expression:
        """Return ``torch.nn.Parameter(...)``."""
        value = self._value(weight)
        if weight.trainable is None:
            return build("torch.nn.Parameter({value})", value=value)
        said = self.of(weight.trainable)
        return build("torch.nn.Parameter({value}, requires_grad={said})", value=value, said=said)

    def changed(self, weight: Weight) -> Expression:
        """Return what draws the numbers of a parameter again."""
        return self._set(name(f"{OBJECT}{weight.name}"), weight)

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
