"""Limits numbers to an interval. ``tf.clip_by_value`` needs both ends.

If the ends are in the wrong order, PyTorch and NumPy return the upper one, TensorFlow the lower one. Of ends that are
not known to be in order, the one that wins is taken last; within a custom gradient, and of ``-c`` and ``c``, the
difference is only said, unless the translation must hold for every case.
"""

from collections.abc import Mapping

from porting.translate.abstract_value import Abstract, joined
from porting.translate.code import Expression, Given
from porting.translate.dialects import TITLES
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
    both = w.kinds["low"].tensor == w.kinds["high"].tensor  # clamp takes two tensors or two numbers
    if both and _are_in_order(w, low, high):
        return w.build("{x}.clamp({low}, {high})", x=x, low=low, high=high)
    return w.build("{x}.clamp(max={high}).clamp(min={low})", x=x, low=low, high=high)


def _are_in_order(w: Writer, low: Expression, high: Expression) -> bool:
    """Whether the lower end is known to be no higher than the other one, or is the same with a minus."""
    lower, upper = w.number(low), w.number(high)
    if lower is not None and upper is not None:
        return lower <= upper
    sides = f"{TITLES[w.of]} and {TITLES[w.to]}"
    if w.code(low) == f"-{w.code(high)}":
        w.note(f"for a negative {w.code(high)} {sides} return different ends of {w.code(low)}, {w.code(high)}.")
        return True
    tensor = w.kinds["low"].tensor or w.kinds["high"].tensor
    if not w.quiet or tensor or "rest" in w.general or w.to == "numpy":
        return False
    w.note(f"where {w.code(low)} is above {w.code(high)}, {sides} return different ones of the two.")
    return True


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
        alike = {w.of, w.to} == {"torch", "numpy"}  # the upper end wins in both
        if alike or _are_in_order(w, low, high):
            function = {"tf": "tf.clip_by_value", "numpy": "np.clip"}[w.to]
            return w.build(f"{function}({{x}}, {{low}}, {{high}})", x=x, low=low, high=high)
        last, first = ("maximum", "minimum") if w.of == "tf" else ("minimum", "maximum")
        held: dict[str, Given] = {"maximum": low, "minimum": high}
        inner = w.build(f"{library}.{first}({{x}}, {{end}})", x=x, end=held[first])
        return w.build(f"{library}.{last}({{x}}, {{end}})", x=inner, end=held[last])
    if low is not None:
        return w.build(f"{library}.maximum({{x}}, {{low}})", x=x, low=low)
    if high is not None:
        return w.build(f"{library}.minimum({{x}}, {{high}})", x=x, high=high)
    raise w.refuse("torch.clamp: neither min nor max is given")
