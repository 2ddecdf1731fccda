"""Backward kernels of a framework's own functions: written as formulas, as the other framework has no such kernel."""

from collections.abc import Mapping

from porting.translate.abstract_value import Abstract, joined
from porting.translate.code import Expression, Given
from porting.translate.rule import Rule, Writer

_A = "torch.ops.aten."


def _both(kinds: Mapping[str, Abstract]) -> Abstract:
    return joined(kinds["dy"], kinds["y"])


SIGMOID = Rule(
    torch=[_A + "sigmoid_backward(dy: grad_output, y: output)"],
    tf=["tf.raw_ops.SigmoidGrad(y, dy, _name: name=None)"],
    kind=_both,
)
TANH = Rule(
    torch=[_A + "tanh_backward(dy: grad_output, y: output)"],
    tf=["tf.raw_ops.TanhGrad(y, dy, _name: name=None)"],
    kind=_both,
)
THRESHOLD = Rule(torch=[_A + "threshold_backward(dy: grad_output, y: self, at: threshold)"], kind=_both)
RELU = Rule(tf=["tf.raw_ops.ReluGrad(dy: gradients, y: features, _name: name=None)"], kind=_both)
LEAKY_RELU = Rule(
    torch=[_A + "leaky_relu_backward(dy: grad_output, y: self, slope: negative_slope, _result: self_is_result)"],
    kind=_both,
)
LEAKY_RELU_BY_DEFAULT = Rule(
    tf=["tf.raw_ops.LeakyReluGrad(dy: gradients, y: features, slope: alpha=0.2, _name: name=None)"], kind=_both
)
SOFTMAX = Rule(
    torch=[
        _A + "_softmax_backward_data(dy: grad_output, y: output, axis: dim, _dtype: input_dtype)",
        "torch._softmax_backward_data(dy: grad_output, y: output, axis: dim, _dtype: input_dtype)",
    ],
    kind=_both,
)
SOFTPLUS = Rule(torch=[_A + "softplus_backward(dy: grad_output, y: self, beta, threshold)"], kind=_both)
SOFTPLUS_OF_BETA_1 = Rule(tf=["tf.raw_ops.SoftplusGrad(dy: gradients, y: features, _name: name=None)"], kind=_both)
SILU = Rule(torch=[_A + "silu_backward(dy: grad_output, y: self)"], kind=_both)
GELU = Rule(torch=[_A + "gelu_backward(dy: grad_output, y: self, *, approximate='none')"], kind=_both)
RULES = [
    SIGMOID, TANH, THRESHOLD, RELU, LEAKY_RELU, LEAKY_RELU_BY_DEFAULT, SOFTMAX, SOFTPLUS, SOFTPLUS_OF_BETA_1, SILU,
    GELU,
]  # fmt: skip
_SATURATED = 20.0
_GELU = {
    "none": '''
def _gelu_grad(dy, x):
    """dy times the derivative of x times the normal distribution function."""
    density = tf.exp(-x * x / 2) / math.sqrt(2 * math.pi)
    return dy * (0.5 * tf.math.erfc(-x / math.sqrt(2)) + x * density)
''',
    "tanh": '''
def _gelu_grad(dy, x):
    """dy times the derivative of x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2."""
    c = math.sqrt(8 / math.pi)
    z = c * (x + 0.044715 * x * x * x)
    return dy * tf.sigmoid(z) * (1 + x * tf.sigmoid(-z) * c * (1 + 3 * 0.044715 * x * x))
''',
}


def _sigmoid_of(w: Writer, y: Expression) -> Expression:
    return w.build("tf.sigmoid({y})" if w.to == "tf" else "(1 / (1 + np.exp(-{y})))", y=y)


SIGMOID.form("{dy} * {y} * (1 - {y})", "torch", "tf", "numpy")
TANH.form("{dy} * (1 - {y} * {y})", "torch", "tf", "numpy")


@THRESHOLD.writes("tf", "numpy")
def _threshold(w: Writer, dy: Expression, y: Expression, at: Expression) -> Expression:
    """NaN is not below the threshold: its gradient passes, as in PyTorch."""
    library = {"tf": "tf", "numpy": "np"}[w.to]
    return w.build(f"{library}.where({{y}} <= {{at}}, {library}.zeros_like({{dy}}), {{dy}})", dy=dy, y=y, at=at)


@RELU.writes("torch", "numpy")
def _relu(w: Writer, dy: Expression, y: Expression) -> Expression:
    return w.build("torch.where({y} > 0, {dy}, 0)" if w.to == "torch" else "np.where({y} > 0, {dy}, 0)", dy=dy, y=y)


LEAKY_RELU.form("tf.where({y} > 0, {dy}, {slope} * {dy})", "tf")
LEAKY_RELU.form("np.where({y} > 0, {dy}, {slope} * {dy})", "numpy")


@LEAKY_RELU_BY_DEFAULT.writes("torch", "numpy")
def _leaky_relu(w: Writer, dy: Expression, y: Expression, slope: Given = None) -> Expression:
    library = {"torch": "torch", "numpy": "np"}[w.to]
    below = "0.2" if slope is None else "{slope}"
    given = {"dy": dy, "y": y} | ({} if slope is None else {"slope": slope})
    return w.build(f"{library}.where({{y}} > 0, {{dy}}, {below} * {{dy}})", **given)


SOFTPLUS_OF_BETA_1.form("{dy} * torch.sigmoid({y})", "torch")
SOFTPLUS_OF_BETA_1.form("{dy} / (1 + np.exp(-{y}))", "numpy")
SOFTMAX.form("{y} * ({dy} - tf.reduce_sum({dy} * {y}, {axis}, keepdims=True))", "tf")
SOFTMAX.form("{y} * ({dy} - np.sum({dy} * {y}, {axis}, keepdims=True))", "numpy")


@SOFTPLUS.writes("tf", "numpy")
def _softplus(w: Writer, dy: Expression, y: Expression, beta: Expression, threshold: Expression) -> Expression:
    """Above the threshold PyTorch's gradient is 1: from 20 on the sigmoid is that to nine digits."""
    if not w.code(threshold).replace(".", "", 1).isdigit() or float(w.code(threshold)) < _SATURATED:
        raise w.refuse("softplus_backward: a rule for thresholds from 20 on alone")
    scaled = y if w.code(beta) in {"1", "1.0"} else w.build("{beta} * {y}", beta=beta, y=y)
    return w.build("{dy} * {sigmoid}", dy=dy, sigmoid=_sigmoid_of(w, scaled))


@GELU.writes("tf")
def _gelu(w: Writer, dy: Expression, y: Expression, approximate: Given = None) -> Expression:
    said = "none" if approximate is None else w.text(approximate)
    if said not in _GELU:
        raise w.refuse("gelu_backward: approximate is not known here")
    w.imports.add("math")
    w.helper("_gelu_grad", _GELU[said])
    return w.build("_gelu_grad({dy}, {x})", dy=dy, x=y)


@SILU.writes("tf", "numpy")
def _silu(w: Writer, dy: Expression, y: Expression) -> Expression:
    return w.build("{dy} * {s} * (1 + {y} * (1 - {s}))", dy=dy, y=y, s=_sigmoid_of(w, y))
