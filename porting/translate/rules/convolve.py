"""Convolutions of PyTorch and their patches: it has the channels of images first, TensorFlow last."""

from typing import Final

from porting.translate.abstract_value import Sort
from porting.translate.calls import whole
from porting.translate.code import Expression, Given
from porting.translate.rule import Rule, Writer

CONV2D = Rule(
    torch="torch.nn.functional.conv2d(x: input, kernel: weight, bias=None, stride=1, padding=0, dilation=1, groups=1)",
    kind="x",
)
UNFOLD = Rule(
    torch="torch.nn.functional.unfold(x: input, size: kernel_size, dilation=1, padding=0, stride=1)", kind="x"
)
RULES = [CONV2D, UNFOLD]
_AXES: Final = 4

_BOTH_AXES = '''
def _both_axes(n):
    """Return the numbers for the two axes of an image, of one for both, of two, or of one for each axis of all."""
    n = (n,) if isinstance(n, int) else tuple(n)
    return n * 2 if len(n) == 1 else n[1:-1] if len(n) == 4 else n
'''
_TF_PADDED = '''
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
_TF_UNFOLD = '''
def _unfold(x, size, stride, padding):
    """Return the patches of images that have the channels first, one in each column."""
    y = tf.image.extract_patches(_channels_last(x, padding), [1, *size, 1], [1, *stride, 1], [1] * 4, "VALID")
    batch, high, wide, _ = tf.unstack(tf.shape(y))
    y = tf.transpose(tf.reshape(y, [batch, high * wide, size[0] * size[1], x.shape[1]]), [0, 3, 2, 1])
    return tf.reshape(y, [batch, x.shape[1] * size[0] * size[1], high * wide])
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
    for name, value in (("dilation", dilation), ("groups", groups)):
        if value is not None and whole(w, value) != 1:
            raise w.refuse(f"torch.nn.functional.conv2d: {name} has no rule")
    by = two_axes(w, stride, "1", "torch.nn.functional.conv2d: stride")
    around = two_axes(w, padding, "0", "torch.nn.functional.conv2d: padding")
    w.helper("_channels_last", _TF_PADDED)
    w.helper("_conv2d", _TF_CONV2D)
    made = w.build(f"_conv2d({{x}}, {{kernel}}, {by}, {around})", x=x, kernel=kernel)
    if bias is None or w.code(bias) == "None":
        return made
    if w.kinds["bias"].sort is not Sort.TENSOR:
        raise w.refuse("torch.nn.functional.conv2d: is there a bias? Not known here")
    return w.build("{y} + {bias}[:, None, None]", y=made, bias=bias)


@UNFOLD.writes("tf")
def _unfold(
    w: Writer, x: Expression, size: Expression, dilation: Given = None, padding: Given = None, stride: Given = None
) -> Expression:
    if dilation is not None and whole(w, dilation) != 1:
        raise w.refuse("torch.nn.functional.unfold: dilation has no rule")
    parts = ((size, "1", "kernel_size"), (stride, "1", "stride"), (padding, "0", "padding"))
    given = ", ".join(two_axes(w, part, other, f"torch.nn.functional.unfold: {name}") for part, other, name in parts)
    w.helper("_channels_last", _TF_PADDED)
    w.helper("_unfold", _TF_UNFOLD)
    return w.build(f"_unfold({{x}}, {given})", x=x)


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
