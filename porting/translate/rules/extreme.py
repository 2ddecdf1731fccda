"""The largest and the smallest number, and its place: if there is a NaN, TensorFlow's argmax finds another number.

A place is never NaN itself, so that no check of NaN sees which one it is: a function of our own finds it there.
"""

from collections.abc import Mapping
from typing import Final

from porting.translate.abstract_value import INT, Abstract, Sort, joined
from porting.translate.calls import MODULES, call, method
from porting.translate.code import Expression, Given
from porting.translate.rule import Rule, Writer
from porting.translate.rules.reduce import one_axis


def _extreme(kinds: Mapping[str, Abstract]) -> Abstract:
    if "axis" not in kinds:
        return kinds["x"]
    return joined(kinds["x"], kinds["axis"]) if kinds["axis"].tensor else Abstract(Sort.TUPLE, items=(kinds["x"], INT))


MAX = Rule(torch="torch.max(x: input, axis: dim=None, keepdims: keepdim=False)", kind=_extreme)
MIN = Rule(torch="torch.min(x: input, axis: dim=None, keepdims: keepdim=False)", kind=_extreme)
ARGMAX, ARGMIN = (
    Rule(
        torch=f"torch.{word}(x: input, axis: dim=None, keepdims: keepdim=False)",
        tf=[
            f"{path}{word}(x: input, axis=None, _output_type: output_type=None, _name: name=None)"
            for path in ("tf.", "tf.math.")
        ],
        numpy=f"np.{word}(x: a, axis=None, *, keepdims=False)",
        kind=INT,
    )
    for word in ("argmax", "argmin")
)
RULES = [MAX, MIN, ARGMAX, ARGMIN]


_NAN_FIRST: Final = '''
def _{word}(x, axis=None, keepdims=False):
    """The place of the first NaN, if there is one, as in PyTorch; of all elements where no axis is given."""
    x, axis = (tf.reshape(x, [-1]), 0) if axis is None else (x, axis)
    nan = x != x
    at = tf.where(tf.reduce_any(nan, axis), tf.argmax(nan, axis), tf.{word}(x, axis))
    return tf.expand_dims(at, axis) if keepdims else at
'''


def _place(w: Writer, word: str, x: Expression, axis: Given, keepdims: Given) -> Expression:
    if w.kinds["x"].number != "int":
        w.helper(f"_{word}", _NAN_FIRST.format(word=word))
        return call(w, f"_{word}", x, axis, keepdims=keepdims)
    if axis is None:
        return w.build(f"tf.{word}(tf.reshape({{x}}, [-1]))", x=x)
    at = w.build(f"tf.{word}({{x}}, {{axis}})", x=x, axis=axis)
    return at if keepdims is None else w.build("tf.expand_dims({at}, {axis})", at=at, axis=axis)


def _extremes(rule: Rule, word: str) -> None:
    @rule.writes("tf")
    def _(w: Writer, x: Expression, axis: Given = None, keepdims: Given = None) -> Expression:
        if axis is None:
            return w.build(f"tf.reduce_{word}({{x}})", x=x)
        if w.kinds["axis"].tensor:
            return _larger(w, x, axis)
        at = _place(w, f"arg{word}", x, axis, keepdims)
        return w.pair(call(w, f"tf.reduce_{word}", x, axis, keepdims=keepdims), at)

    @rule.writes("numpy")
    def _(w: Writer, x: Expression, axis: Given = None, keepdims: Given = None) -> Expression:
        if axis is None:
            return w.build(f"np.{word}({{x}})", x=x)
        if w.kinds["axis"].tensor:
            return _larger(w, x, axis)
        return w.pair(*(call(w, f"np.{name}", x, axis, keepdims=keepdims) for name in (word, f"arg{word}")))

    def _larger(w: Writer, x: Expression, y: Expression) -> Expression:
        """torch.max(x, y) is the larger of both, element by element."""
        x, y = w.meeting(x, w.kinds["x"], y, w.kinds["axis"])
        return w.build(f"{MODULES[w.to]}.{word}imum({{x}}, {{y}})", x=x, y=y)


_extremes(MAX, "max")
_extremes(MIN, "min")


def _where_it_is(rule: Rule, word: str) -> None:
    @rule.writes("tf")
    def _(w: Writer, x: Expression, axis: Given = None, keepdims: Given = None) -> Expression:
        if axis is None and keepdims is not None:
            raise w.refuse(f"torch.{word}: keepdim without dim has no counterpart")
        return _place(w, word, x, axis, keepdims)

    @rule.writes("torch")
    def _(w: Writer, x: Expression, axis: Given = None) -> Expression:
        if w.kinds["x"].number != "int":
            w.note(f"tf.{word} passes over a NaN; torch.{word} gives its place.")
        return method(w, x, word, one_axis(w, axis) if axis is not None else w.build("0"))

    @rule.writes("numpy")
    def _(w: Writer, x: Expression, axis: Given = None, keepdims: Given = None) -> Expression:
        axis = w.build("0") if axis is None and w.of == "tf" else axis
        return call(w, f"np.{word}", x, axis, keepdims=keepdims)


_where_it_is(ARGMAX, "argmax")
_where_it_is(ARGMIN, "argmin")
