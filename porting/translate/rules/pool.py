"""The largest numbers and the means of windows of images: PyTorch has the channels first, TensorFlow last.

The padding SAME counts for no number: a mean is one of what lies in the image. Of a window with NaN, TensorFlow has
the largest of the other numbers, and PyTorch has NaN.
"""

from typing import Any, Final

from porting.translate.code import Expression, Given
from porting.translate.rule import Rule, Writer
from porting.translate.rules.convolve import two_axes
from porting.translate.rules.convolve_tf import numbers_of, with_channels_last

_REST: Final = "size: ksize, strides, padding, data_format='NHWC', _name: name=None"
MAX, MEAN = (Rule(tf=f"tf.nn.{name}_pool2d(x: input, {_REST})") for name in ("max", "avg"))
ANY_MAX, ANY_MEAN = (  # of as many axes as the windows have
    Rule(
        tf=[
            f"tf.nn.{name}_pool(x: input, {_REST})",
            f"tf.compat.v1.nn.{name}_pool(x: value, {_REST})",
            f"tf.raw_ops.{name.title()}Pool(x: {first}, {_REST})",
        ]
    )
    for name, first in (("max", "input"), ("avg", "value"))
)
RULES = [MAX, MEAN, ANY_MAX, ANY_MEAN]
_MAX: Final = '''
def _max_pool(x, size, stride, padding):
    """The largest numbers of windows of images that have the channels last."""
    x = _channels_first(x, size, stride, padding, value=-torch.inf)
    return torch.nn.functional.max_pool2d(x, size, stride).movedim(1, -1)
'''
_MEAN: Final = '''
def _avg_pool(x, size, stride, padding):
    """The means of windows of images that have the channels last; zeros around an image are not counted."""
    total, count = (_channels_first(part, size, stride, padding) for part in (x, torch.ones_like(x)))
    pool = torch.nn.functional.avg_pool2d
    return (pool(total, size, stride) / pool(count, size, stride)).movedim(1, -1)
'''


def _pooled(rule: Rule, other: Rule, helper: str, text: str, what: str) -> None:
    @rule.writes("torch")
    def write(
        w: Writer,
        x: Expression,
        size: Expression,
        strides: Expression,
        padding: Expression,
        data_format: Given = None,
    ) -> Expression:
        with_channels_last(w, data_format, what)
        given = f"{two_axes(w, size, '1', f'{what}: ksize')}, {numbers_of(w, strides, padding, None, what)}"
        w.helper(helper, text)
        return w.build(f"{helper}({{x}}, {given})", x=x)

    @other.writes("torch")
    def _(w: Writer, size: Expression, **given: Any) -> Expression:
        if not w.is_sequence(size) or len(w.parts(size)) not in {2, 4}:
            raise w.refuse(f"{what}: over how many axes? Not known here; {what}2d has a rule")
        return write(w, size=size, **given)


_pooled(MAX, ANY_MAX, "_max_pool", _MAX, "tf.nn.max_pool")
_pooled(MEAN, ANY_MEAN, "_avg_pool", _MEAN, "tf.nn.avg_pool")
