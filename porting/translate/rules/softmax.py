"""Softmax, and losses of it."""

from collections.abc import Mapping

from porting.translate.abstract_value import Abstract
from porting.translate.calls import call
from porting.translate.code import Expression, Given
from porting.translate.rule import Rule, Writer

_F = "torch.nn.functional."
_STACK = "_stacklevel=3"


def _typed(kinds: Mapping[str, Abstract]) -> Abstract:
    if "dtype" in kinds:
        return kinds["dtype"].values()
    return kinds["x"]


SOFTMAX, LOG_SOFTMAX = (
    Rule(
        torch=[
            f"torch.{name}(x: input, axis: dim, dtype=None)",
            f"torch.special.{name}(x: input, axis: dim, *, dtype=None)",
            f"{_F}{name}(x: input, axis: dim, {_STACK}, dtype=None)",
        ],
        tf=[f"tf.{module}.{name}(x: logits, axis=-1, _name: name=None)" for module in ("nn", "math")],
        kind=_typed,
    )
    for name in ("softmax", "log_softmax")
)
CROSS_ENTROPY = Rule(
    tf="tf.nn.softmax_cross_entropy_with_logits(labels, x: logits, axis=-1, _name: name=None)", kind="x"
)
SPARSE_CROSS_ENTROPY = Rule(
    tf="tf.nn.sparse_softmax_cross_entropy_with_logits(labels, x: logits, _name: name=None)", kind="x"
)
BINARY = Rule(torch=f"{_F}binary_cross_entropy_with_logits(x: input, labels: target, *, reduction='mean')", kind="x")
TF_BINARY = Rule(tf="tf.nn.sigmoid_cross_entropy_with_logits(labels=None, x: logits=None, _name: name=None)", kind="x")
SQUARED = Rule(torch=f"{_F}mse_loss(x: input, y: target, *, reduction='mean')")
ABSOLUTE = Rule(torch=f"{_F}l1_loss(x: input, y: target, *, reduction='mean')")
RULES = [SOFTMAX, LOG_SOFTMAX, CROSS_ENTROPY, SPARSE_CROSS_ENTROPY, BINARY, TF_BINARY, SQUARED, ABSOLUTE]


def _along(rule: Rule, function: str) -> None:
    @rule.writes("tf")
    def _(w: Writer, x: Expression, axis: Expression, dtype: Given = None) -> Expression:
        if dtype is not None:
            x = w.build("tf.cast({x}, {dtype})", x=x, dtype=dtype)
        place = None if w.code(axis) == "-1" else axis
        if "nan" in w.general and function == "softmax":  # in single precision it keeps NaN to where it is
            return w.build("tf.exp({made})", made=call(w, "tf.nn.log_softmax", x, place))
        return call(w, f"tf.nn.{function}", x, place)

    @rule.writes("torch")
    def _(w: Writer, x: Expression, axis: Given = None) -> Expression:
        return w.build(f"{{x}}.{function}({{axis}})", x=x, axis=axis if axis is not None else w.build("-1"))

    @rule.writes("numpy")
    def _(w: Writer, x: Expression, axis: Given = None, dtype: Given = None) -> Expression:
        if dtype is not None:
            x = w.build("{x}.astype({dtype})", x=x, dtype=dtype)
        axis = axis if axis is not None else w.build("-1")
        made = w.build("{x} - np.logaddexp.reduce({x}, {axis}, keepdims=True)", x=x, axis=axis)
        return made if function == "log_softmax" else w.build("np.exp({made})", made=made)


_along(SOFTMAX, "softmax")
_along(LOG_SOFTMAX, "log_softmax")


@CROSS_ENTROPY.writes("torch")
def _cross_entropy(w: Writer, labels: Expression, x: Expression, axis: Given = None) -> Expression:
    axis = axis if axis is not None else w.build("-1")
    return w.build("-({labels} * {x}.log_softmax({axis})).sum({axis})", labels=labels, x=x, axis=axis)


@SPARSE_CROSS_ENTROPY.writes("torch")
def _sparse_cross_entropy(w: Writer, labels: Expression, x: Expression) -> Expression:
    made = "-{x}.log_softmax(-1).gather(-1, {labels}.long().unsqueeze(-1)).squeeze(-1)"
    return w.build(made, labels=labels, x=x)


def _reduced(w: Writer, losses: Expression, reduction: Given, what: str) -> Expression:
    said = "mean" if reduction is None else w.text(reduction)
    if said not in {"mean", "sum", "none"}:
        raise w.refuse(f"{what}: reduction is not known here")
    if said == "none":
        return losses
    return w.build(f"tf.reduce_{said}({{losses}})" if w.to == "tf" else f"np.{said}({{losses}})", losses=losses)


@BINARY.writes("tf")
def _binary(w: Writer, x: Expression, labels: Expression, reduction: Given = None) -> Expression:
    losses = w.build("tf.nn.sigmoid_cross_entropy_with_logits(labels={labels}, logits={x})", labels=labels, x=x)
    return _reduced(w, losses, reduction, "binary_cross_entropy_with_logits")


@TF_BINARY.writes("torch")
def _tf_binary(w: Writer, labels: Given = None, x: Given = None) -> Expression:
    if labels is None or x is None:
        raise w.refuse("tf.nn.sigmoid_cross_entropy_with_logits: labels and logits are wanted")
    made = f'{_F}binary_cross_entropy_with_logits({{x}}, {{labels}}, reduction="none")'
    return w.build(made, x=x, labels=labels)


@SQUARED.writes("tf", "numpy")
def _squared(w: Writer, x: Expression, y: Expression, reduction: Given = None) -> Expression:
    losses = w.build("tf.square({x} - {y})" if w.to == "tf" else "np.square({x} - {y})", x=x, y=y)
    return _reduced(w, losses, reduction, "torch.nn.functional.mse_loss")


@ABSOLUTE.writes("tf", "numpy")
def _absolute(w: Writer, x: Expression, y: Expression, reduction: Given = None) -> Expression:
    losses = w.build("tf.abs({x} - {y})" if w.to == "tf" else "np.abs({x} - {y})", x=x, y=y)
    return _reduced(w, losses, reduction, "torch.nn.functional.l1_loss")
