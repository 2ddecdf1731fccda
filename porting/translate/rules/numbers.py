"""Functions of numbers without an operator: steps, signs, replacing NaN."""

from porting.translate.abstract_value import joined
from porting.translate.code import Expression, Given
from porting.translate.rule import Rule, Writer

HEAVISIDE = Rule(torch="torch.heaviside(x: input, values)", tf="tf.experimental.numpy.heaviside(x: x1, values: x2)")
LOGADDEXP = Rule(
    torch="torch.logaddexp(x: input, y: other)",
    tf="tf.experimental.numpy.logaddexp(x: x1, y: x2)",
    numpy="np.logaddexp(x: x1, y: x2)",
    kind=lambda kinds: joined(kinds["x"], kinds["y"]),
)
COPYSIGN = Rule(torch="torch.copysign(x: input, y: other)", numpy="np.copysign(x, y)")
NAN_TO_NUM = Rule(
    torch="torch.nan_to_num(x: input, nan=0.0, top: posinf=None, low: neginf=None)",
    numpy="np.nan_to_num(x, *, nan=0.0, top: posinf=None, low: neginf=None)",
)
RULES = [HEAVISIDE, LOGADDEXP, COPYSIGN, NAN_TO_NUM]
HEAVISIDE.form("tf.where({x} == 0, {values}, tf.cast({x} > 0, {x}.dtype))", "tf")


@HEAVISIDE.writes("torch")
def _heaviside(w: Writer, x: Expression, values: Expression) -> Expression:
    if not w.kinds["values"].tensor:
        values = w.build("torch.tensor({values}, dtype={x}.dtype)", values=values, x=x)
    return w.build("torch.heaviside({x}, {values})", x=x, values=values)


_LOGADDEXP = '''
def _log_add_exp(x, y):
    """log(exp(x) + exp(y)), which TensorFlow does not have for every type."""
    return tf.maximum(x, y) + tf.math.softplus(-tf.where(x == y, tf.zeros_like(x - y), tf.abs(x - y)))
'''


@LOGADDEXP.writes("tf")
def _logaddexp(w: Writer, x: Expression, y: Expression) -> Expression:
    if "rest" not in w.general:
        return w.build("tf.experimental.numpy.logaddexp({x}, {y})", x=x, y=y)
    w.helper("_log_add_exp", _LOGADDEXP)
    return w.build("_log_add_exp({x}, {y})", x=x, y=y)


# NaN is 0, as in PyTorch; np.heaviside keeps it
HEAVISIDE.form("np.where({x} == 0, {values}, ({x} > 0).astype({x}.dtype))", "numpy")
# Write it without the sign bit of zeros: they count as positive
COPYSIGN.form("tf.where({y} < 0, -tf.abs({x}), tf.abs({x}))", "tf")


@NAN_TO_NUM.writes("tf")
def _nan_to_num(w: Writer, x: Expression, nan: Given = None, top: Given = None, low: Given = None) -> Expression:
    """Infinities become the largest number there is, unless another one, or they themselves, are given."""
    kind = w.kinds["x"]
    nan = nan if nan is not None else w.build("0.0")
    made = w.build("tf.where(tf.math.is_nan({x}), {nan}, {x})", x=x, nan=w.filled_like(x, kind, nan))
    stay = [part is not None and w.code(part) in ends for part, ends in ((top, _TOP), (low, _LOW))]
    if top is None and low is None:
        return w.build("tf.clip_by_value({made}, {x}.dtype.min, {x}.dtype.max)", made=made, x=x)
    w.imports.add("math")
    for number, sign, end, kept in ((top, "", "max", stay[0]), (low, "-", "min", stay[1])):
        if kept:
            continue
        value = w.build(f"{{x}}.dtype.{end}", x=x) if number is None else number
        value = w.filled_like(x, kind, value)
        made = w.build(f"tf.where({{x}} == {sign}math.inf, {{value}}, {{made}})", x=x, value=value, made=made)
    return made


_TOP = {"math.inf", "float('inf')", 'float("inf")'}
_LOW = {f"-{text}" for text in _TOP} | {"float('-inf')", 'float("-inf")'}
