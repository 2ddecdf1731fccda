"""Activations that have a name of their own.

TensorFlow's gelu and leaky_relu round their constants to 32 bits, and PyTorch's softplus is a straight line from 20 on:
if the function of the other framework gives other numbers in 64 bits, the formula is written. In 64 bits TensorFlow's
erf of infinity is NaN; its erfc is right.
"""

from porting.translate.calls import flag
from porting.translate.code import Expression, Given
from porting.translate.rule import Rule, Writer

_F = "torch.nn.functional."
SOFTPLUS = Rule(
    torch=[_F + "softplus(x: input, beta=1, threshold=20)"],
    tf=[f"tf.{path}.softplus(x: features, _name: name=None)" for path in ("math", "nn")],
)
LOGSIGMOID = Rule(torch=[_F + "logsigmoid(x: input)"], tf=["tf.math.log_sigmoid(x, _name: name=None)"])
SILU = Rule(
    torch=[_F + "silu(x: input, _inplace: inplace=False)"], tf=["tf.nn.silu(x: features)", "tf.nn.swish(x: features)"]
)
MISH = Rule(torch=[_F + "mish(x: input, _inplace: inplace=False)"])
GELU = Rule(
    torch=[_F + "gelu(x: input, *, approximate='none')"],
    tf=["tf.nn.gelu(x: features, approximate=False, _name: name=None)"],
)
LEAKY = Rule(
    torch=[_F + "leaky_relu(x: input, slope: negative_slope=0.01, _inplace: inplace=False)"],
    tf=["tf.nn.leaky_relu(x: features, slope: alpha=0.2, _name: name=None)"],
)
ELU = Rule(
    torch=[_F + "elu(x: input, alpha=1.0, _inplace: inplace=False)"], tf=["tf.nn.elu(x: features, _name: name=None)"]
)
SELU = Rule(
    torch=["torch.selu(x: input)", _F + "selu(x: input, _inplace: inplace=False)"],
    tf=["tf.nn.selu(x: features, _name: name=None)"],
)
SOFTSIGN = Rule(torch=[_F + "softsign(x: input)"], tf=["tf.nn.softsign(x: features, _name: name=None)"])
HARDTANH = Rule(torch=[_F + "hardtanh(x: input, low: min_val=-1.0, high: max_val=1.0, _inplace: inplace=False)"])
RELU6 = Rule(torch=[_F + "relu6(x: input, _inplace: inplace=False)"], tf=["tf.nn.relu6(x: features, _name: name=None)"])
THRESHOLD = Rule(
    torch=[
        f"{path}(x: input, at: threshold, value)" for path in ("torch.threshold", _F + "threshold", _F + "threshold_")
    ]
)
HARDSHRINK = Rule(torch=[f"{path}hardshrink(x: input, at: lambd=0.5)" for path in ("torch.", _F)])
RULES = [
    SOFTPLUS, LOGSIGMOID, SILU, MISH, GELU, LEAKY, ELU, SELU, SOFTSIGN, HARDTANH, RELU6, THRESHOLD, HARDSHRINK,
]  # fmt: skip


@SOFTPLUS.writes("tf", "numpy")
def _softplus(w: Writer, x: Expression, beta: Given = None, threshold: Given = None) -> Expression:
    tf = w.to == "tf"
    if w.of == "tf":
        return w.build("np.logaddexp(0, {x})", x=x)
    inside = x if beta is None else w.build("{beta} * {x}", beta=beta, x=x)
    curve = w.build("tf.math.softplus({z})" if tf else "np.logaddexp(0, {z})", z=inside)
    if beta is not None:
        curve = w.build("{curve} / {beta}", curve=curve, beta=beta)
    end = w.build("20") if threshold is None else threshold
    made = "tf.where({z} > {end}, {x}, {curve})" if tf else "np.where({z} > {end}, {x}, {curve})"
    return w.build(made, z=inside, end=end, x=x, curve=curve)


# From 40 on the straight line is the same number
SOFTPLUS.form("torch.nn.functional.softplus({x}, threshold=40)", "torch")
LOGSIGMOID.form("-np.logaddexp(0, -{x})", "numpy")
SILU.form("{x} / (1 + np.exp(-{x}))", "numpy")
MISH.form("{x} * tf.tanh(tf.math.softplus({x}))", "tf")
MISH.form("{x} * np.tanh(np.logaddexp(0, {x}))", "numpy")


