"""Convolutions of images and their patches: PyTorch has the channels first, TensorFlow last."""

from typing import Final

from porting.translate.abstract_value import Sort
from porting.translate.calls import whole
from porting.translate.code import Expression, Given
from porting.translate.rule import Rule, Writer

CONV2D = Rule(
    torch="torch.nn.functional.conv2d(x: input, kernel: weight, bias=None, stride=1, padding=0, dilation=1, groups=1)",
    kind="x",
)
TF_CONV2D = Rule(
    tf="tf.nn.conv2d(x: input, kernel: filters, strides, padding, data_format='NHWC', dilations=None, "
    "_name: name=None)",
    kind="x",
)
UNFOLD = Rule(
    torch="torch.nn.functional.unfold(x: input, size: kernel_size, dilation=1, padding=0, stride=1)", kind="x"
)
PATCHES = Rule(tf="tf.image.extract_patches(x: images, sizes, strides, rates, padding, _name: name=None)", kind="x")
RULES = [CONV2D, TF_CONV2D, UNFOLD, PATCHES]
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
_TORCH_PADDED = '''
def _channels_first(x, size, stride, padding):
    """Return images with the channels first, and zeros around them so that each stride has a place."""
    x, widths = x.permute(0, 3, 1, 2), []
    for n, k, s in zip(x.shape[2:], size, stride) if padding == "SAME" else ():
        zeros = max((-(-n // s) - 1) * s + k - n, 0)
        widths = [zeros // 2, zeros - zeros // 2, *widths]
    return torch.nn.functional.pad(x, widths)
'''
_TORCH_CONV2D = '''
def _conv2d(x, kernel, stride, padding):
    """Convolve images that have the channels last."""
    x = _channels_first(x, kernel.shape[:2], stride, padding)
    return torch.nn.functional.conv2d(x, kernel.permute(3, 2, 0, 1), stride=stride).permute(0, 2, 3, 1)
'''
_TORCH_PATCHES = '''
def _patches(x, size, stride, padding):
    """Return the patches of images that have the channels last."""
    batch, channels = x.shape[0], x.shape[-1]
    x = _channels_first(x, size, stride, padding)
    high, wide = ((n - k) // s + 1 for n, k, s in zip(x.shape[2:], size, stride))
    y = torch.nn.functional.unfold(x, size, stride=stride).reshape(batch, channels, -1, high * wide)
    return y.permute(0, 3, 2, 1).reshape(batch, high, wide, -1)
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
    by = _two(w, stride, "1", "torch.nn.functional.conv2d: stride")
    around = _two(w, padding, "0", "torch.nn.functional.conv2d: padding")
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
    given = ", ".join(_two(w, part, other, f"torch.nn.functional.unfold: {name}") for part, other, name in parts)
    w.helper("_channels_last", _TF_PADDED)
    w.helper("_unfold", _TF_UNFOLD)
    return w.build(f"_unfold({{x}}, {given})", x=x)


@TF_CONV2D.writes("torch")
def _tf_conv2d(
    w: Writer,
    x: Expression,
    kernel: Expression,
    strides: Expression,
    padding: Expression,
    data_format: Given = None,
    dilations: Given = None,
) -> Expression:
    if dilations is not None or (data_format is not None and w.text(data_format) != "NHWC"):
        raise w.refuse("tf.nn.conv2d: a rule for images with the channels last, and no dilations")
    by, around = _two(w, strides, "1", "tf.nn.conv2d: strides"), _padding(w, padding, "tf.nn.conv2d")
    w.helper("_channels_first", _TORCH_PADDED)
    w.helper("_conv2d", _TORCH_CONV2D)
    return w.build(f"_conv2d({{x}}, {{kernel}}, {by}, {around})", x=x, kernel=kernel)


@PATCHES.writes("torch")
def _patches(
    w: Writer, x: Expression, sizes: Expression, strides: Expression, rates: Expression, padding: Expression
) -> Expression:
    if _two(w, rates, "1", "tf.image.extract_patches: rates") != "(1, 1)":
        raise w.refuse("tf.image.extract_patches: rates have no rule")
    size, by = (_two(w, part, "1", "tf.image.extract_patches: sizes and strides") for part in (sizes, strides))
    w.helper("_channels_first", _TORCH_PADDED)
    w.helper("_patches", _TORCH_PATCHES)
    return w.build(f"_patches({{x}}, {size}, {by}, {_padding(w, padding, 'tf.image.extract_patches')})", x=x)


def _two(w: Writer, given: Given, other: str, what: str) -> str:
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


def _padding(w: Writer, padding: Expression, what: str) -> str:
    said = w.text(padding).upper()
    if said not in {"SAME", "VALID"}:
        raise w.refuse(f"{what}: a rule for the paddings SAME and VALID alone")
    return f'"{said}"'
