"""Functions of two tensors, element by element."""

from porting.translate.abstract_value import Sort, joined
from porting.translate.code import Expression
from porting.translate.rule import Rule, Writer
from porting.translate.rules.arithmetic import both

_KEYWORD = "_name: name=None"
ATAN2 = Rule(
    torch=["torch.atan2(a: input, b: other)", "torch.arctan2(a: input, b: other)"],
    tf=[f"tf.atan2(a: y, b: x, {_KEYWORD})", f"tf.math.atan2(a: y, b: x, {_KEYWORD})"],
    numpy="np.arctan2(a, b)",
    kind=lambda kinds: joined(kinds["a"], kinds["b"]),
)
HYPOT = Rule(torch="torch.hypot(x: input, y: other)", numpy="np.hypot(x, y)", kind=both)
# 0 * log(NaN) is NaN in PyTorch and 0 in TensorFlow: it stands as it is.
XLOGY = Rule(
    torch=["torch.xlogy(x: input, y: other)", "torch.special.xlogy(x: input, y: other)"],
    tf=f"tf.math.xlogy(x, y, {_KEYWORD})",
    kind=both,
)
XLOG1PY = Rule(torch="torch.special.xlog1py(x: input, y: other)", tf=f"tf.math.xlog1py(x, y, {_KEYWORD})", kind=both)
XDIVY = Rule(tf=f"tf.math.xdivy(x, y, {_KEYWORD})", kind=both)
NEXT = Rule(
    torch="torch.nextafter(x: input, y: other)",
    tf=f"tf.math.nextafter(x: x1, y: x2, {_KEYWORD})",
    numpy="np.nextafter(x, y)",
    kind=both,
)
RULES = [ATAN2, HYPOT, XLOGY, XLOG1PY, XDIVY, NEXT]


def _first_typed(rule: Rule, function: str) -> None:
    """Give a number that stands first the type of what stands second, which TensorFlow's graphs want."""

    @rule.writes("tf")
    def _(w: Writer, x: Expression, y: Expression) -> Expression:
        first, second = w.kinds["x"], w.kinds["y"]
        x, y = w.meeting(x, first, y, second)
        if first.sort is Sort.STATIC and second.tensor:
            x = w.filled_like(y, second, x)
        return w.build(f"{function}({{x}}, {{y}})", x=x, y=y)


_first_typed(XLOGY, "tf.math.xlogy")
_first_typed(XLOG1PY, "tf.math.xlog1py")
HYPOT.form("tf.experimental.numpy.hypot({x}, {y})", "tf")


@XDIVY.writes("torch", "numpy")
def _xdivy(w: Writer, x: Expression, y: Expression) -> Expression:
    where = {"torch": "torch.where", "numpy": "np.where"}[w.to]
    return w.build(f"{where}({{x}} == 0, 0, {{x}} / {{y}})", x=x, y=y)


XLOGY.form("np.where({x} == 0, 0, {x} * np.log(np.where({x} == 0, 1, {y})))", "numpy")
