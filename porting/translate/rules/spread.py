"""Variances and norms. By default PyTorch divides the variance by n - 1, as for a sample; TensorFlow divides by n."""

from collections.abc import Mapping
from typing import Any

from porting.translate.abstract_value import Abstract, Sort
from porting.translate.calls import call, method
from porting.translate.code import Expression, Given
from porting.translate.rule import Rule, Writer
from porting.translate.rules.reduce import as_tuple, none_is_all, one_axis

_TORCH = "(x: input, axis: dim=None, unbiased=True, keepdims: keepdim=False, *, correction=1)"


def _pair(kinds: Mapping[str, Abstract]) -> Abstract:
    return Abstract(Sort.TUPLE, items=(kinds["x"], kinds["x"]))


VAR = Rule(
    torch=f"torch.var{_TORCH}",
    tf="tf.math.reduce_variance(x: input_tensor, axis=None, keepdims=False, _name: name=None)",
    numpy="np.var(x: a, axis=None, *, ddof=0, keepdims=False)",
)
STD = Rule(
    torch=f"torch.std{_TORCH}",
    tf="tf.math.reduce_std(x: input_tensor, axis=None, keepdims=False, _name: name=None)",
    numpy="np.std(x: a, axis=None, *, ddof=0, keepdims=False)",
)
VAR_MEAN = Rule(torch=f"torch.var_mean{_TORCH}", kind=_pair)
STD_MEAN = Rule(torch=f"torch.std_mean{_TORCH}", kind=_pair)
MOMENTS = Rule(tf="tf.nn.moments(x, axis: axes, _shift: shift=None, keepdims=False, _name: name=None)", kind=_pair)
RULES = [VAR, STD, VAR_MEAN, STD_MEAN, MOMENTS]


def _freedom(w: Writer, what: str, axis: Given, unbiased: Given, correction: Given) -> tuple[Any, bool]:
    """Return the axes, and whether the sum is divided by n - 1."""
    if axis is not None and w.code(axis) in {"True", "False"}:  # torch.var(x, False)
        axis, unbiased = None, axis
    said = {w.code(option) for option in (unbiased, correction) if option is not None}
    if not said <= {"True", "False", "0", "1"} or len(said) > 1:
        raise w.refuse(f"torch.{what}: a rule for correction 0 and 1 alone")
    return none_is_all(w, axis), said <= {"True", "1"}


def _spread(w: Writer, what: str, x: Expression, axis: Given, keepdims: Given, sample: bool) -> Expression:
    if w.to == "numpy":
        ddof = w.build("1") if sample else None
        return call(w, f"np.{what}", x, as_tuple(w, axis), ddof=ddof, keepdims=keepdims)
    made = call(w, f"tf.math.reduce_{'variance' if what == 'var' else 'std'}", x, axis, keepdims=keepdims)
    if not sample:
        return made
    if axis is not None and w.is_sequence(axis) and len(w.parts(axis)) > 1:
        raise w.refuse(f"torch.{what}: divides by n - 1 over several axes, TensorFlow by n")
    axis = one_axis(w, axis)
    count = "{x}.shape.num_elements()" if axis is None else "{x}.shape[{axis}]"
    share = f"({count} / ({count} - 1))" + ("" if what == "var" else " ** 0.5")
    return w.build(f"{{made}} * {share}", made=made, x=x, **({} if axis is None else {"axis": axis}))


def _spreads(rule: Rule, what: str) -> None:
    @rule.writes("tf", "numpy")
    def _(
        w: Writer,
        x: Expression,
        axis: Given = None,
        unbiased: Given = None,
        keepdims: Given = None,
        correction: Given = None,
    ) -> Expression:
        if w.of == "tf":  # to NumPy, which divides by n too
            return _spread(w, what, x, axis, keepdims, sample=False)
        axis, sample = _freedom(w, what, axis, unbiased, correction)
        return _spread(w, what, x, axis, keepdims, sample=sample)

    @rule.writes("torch")
    def _(w: Writer, x: Expression, axis: Given = None, keepdims: Given = None) -> Expression:
        if axis is not None and w.is_sequence(axis) and not w.parts(axis):
            raise w.refuse("tf.math.reduce_variance: over no axis")
        return method(w, x, what, one_axis(w, axis), correction=w.build("0"), keepdim=keepdims)


_spreads(VAR, "var")
_spreads(STD, "std")


def _with_mean(rule: Rule, what: str) -> None:
    @rule.writes("tf", "numpy")
    def _(
        w: Writer,
        x: Expression,
        axis: Given = None,
        unbiased: Given = None,
        keepdims: Given = None,
        correction: Given = None,
    ) -> Expression:
        axis, sample = _freedom(w, f"{what}_mean", axis, unbiased, correction)
        mean = call(w, "tf.reduce_mean" if w.to == "tf" else "np.mean", x, axis, keepdims=keepdims)
        return w.pair(_spread(w, what, x, axis, keepdims, sample=sample), mean)


_with_mean(VAR_MEAN, "var")
_with_mean(STD_MEAN, "std")


@MOMENTS.writes("torch")
def _moments(w: Writer, x: Expression, axis: Expression, keepdims: Given = None) -> Expression:
    axis = one_axis(w, axis)
    if w.is_sequence(axis) and not w.parts(axis):
        raise w.refuse("tf.nn.moments: over no axis")
    mean = method(w, x, "mean", axis, keepdim=keepdims)
    return w.pair(mean, method(w, x, "var", axis, correction=w.build("0"), keepdim=keepdims))
