"""Cumulative sums, products and logarithms of sums, along an axis.

After a NaN or an infinity, TensorFlow's cumulative_logsumexp gives other numbers than PyTorch's logcumsumexp.
"""

from porting.translate.calls import flag
from porting.translate.code import Expression, Given
from porting.translate.rule import Rule, Writer
from porting.translate.rules.reduce import reduced

_TF = "(x, axis=0, exclusive=False, reverse=False, _name: name=None)"
CUMSUM = Rule(
    torch="torch.cumsum(x: input, axis: dim, *, dtype=None)",
    tf=[f"tf.cumsum{_TF}", f"tf.math.cumsum{_TF}"],
    numpy="np.cumsum(x: a, axis, dtype=None)",
    kind=reduced,
)
CUMPROD = Rule(
    torch="torch.cumprod(x: input, axis: dim, *, dtype=None)",
    tf=f"tf.math.cumprod{_TF}",
    numpy="np.cumprod(x: a, axis, dtype=None)",
    kind=reduced,
)
LOGCUMSUMEXP = Rule(
    torch="torch.logcumsumexp(x: input, axis: dim)",
    tf=f"tf.math.cumulative_logsumexp{_TF}",
    numpy="np.logaddexp.accumulate(x: array, axis=0)",
)
RULES = [CUMSUM, CUMPROD, LOGCUMSUMEXP]
_SHIFTED = '''
def _shifted(x, axis, first):
    """x moved on by one along an axis, with a number in the first place."""
    kept = x.narrow(axis, 0, x.shape[axis] - 1)
    return torch.cat([torch.full_like(x.narrow(axis, 0, 1), first), kept], axis)
'''


def _running(rule: Rule, torch: str, tf: str, numpy: str, first: str) -> None:
    @rule.writes("torch")
    def _(
        w: Writer,
        x: Expression,
        axis: Given = None,
        exclusive: Given = None,
        reverse: Given = None,
    ) -> Expression:
        """Exclusive: each place has the sum of what stands before it."""
        axis = axis if axis is not None else w.build("0")
        back = flag(w, reverse, tf)
        if back:
            x = w.build("{x}.flip({axis})", x=x, axis=axis)
        if flag(w, exclusive, tf):
            w.helper("_shifted", _SHIFTED)
            x = w.build(f"_shifted({{x}}, {{axis}}, {first})", x=x, axis=axis)
        made = w.build(f"{{x}}.{torch}({{axis}})", x=x, axis=axis)
        return w.build("{made}.flip({axis})", made=made, axis=axis) if back else made

    @rule.writes("tf")
    def _(w: Writer, x: Expression, axis: Expression, dtype: Given = None) -> Expression:
        if dtype is not None:
            x = w.build("tf.cast({x}, {dtype})", x=x, dtype=dtype)
        elif w.kinds["x"].mask:
            x = w.build("tf.cast({x}, tf.int64)", x=x)
        return w.build(f"{tf}({{x}}, {{axis}})", x=x, axis=axis)

    @rule.writes("numpy")
    def _(
        w: Writer,
        x: Expression,
        axis: Given = None,
        dtype: Given = None,
        exclusive: Given = None,
        reverse: Given = None,
    ) -> Expression:
        if exclusive is not None or reverse is not None:
            raise w.refuse(f"{tf}: exclusive and reverse have no counterpart in NumPy")
        axis = axis if axis is not None else w.build("0")
        if dtype is not None:
            return w.build(f"{numpy}({{x}}, {{axis}}, dtype={{dtype}})", x=x, axis=axis, dtype=dtype)
        return w.build(f"{numpy}({{x}}, {{axis}})", x=x, axis=axis)


_running(CUMSUM, "cumsum", "tf.cumsum", "np.cumsum", "0")
_running(CUMPROD, "cumprod", "tf.math.cumprod", "np.cumprod", "1")
_running(LOGCUMSUMEXP, "logcumsumexp", "tf.math.cumulative_logsumexp", "np.logaddexp.accumulate", "-torch.inf")