@GELU.writes("tf", "numpy")
def _gelu(w: Writer, x: Expression, approximate: Given = None) -> Expression:
    said = "none" if approximate is None else w.text(approximate) or {"True": "tanh"}.get(w.code(approximate), "")
    if said not in {"none", "tanh"} or (said == "none" and w.to == "numpy"):
        raise w.refuse("gelu: NumPy has no erf" if said == "none" else "gelu: approximate is not known here")
    w.imports.add("math")
    if said == "none":
        return w.build("0.5 * {x} * tf.math.erfc(-{x} / math.sqrt(2))", x=x)
    tanh = "tf.tanh" if w.to == "tf" else "np.tanh"
    return w.build(f"0.5 * {{x}} * (1 + {tanh}(math.sqrt(2 / math.pi) * ({{x}} + 0.044715 * {{x}} ** 3)))", x=x)


@GELU.writes("torch")
def _gelu_torch(w: Writer, x: Expression, approximate: Given = None) -> Expression:
    if flag(w, approximate, "tf.nn.gelu"):
        return w.build('torch.nn.functional.gelu({x}, approximate="tanh")', x=x)
    return w.build("torch.nn.functional.gelu({x})", x=x)


@LEAKY.writes("tf", "numpy")
def _leaky(w: Writer, x: Expression, slope: Given = None) -> Expression:
    slope = slope if slope is not None else w.build("0.01" if w.of == "torch" else "0.2")
    made = "tf.where({x} > 0, {x}, {slope} * {x})" if w.to == "tf" else "np.where({x} > 0, {x}, {slope} * {x})"
    return w.build(made, x=x, slope=slope)


@LEAKY.writes("torch")
def _leaky_torch(w: Writer, x: Expression, slope: Given = None) -> Expression:
    slope = slope if slope is not None else w.build("0.2")
    return w.build("torch.nn.functional.leaky_relu({x}, {slope})", x=x, slope=slope)


@ELU.writes("tf")
def _elu(w: Writer, x: Expression, alpha: Given = None) -> Expression:
    if alpha is None:
        return w.build("tf.nn.elu({x})", x=x)
    return w.build("tf.where({x} > 0, {x}, {alpha} * tf.math.expm1({x}))", x=x, alpha=alpha)


@ELU.writes("numpy")
def _elu_numpy(w: Writer, x: Expression, alpha: Given = None) -> Expression:
    if alpha is None:
        return w.build("np.where({x} > 0, {x}, np.expm1({x}))", x=x)
    return w.build("np.where({x} > 0, {x}, {alpha} * np.expm1({x}))", x=x, alpha=alpha)


SOFTSIGN.form("{x} / (1 + np.abs({x}))", "numpy")


@HARDTANH.writes("tf", "numpy")
def _hardtanh(w: Writer, x: Expression, low: Given = None, high: Given = None) -> Expression:
    low = low if low is not None else w.build("-1.0")
    high = high if high is not None else w.build("1.0")
    return w.build("tf.clip_by_value({x}, {l}, {h})" if w.to == "tf" else "np.clip({x}, {l}, {h})", x=x, l=low, h=high)


RELU6.form("np.clip({x}, 0, 6)", "numpy")


@THRESHOLD.writes("tf", "numpy")
def _threshold(w: Writer, x: Expression, at: Expression, value: Expression) -> Expression:
    """NaN stays."""
    if w.to == "numpy":
        return w.build("np.where({x} <= {at}, {value}, {x})", x=x, at=at, value=value)
    return w.build("tf.where({x} <= {at}, {value}, {x})", x=x, at=at, value=w.filled_like(x, w.kinds["x"], value))


@HARDSHRINK.writes("tf", "numpy")
def _hardshrink(w: Writer, x: Expression, at: Given = None) -> Expression:
    """NaN stays."""
    at = at if at is not None else w.build("0.5")
    if w.to == "numpy":
        return w.build("np.where(np.abs({x}) <= {at}, 0, {x})", x=x, at=at)
    return w.build("tf.where(tf.abs({x}) <= {at}, tf.zeros_like({x}), {x})", x=x, at=at)
