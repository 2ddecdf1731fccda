"""Limits numbers to an interval. ``tf.clip_by_value`` needs both ends.

If the ends are in the wrong order, PyTorch and NumPy return the upper one, TensorFlow the lower one. A translation does
not change that.
"""

from collections.abc import Mapping

from porting.translate.abstract_value import Abstract, joined
from porting.translate.code import Expression, Given
from porting.translate.rule import Rule, Writer


def _kind(kinds: Mapping[str, Abstract]) -> Abstract:
    return joined(*kinds.values())


CLIP = Rule(
    torch=[
        "torch.clamp(x: input, low: min=None, high: max=None)",
        "torch.clip(x: input, low: min=None, high: max=None)",
    ],
    tf=[
        "tf.clip_by_value(x: t, low: clip_value_min, high: clip_value_max, _name: name=None)",
        "tf.raw_ops.ClipByValue(x: t, low: clip_value_min, high: clip_value_max, _name: name=None)",
        "tf.keras.backend.clip(x, low: min_value, high: max_value)",
        "tf.keras.ops.clip(x, low: x_min, high: x_max)",
    ],
    numpy="np.clip(x: a, low: a_min=None, high: a_max=None)",
    kind=_kind,
)
LOW = Rule(torch="torch.clamp_min(x: input, low: min)", kind=_kind)
HIGH = Rule(torch="torch.clamp_max(x: input, high: max)", kind=_kind)
RULES = [CLIP, LOW, HIGH]


@CLIP.writes("torch")
def _torch(w: Writer, x: Expression, low: Expression, high: Expression) -> Expression:
    if w.kinds["low"].tensor != w.kinds["high"].tensor:  # clamp takes two tensors or two numbers
        return w.build("{x}.clamp(min={low}).clamp(max={high})", x=x, low=low, high=high)
    return w.build("{x}.clamp({low}, {high})", x=x, low=low, high=high)


@CLIP.writes("tf", "numpy")
@LOW.writes("tf", "numpy")
@HIGH.writes("tf", "numpy")
def _one_or_both(w: Writer, x: Expression, low: Given = None, high: Given = None) -> Expression:
    kind = w.kinds["x"]
    ends = [w.kinds[name] for name in ("low", "high") if name in w.kinds]
    if w.to == "tf" and kind.tensor and kind.number == "int" and any(end.number == "float" for end in ends):
        x = w.build("tf.cast({x}, tf.float32)", x=x)
    library = {"tf": "tf", "numpy": "np"}[w.to]
    if low is not None and high is not None:
        function = {"tf": "tf.clip_by_value", "numpy": "np.clip"}[w.to]
        return w.build(f"{function}({{x}}, {{low}}, {{high}})", x=x, low=low, high=high)
    if low is not None:
        return w.build(f"{library}.maximum({{x}}, {{low}})", x=x, low=low)
    if high is not None:
        return w.build(f"{library}.minimum({{x}}, {{high}})", x=x, high=high)
    raise w.refuse("torch.clamp: neither min nor max is given")
