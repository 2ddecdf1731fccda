"""Functions of one tensor, element by element, that both frameworks have: only the names differ.

Two differences: the sign of NaN is 0 in PyTorch and NaN in the others, which no check sees where a comparison or a
branch hides it; ``tf.math.erf`` of an infinity is NaN in double precision, and a translation does not change that.
"""

from collections.abc import Mapping

from porting.translate.abstract_value import Abstract
from porting.translate.code import Expression
from porting.translate.rule import Rule, Writer

# torch, TensorFlow, NumPy
_SAME = (
    ("sign", "tf.sign", "np.sign"),
    ("floor", "tf.floor", "np.floor"),
    ("ceil", "tf.math.ceil", "np.ceil"),
    ("tan", "tf.tan", "np.tan"),
    ("asin", "tf.asin", "np.arcsin"),
    ("acos", "tf.acos", "np.arccos"),
    ("atan", "tf.atan", "np.arctan"),
    ("sinh", "tf.sinh", "np.sinh"),
    ("cosh", "tf.cosh", "np.cosh"),
    ("tanh", "tf.tanh", "np.tanh"),
    ("asinh", "tf.asinh", "np.arcsinh"),
    ("acosh", "tf.acosh", "np.arccosh"),
    ("atanh", "tf.atanh", "np.arctanh"),
    ("neg", "tf.negative", "np.negative"),
    ("rsqrt", "tf.math.rsqrt", ""),
    ("reciprocal", "tf.math.reciprocal", "np.reciprocal"),
    ("erf", "tf.math.erf", ""),
    ("erfc", "tf.math.erfc", ""),
    ("lgamma", "tf.math.lgamma", ""),
    ("digamma", "tf.math.digamma", ""),
    ("sigmoid", "tf.sigmoid", ""),
    ("relu", "tf.nn.relu", ""),
)
_OTHER_PATHS = {
    "ceil": ("tf.math.ceil",), "sign": ("torch.sgn", "tf.math.sign"), "floor": ("tf.math.floor",),
    "tanh": ("torch.nn.functional.tanh", "tf.math.tanh", "tf.nn.tanh"), "neg": ("torch.negative", "tf.math.negative"),
    "sigmoid": ("torch.nn.functional.sigmoid", "torch.special.expit", "tf.math.sigmoid", "tf.nn.sigmoid"),
    "sinh": ("tf.math.sinh",), "cosh": ("tf.math.cosh",), "atan": ("torch.arctan", "tf.math.atan"),
    "asin": ("torch.arcsin", "tf.math.asin"), "acos": ("torch.arccos", "tf.math.acos"),
    "erf": ("torch.special.erf",), "erfc": ("torch.special.erfc",),
    "atanh": ("torch.arctanh", "tf.math.atanh"), "asinh": ("torch.arcsinh", "tf.math.asinh"), "tan": ("tf.math.tan",),
    "acosh": ("torch.arccosh", "tf.math.acosh"), "digamma": ("torch.special.digamma", "torch.special.psi"),
    "lgamma": ("torch.special.gammaln",), "rsqrt": ("tf.rsqrt",),
}  # fmt: skip
_KEEP = {"neg", "sign", "relu", "floor", "ceil"}  # of whole numbers they are whole


def floating(kinds: Mapping[str, Abstract]) -> Abstract:
    """Return the kind of what is computed: a floating tensor, of x's type, or a complex one."""
    x = kinds["x"]
    return x if x.number == "complex" else x.values("float")


def whole_as_floating(w: Writer, x: Expression) -> Expression:
    """Return a tensor of whole numbers or truth values as floating numbers, others as they are."""
    kind = w.kinds["x"]
    return w.build("tf.cast({x}, tf.float32)", x=x) if kind.tensor and kind.number in {"int", "bool"} else x


def _rule(torch: str, tf: str, numpy: str) -> Rule:
    others = _OTHER_PATHS.get(torch, ())
    spelled = [f"torch.{torch}(x: input)"]
    spelled += [f"{p}(x: input)" for p in others if p.startswith("torch.")]
    if torch == "relu":
        spelled.append("torch.nn.functional.relu(x: input, _inplace: inplace=False)")
    keyword = "x: features" if torch == "relu" else "x"
    return Rule(
        torch=spelled,
        tf=[f"{p}({keyword}, _name: name=None)" for p in (tf, *(p for p in others if p.startswith("tf.")))],
        numpy=[f"{numpy}(x)"] if numpy else [],
        kind="x" if torch in _KEEP else floating,
    )


RULES = [_rule(*names) for names in _SAME]
_BY_NAME = {names[0]: rule for names, rule in zip(_SAME, RULES, strict=True)}


_SIGN = {
    "tf": '''
def _sign(x):
    """The sign of x, 0 for NaN as in PyTorch."""
    return tf.where(x == x, tf.sign(x), tf.zeros_like(x))
''',
    "torch": '''
def _sign(x):
    """The sign of x, NaN for NaN as in TensorFlow."""
    return torch.where(x == x, x.sign(), x)
''',
}


@_BY_NAME["sign"].writes("tf", "torch")
def _sign(w: Writer, x: Expression) -> Expression:
    if w.kinds["x"].number in {"int", "complex"}:
        return w.build(f"{w.to}.sign({{x}})", x=x)
    w.helper("_sign", _SIGN[w.to])
    return w.build("_sign({x})", x=x)


@_BY_NAME["sigmoid"].writes("numpy")
def _sigmoid(w: Writer, x: Expression) -> Expression:
    return w.build("1 / (1 + np.exp(-{x}))", x=x)


@_BY_NAME["relu"].writes("numpy")
def _relu(w: Writer, x: Expression) -> Expression:
    return w.build("np.maximum({x}, 0)", x=x)


@_BY_NAME["rsqrt"].writes("numpy")
def _rsqrt(w: Writer, x: Expression) -> Expression:
    return w.build("1 / np.sqrt({x})", x=x)


@_BY_NAME["neg"].writes("torch", "tf", "numpy")
def _neg(w: Writer, x: Expression) -> Expression:
    return w.build("-{x}", x=x)


@_BY_NAME["reciprocal"].writes("tf", "torch", "numpy")
def _reciprocal(w: Writer, x: Expression) -> Expression:
    # PyTorch computes in single precision; 1 / x of whole numbers is double precision in TensorFlow.
    return w.build("1 / {x}", x=whole_as_floating(w, x) if w.to == "tf" else x)
