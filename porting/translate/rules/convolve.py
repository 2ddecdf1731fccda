"""Convolutions of PyTorch: it has the channels of images first, TensorFlow last.

TensorFlow has no gradient of a convolution in groups on a CPU. So each group is convolved by itself.
"""

from typing import Final

from porting.translate.abstract_value import Sort
from porting.translate.calls import whole
from porting.translate.code import Expression, Given
from porting.translate.rule import Rule, Writer

GIVEN: Final = "(x: input, kernel: weight, bias=None, stride=1, padding=0, dilation=1, groups=1)"
CONV2D = Rule(torch=[f"torch.nn.functional.conv2d{GIVEN}", f"torch.conv2d{GIVEN}"], kind="x")
RULES = [CONV2D]
_AXES: Final = 4

_BOTH_AXES = '''
def _both_axes(n):
    """Return the numbers for the two axes of an image, of one for both, of two, or of one for each axis of all."""
    n = (n,) if isinstance(n, int) else tuple(n)
    return n * 2 if len(n) == 1 else n[1:-1] if len(n) == 4 else n
'''
TF_CHANNELS_LAST = '''
def _channels_last(x, padding):
    """Return images with the channels last and zeros around them."""
    return tf.pad(tf.transpose(x, [0, 2, 3, 1]), [[0, 0], [padding[0]] * 2, [padding[1]] * 2, [0, 0]])
'''
_TF_CONV2D = '''
def _conv2d(x, kernel, stride, padding):
    """Convolve images that have the channels first."""
    x = _channels_last(x, padding)
    return tf.transpose(tf.nn.conv2d(x, tf.transpose(kernel, [2, 3, 1, 0]), stride, "VALID"), [0, 3, 1, 2])
'''
_TF_GROUPS = '''
def _in_groups(convolve, x, kernel, *numbers, groups):
    """Convolve images that have the channels first: each group of channels with kernels of its own."""
    pairs = zip(tf.split(x, groups, 1), tf.split(kernel, groups))
    return tf.concat([convolve(x, kernel, *numbers) for x, kernel in pairs], 1)
'''


@CONV2D.writes("tf")
def _conv2d(
    w: Writer,
    x: Expression,
    kernel: Expression,
    bias: Given = None,
    stride: Given = None,
    padding: Given = None,
    dilation: Given = None,
    groups: Given = None,
) -> Expression:
    what = "torch.nn.functional.conv2d"
    undilated(w, dilation, what)
    by, around = two_axes(w, stride, "1", f"{what}: stride"), two_axes(w, padding, "0", f"{what}: padding")
    return biased(w, convolved(w, x, kernel, f"{by}, {around}", groups), bias, 2, what)


def undilated(w: Writer, dilation: Given, what: str) -> None:
    """Refuse a dilated convolution: its gradient has no kernel on TensorFlow's CPU."""
    if dilation is not None and two_axes(w, dilation, "1", f"{what}: dilation") != "(1, 1)":
        raise w.refuse(f"{what}: dilation has no rule")


def convolved(w: Writer, x: Expression, kernel: Expression, numbers: str, groups: Given) -> Expression:
    """Return a convolution of images."""
    w.helper("_channels_last", TF_CHANNELS_LAST)
    w.helper("_conv2d", _TF_CONV2D)
    return in_groups(w, "_conv2d", x, kernel, numbers, groups)


def in_groups(w: Writer, helper: str, x: Expression, kernel: Expression, numbers: str, groups: Given) -> Expression:
    """Return the call of a convolution, for each group of channels if there are groups."""
    if groups is None or whole(w, groups) == 1:
        return w.build(f"{helper}({{x}}, {{kernel}}, {numbers})", x=x, kernel=kernel)
    w.helper("_in_groups", _TF_GROUPS)
    text = f"_in_groups({helper}, {{x}}, {{kernel}}, {numbers}, groups={{groups}})"
    return w.build(text, x=x, kernel=kernel, groups=groups)


def biased(w: Writer, made: Expression, bias: Given, axes: int, what: str) -> Expression:
    """Return a convolution with its bias, a number for each channel; `axes` come behind the channels."""
    if bias is None or w.code(bias) == "None":
        return made
    if w.kinds["bias"].sort is not Sort.TENSOR:
        raise w.refuse(f"{what}: is there a bias? Not known here")
    return w.build(f"{{y}} + {{bias}}[:{', None' * axes}]", y=made, bias=bias)


def two_axes(w: Writer, given: Given, other: str, what: str) -> str:
    """Return the numbers for the two axes of an image: of one for both, of two, or of one for each axis of all."""
    if given is None:
        return f"({other}, {other})"
    if w.is_sequence(given) and not any(map(w.starred, given.elements)):  # type: ignore[attr-defined]  # it has some
        parts = [w.code(part) for part in w.parts(given)]
        parts = parts[1:-1] if len(parts) == _AXES else parts * 2 if len(parts) == 1 else parts
        if len(parts) == 2:
            return f"({', '.join(parts)})"
    code = w.code(given)
    if code.isdecimal():
        return f"({code}, {code})"
    if w.text(given):
        raise w.refuse(f"{what} is a text, which has no rule")
    w.helper("_both_axes", _BOTH_AXES)
    return f"_both_axes({code})"
