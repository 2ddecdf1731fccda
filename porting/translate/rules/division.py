"""Quotients: true ones, and those that are rounded down or to zero."""

from typing import Final

from porting.translate.abstract_value import Sort
from porting.translate.code import Expression, Given
from porting.translate.rule import Rule, Writer
from porting.translate.rules.arithmetic import both, quotient
from porting.translate.rules.mean import mean_of

TRUE = Rule(
    torch="torch.true_divide(x: input, y: other)",
    tf=[
        f"tf.{name}(x, y, _name: name=None)" for name in ("divide", "math.divide", "truediv", "math.truediv", "realdiv")
    ],
    kind=quotient,
)
DIV = Rule(
    torch=[f"torch.{name}(x: input, y: other, *, mode: rounding_mode=None)" for name in ("div", "divide")],
    kind=lambda kinds: both(kinds) if "mode" in kinds else quotient(kinds),
)
FLOOR = Rule(
    torch="torch.floor_divide(x: input, y: other)",
    tf=[f"tf.{name}(x, y, _name: name=None)" for name in ("math.floordiv", "floordiv")],
    kind=both,
)
TRUNC = Rule(tf="tf.truncatediv(x, y, _name: name=None)", kind=both)
NO_NAN = Rule(tf=["tf.math.divide_no_nan(x, y, _name: name=None)", "tf.div_no_nan(x, y)"], kind=quotient)
MUL_NO_NAN = Rule(tf="tf.math.multiply_no_nan(x, y, _name: name=None)", kind=both)
RECIPROCAL_NO_NAN = Rule(tf="tf.math.reciprocal_no_nan(x, _name: name=None)")
RULES = [TRUE, DIV, FLOOR, TRUNC, NO_NAN, MUL_NO_NAN, RECIPROCAL_NO_NAN]


def _whole(w: Writer) -> bool:
    """Whether both are whole numbers."""
    return all(w.kinds[name].number in {"int", "bool"} for name in "xy")


def _divided(w: Writer, x: Expression, y: Expression) -> Expression:
    if (mean := mean_of(w, x, y)) is not None:
        return mean
    if w.to == "tf" and _whole(w):  # PyTorch has a quotient of whole numbers in single precision, TensorFlow in double
        x, y = (
            w.build("tf.cast({v}, tf.float32)", v=v) if w.kinds[name].tensor else v for name, v in (("x", x), ("y", y))
        )
    else:
        x, y = w.meeting(x, w.kinds["x"], y, w.kinds["y"], arithmetic=True)
    return w.build("{x} / {y}", x=x, y=y)


def _floored(w: Writer, x: Expression, y: Expression) -> Expression:
    """Write a quotient that is rounded down: 1.0 // 0.1 is 9, as in Python, and 10 in TensorFlow."""
    whole = _whole(w)
    x, y = w.meeting(x, w.kinds["x"], y, w.kinds["y"], arithmetic=True)
    if whole or w.to == "numpy":
        return w.build("{x} // {y}", x=x, y=y)
    if w.to == "torch":
        return w.build("torch.floor({x} / {y})", x=x, y=y)
    return w.build("tf.round(({x} - {x} % {y}) / {y})", x=x, y=y)


def _truncated(w: Writer, x: Expression, y: Expression) -> Expression:
    whole = _whole(w)
    x, y = w.meeting(x, w.kinds["x"], y, w.kinds["y"], arithmetic=True)
    if w.to == "torch":
        return w.build('torch.div({x}, {y}, rounding_mode="trunc")', x=x, y=y)
    if w.to == "numpy":
        return w.build("np.trunc({x} / {y}).astype({x}.dtype)" if whole else "np.trunc({x} / {y})", x=x, y=y)
    return w.build("tf.truncatediv({x}, {y})", x=x, y=y)


TRUE.writers.update(dict.fromkeys(("torch", "tf", "numpy"), _divided))
FLOOR.writers.update(dict.fromkeys(("torch", "tf", "numpy"), _floored))
TRUNC.writers.update(dict.fromkeys(("torch", "numpy"), _truncated))


@DIV.writes("tf", "numpy")
def _div(w: Writer, x: Expression, y: Expression, mode: Given = None) -> Expression:
    if mode is None:
        return _divided(w, x, y)
    by_mode = {"floor": _floored, "trunc": _truncated}
    if w.text(mode) not in by_mode:
        raise w.refuse("torch.div: a rounding_mode that is not known here")
    return by_mode[w.text(mode)](w, x, y)


_SHORT: Final = 12  # characters
_DIVIDE: Final = """
def _divide_no_nan(x, y):
    \"\"\"x / y, and 0 where y is 0.\"\"\"
    return torch.where(y == 0, 0, x / y)
"""
_MULTIPLY: Final = """
def _multiply_no_nan(x, y):
    \"\"\"x y, and 0 where y is 0, whatever x is.\"\"\"
    return torch.where(y == 0, 0, x * y)
"""


@NO_NAN.writes("torch")
def _no_nan(w: Writer, x: Expression, y: Expression) -> Expression:
    if w.kinds["y"].sort is Sort.STATIC:
        return w.build("{x} / {y} if {y} else torch.zeros_like({x})", x=x, y=y)
    if len(w.code(y)) > _SHORT:  # it would be computed, and read, twice
        w.helper("_divide_no_nan", _DIVIDE)
        return w.build("_divide_no_nan({x}, {y})", x=x, y=y)
    return w.build("torch.where({y} == 0, 0, {x} / {y})", x=x, y=y)


NO_NAN.form("np.where({y} == 0, 0, {x} / np.where({y} == 0, 1, {y}))", "numpy")


@MUL_NO_NAN.writes("torch", "numpy")
def _mul_no_nan(w: Writer, x: Expression, y: Expression) -> Expression:
    if w.kinds["y"].sort is Sort.STATIC and w.to == "torch":
        return w.build("{x} * {y} if {y} else torch.zeros_like({x})", x=x, y=y)
    if w.to == "torch" and len(w.code(y)) > _SHORT:
        w.helper("_multiply_no_nan", _MULTIPLY)
        return w.build("_multiply_no_nan({x}, {y})", x=x, y=y)
    where = "torch.where" if w.to == "torch" else "np.where"
    return w.build(f"{where}({{y}} == 0, 0, {{x}} * {{y}})", x=x, y=y)


RECIPROCAL_NO_NAN.form("torch.where({x} == 0, 0, 1 / {x})", "torch")
RECIPROCAL_NO_NAN.form("np.where({x} == 0, 0, 1 / np.where({x} == 0, 1, {x}))", "numpy")
