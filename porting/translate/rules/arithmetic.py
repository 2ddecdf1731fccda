"""Operators that are written as functions: they become operators again."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from porting.translate.abstract_value import Abstract, Sort, joined
from porting.translate.code import Expression, Given
from porting.translate.rule import Rule, Writer

_OPERATORS = (
    ("+", ("torch.add(x: input, y: other, *, alpha=1)",), ("tf.add", "tf.math.add")),
    (
        "-",
        ("torch.sub(x: input, y: other, *, alpha=1)", "torch.subtract(x: input, y: other, *, alpha=1)"),
        ("tf.subtract", "tf.math.subtract"),
    ),
    (
        "*",
        ("torch.mul(x: input, y: other)", "torch.multiply(x: input, y: other)"),
        ("tf.multiply", "tf.math.multiply"),
    ),
    ("**", ("torch.pow(x: input, y: exponent)",), ("tf.pow", "tf.math.pow")),
    ("%", ("torch.remainder(x: input, y: other)",), ("tf.math.floormod", "tf.math.mod", "tf.mod")),
)
_TRUTH = {"*": "&", "+": "|"}  # of truth values


def both(kinds: Mapping[str, Abstract]) -> Abstract:
    """Return the kind of what is computed of x and y."""
    return joined(kinds["x"], kinds["y"])


def quotient(kinds: Mapping[str, Abstract]) -> Abstract:
    """Return the kind of a quotient: whole numbers have one that is not whole."""
    found = both(kinds)
    return replace(found, number="float") if found.number in {"int", "bool"} else found


def _rule(operator: str, torch: Sequence[str], tf: Sequence[str]) -> Rule:
    rule = Rule(torch=torch, tf=[f"{path}(x, y, _name: name=None)" for path in tf], kind=both)

    @rule.writes("torch", "tf", "numpy")
    def _(w: Writer, x: Expression, y: Expression, alpha: Given = None) -> Expression:
        left, right = w.kinds["x"], w.kinds["y"]
        if left.mask and right.mask and alpha is None and operator in _TRUTH:
            return w.build(f"{{x}} {_TRUTH[operator]} {{y}}", x=x, y=y)
        if alpha is not None:
            y = w.build("{alpha} * {y}", alpha=alpha, y=y)
        x, y = w.meeting(x, left, y, right, arithmetic=True)
        return w.build(f"{{x}} {operator} {{y}}", x=x, y=y)

    return rule


SCALAR_MUL = Rule(
    tf=[
        "tf.math.scalar_mul(y: scalar, x, _name: name=None)",
        "tf.scalar_mul(y: scalar, x, _name: name=None)",
    ],
    kind=both,
)
FLOAT_POWER = Rule(torch="torch.float_power(x: input, y: exponent)", kind=Abstract(Sort.TENSOR, "float"))
RSUB = Rule(torch="torch.rsub(x: input, y: other, *, alpha=1)", kind=both)
FMOD = Rule(
    torch="torch.fmod(x: input, y: other)",
    tf="tf.truncatemod(x, y, _name: name=None)",
    numpy="np.fmod(x, y)",
    kind=both,
)
SQUARED = Rule(tf="tf.math.squared_difference(x, y, _name: name=None)", kind=both)
ADDCMUL = Rule(torch="torch.addcmul(x: input, a: tensor1, b: tensor2, *, value=1)", kind="x")
ADDCDIV = Rule(torch="torch.addcdiv(x: input, a: tensor1, b: tensor2, *, value=1)", kind="x")
LERP = Rule(torch="torch.lerp(x: input, y: end, weight)", kind="x")
ADD_N = Rule(
    tf=[
        "tf.add_n(x: inputs, _name: name=None)",
        "tf.math.add_n(x: inputs, _name: name=None)",
        "tf.math.accumulate_n(x: inputs, _shape: shape=None, _dtype: tensor_dtype=None, _name: name=None)",
    ],
    kind=lambda kinds: kinds["x"].items[0] if kinds["x"].items else Abstract(Sort.TENSOR),
)
RULES = [
    *(_rule(*row) for row in _OPERATORS),
    SCALAR_MUL, FLOAT_POWER, RSUB, FMOD, SQUARED, ADDCMUL, ADDCDIV, LERP, ADD_N,
]  # fmt: skip
SCALAR_MUL.form("{y} * {x}", "torch", "numpy")


@FLOAT_POWER.writes("tf", "numpy")
def _float_power(w: Writer, x: Expression, y: Expression) -> Expression:
    """In double precision, whatever it is given."""
    cast = "tf.cast({v}, tf.float64)" if w.to == "tf" else "{v}.astype(np.float64)"
    x, y = (w.build(cast, v=v) if w.kinds[n].sort is not Sort.STATIC else v for n, v in (("x", x), ("y", y)))
    return w.build("{x} ** {y}", x=x, y=y)


@RSUB.writes("tf", "numpy")
def _rsub(w: Writer, x: Expression, y: Expression, alpha: Given = None) -> Expression:
    if alpha is not None:
        x = w.build("{alpha} * {x}", alpha=alpha, x=x)
    x, y = w.meeting(x, w.kinds["x"], y, w.kinds["y"], arithmetic=True)
    return w.build("{y} - {x}", x=x, y=y)


@FMOD.writes("tf")
def _fmod(w: Writer, x: Expression, y: Expression) -> Expression:
    x, y = w.meeting(x, w.kinds["x"], y, w.kinds["y"], arithmetic=True)
    return w.build("tf.truncatemod({x}, {y})", x=x, y=y)


SQUARED.form("({x} - {y}) ** 2", "torch", "numpy")


@ADDCMUL.writes("tf", "numpy")
def _addcmul(w: Writer, x: Expression, a: Expression, b: Expression, value: Given = None) -> Expression:
    a, b = w.meeting(a, w.kinds["a"], b, w.kinds["b"], arithmetic=True)
    if value is not None:
        a = w.build("{value} * {a}", value=value, a=a)
    return w.build("{x} + {a} * {b}", x=x, a=a, b=b)


@ADDCDIV.writes("tf", "numpy")
def _addcdiv(w: Writer, x: Expression, a: Expression, b: Expression, value: Given = None) -> Expression:
    a, b = w.meeting(a, w.kinds["a"], b, w.kinds["b"], arithmetic=True)
    if value is not None:
        a = w.build("{value} * {a}", value=value, a=a)
    return w.build("{x} + {a} / {b}", x=x, a=a, b=b)


LERP.form("{x} + {weight} * ({y} - {x})", "tf", "numpy")


@ADD_N.writes("torch", "numpy")
def _add_n(w: Writer, x: Any) -> Expression:
    parts = w.parts(x) if w.is_sequence(x) and not any(w.starred(e) for e in x.elements) else []
    if not parts:
        return w.build("sum({x})", x=x)
    total = parts[0]
    for part in parts[1:]:
        total = w.build("{total} + {part}", total=total, part=part)
    return total
