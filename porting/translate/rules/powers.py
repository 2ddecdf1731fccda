"""Powers, roots, logarithms: functions of one tensor that are called with a Python number too.

PyTorch computes ``torch.sqrt(n)`` of whole numbers in single precision; TensorFlow needs a cast. ``tf.sqrt(2.0)`` is a
tensor. PyTorch takes only tensors, so for a number Python's own function is written.
"""

from collections.abc import Sequence

from porting.translate.abstract_value import FLOAT, Abstract, Sort
from porting.translate.code import Expression, Given
from porting.translate.rule import Made, Rule, Writer
from porting.translate.rules.elementwise import floating, whole_as_floating

# torch, TensorFlow, more paths of both; NumPy's name is PyTorch's
_NAMES = (
    ("sqrt", "tf.sqrt", ("tf.math.sqrt",)),
    ("exp", "tf.exp", ("tf.math.exp",)),
    ("expm1", "tf.math.expm1", ("torch.special.expm1",)),
    ("log", "tf.math.log", ("tf.log",)),
    ("log1p", "tf.math.log1p", ("torch.special.log1p",)),
    ("sin", "tf.sin", ("tf.math.sin",)),
    ("cos", "tf.cos", ("tf.math.cos",)),
)


def _rule(torch: str, tf: str, others: Sequence[str]) -> Rule:
    rule = Rule(
        torch=[f"torch.{torch}(x: input)"] + [f"{p}(x: input)" for p in others if p.startswith("torch.")],
        tf=[f"{p}(x, _name: name=None)" for p in (tf, *others) if p.startswith("tf.")],
        numpy=f"np.{torch}(x)",
        kind=floating,
    )

    @rule.writes("tf")
    def _(w: Writer, x: Expression) -> Expression:
        return w.build(f"{tf}({{x}})", x=whole_as_floating(w, x))

    @rule.writes("torch")
    def _(w: Writer, x: Expression) -> Made:
        if w.kinds["x"].sort is Sort.STATIC:
            w.imports.add("math")
            return w.build(f"math.{torch}({{x}})", x=x), Abstract(Sort.STATIC, "float")
        return w.build(f"torch.{torch}({{x}})", x=x)

    return rule


ABS = Rule(
    torch=["torch.abs(x: input)", "torch.absolute(x: input)"],
    tf=["tf.abs(x, _name: name=None)", "tf.math.abs(x, _name: name=None)"],
    numpy="np.abs(x)",
    kind=lambda kinds: FLOAT if kinds["x"].number == "complex" else kinds["x"],
)
SQUARE = Rule(
    torch="torch.square(x: input)",
    tf=["tf.square(x, _name: name=None)", "tf.math.square(x, _name: name=None)"],
    numpy="np.square(x)",
)
LOG2 = Rule(
    torch=["torch.log2(x: input)"],
    tf="tf.experimental.numpy.log2(x)",
    numpy="np.log2(x)",
    kind=floating,
)
LOG10 = Rule(
    torch=["torch.log10(x: input)"],
    tf="tf.experimental.numpy.log10(x)",
    numpy="np.log10(x)",
    kind=floating,
)
EXP2 = Rule(torch=["torch.exp2(x: input)", "torch.special.exp2(x: input)"], numpy="np.exp2(x)", kind=floating)
LOGIT = Rule(torch=["torch.logit(x: input, eps=None)", "torch.special.logit(x: input, eps=None)"], kind=floating)
RULES = [*(_rule(*row) for row in _NAMES), ABS, SQUARE, LOG2, LOG10, EXP2, LOGIT]


@ABS.writes("torch")
def _abs(w: Writer, x: Expression) -> Expression:
    return w.build("abs({x})" if w.kinds["x"].sort is Sort.STATIC else "torch.abs({x})", x=x)


@SQUARE.writes("torch")
def _square(w: Writer, x: Expression) -> Expression:
    return w.build("{x} ** 2" if w.kinds["x"].sort is Sort.STATIC else "torch.square({x})", x=x)


@LOG2.writes("tf")
def _log2(w: Writer, x: Expression) -> Expression:
    w.imports.add("math")
    return w.build("tf.math.log({x}) / math.log(2)", x=whole_as_floating(w, x))


@LOG10.writes("tf")
def _log10(w: Writer, x: Expression) -> Expression:
    w.imports.add("math")
    return w.build("tf.math.log({x}) / math.log(10)", x=whole_as_floating(w, x))


@EXP2.writes("tf")
def _exp2(w: Writer, x: Expression) -> Expression:
    return w.build("2 ** {x}", x=whole_as_floating(w, x))


@LOGIT.writes("tf", "numpy")
def _logit(w: Writer, x: Expression, eps: Given = None) -> Expression:
    log = "tf.math.log" if w.to == "tf" else "np.log"
    if eps is not None:
        limit = "tf.clip_by_value({x}, {eps}, 1 - {eps})" if w.to == "tf" else "np.clip({x}, {eps}, 1 - {eps})"
        x = w.build(limit, x=x, eps=eps)
    return w.build(f"{log}({{x}} / (1 - {{x}}))", x=x)
