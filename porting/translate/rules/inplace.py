"""Writes in place to a whole tensor, as in PyTorch: they become a new value of the variable."""

from porting.translate.abstract_value import Sort
from porting.translate.code import Expression
from porting.translate.rule import Rule, Writer

FILL = Rule(torch="torch.fill(x: input, value)")
ZERO = Rule(torch="Tensor.zero(x)")  # zero_(): the underscore is the translator's
COPY = Rule(torch="Tensor.copy(x, y: src, _non_blocking: non_blocking=False)")
RULES = [FILL, ZERO, COPY]


@FILL.writes("tf")
def _fill(w: Writer, x: Expression, value: Expression) -> Expression:
    kind, number = w.kinds["x"], w.kinds["value"]
    if w.code(value) in {"0", "0.0", "1", "1.0"}:
        return w.build(f"tf.{'ones' if '1' in w.code(value) else 'zeros'}_like({{x}})", x=x)
    if number.sort is Sort.STATIC and (kind.number == "float" or number.number == kind.number == "int"):
        return w.build("{value} * tf.ones_like({x})", x=x, value=value)
    return w.build("tf.fill(tf.shape({x}), tf.cast({value}, {x}.dtype))", x=x, value=value)


FILL.form("np.full_like({x}, {value})", "numpy")


@ZERO.writes("tf", "numpy")
def _zero(w: Writer, x: Expression) -> Expression:
    return w.build("tf.zeros_like({x})" if w.to == "tf" else "np.zeros_like({x})", x=x)


COPY.form("tf.broadcast_to(tf.cast({y}, {x}.dtype), tf.shape({x}))", "tf")
COPY.form("np.broadcast_to({y}, {x}.shape).astype({x}.dtype)", "numpy")
