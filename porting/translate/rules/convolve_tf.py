"""Convolutions of TensorFlow, their gradients and patches: it has the channels of images last, PyTorch first.

The padding SAME has zeros for each stride to have a place: where their number is odd, one more after the image.
"""

from typing import Final

from porting.translate.abstract_value import Sort
from porting.translate.code import Expression, Given
from porting.translate.rule import Rule, Writer
from porting.translate.rules.convolve import two_axes

_REST: Final = "data_format='NHWC', dilations=None, _name: name=None"
_V1: Final = "_cudnn: use_cudnn_on_gpu=True, data_format='NHWC', dilations=[1, 1, 1, 1], _name: name=None"
_RATE: Final = "dilations: rate=None, _name: name=None, data_format='NHWC'"
_RAW: Final = f"{_V1}, explicit_paddings=[]"
CONV2D = Rule(
    tf=[
        f"tf.nn.conv2d(x: input, kernel: filters, strides, padding, {_REST})",
        f"tf.compat.v1.nn.conv2d(x: input, kernel: filter, strides, padding, {_V1})",
        f"tf.raw_ops.Conv2D(x: input, kernel: filter, strides, padding, {_RAW})",
    ]
)
ATROUS = Rule(tf="tf.nn.atrous_conv2d(x: value, kernel: filters, rate, padding, _name: name=None)")
DEPTHWISE = Rule(
    tf=[
        f"tf.nn.depthwise_conv2d(x: input, kernel: filter, strides, padding, {_REST})",
        f"tf.compat.v1.nn.depthwise_conv2d(x: input, kernel: filter, strides, padding, {_RATE})",
    ]
)
CONV1D = Rule(
    tf="tf.nn.conv1d(x: input, kernel: filters, stride, padding, data_format='NWC', dilations=None, _name: name=None)"
)
TRANSPOSE = Rule(
    tf=f"tf.nn.conv2d_transpose(x: input, kernel: filters, shape: output_shape, strides, padding='SAME', {_REST})"
)
FOR_IMAGES, FOR_KERNEL = (
    Rule(
        tf=[
            f"{path}({arguments}: out_backprop, strides, padding, {rest})"
            for path, rest in ((f"tf.compat.v1.nn.conv2d_backprop_{old}", _V1), (f"tf.raw_ops.{new}", _RAW))
        ]
    )
    for old, new, arguments in (
        ("input", "Conv2DBackpropInput", "shape: input_sizes, kernel: filter, x"),
        ("filter", "Conv2DBackpropFilter", "x: input, shape: filter_sizes, dy"),
    )
)
PATCHES = Rule(tf="tf.image.extract_patches(x: images, sizes, strides, rates, padding, _name: name=None)")
RULES = [CONV2D, ATROUS, DEPTHWISE, CONV1D, TRANSPOSE, FOR_IMAGES, FOR_KERNEL, PATCHES]

_WIDTHS = '''
def _widths(lengths, size, stride, padding, dilation=(1, 1)):
    """The numbers of zeros before and after images so that each stride has a place: of the last axis first."""
    widths = []
    for n, k, s, d in zip(lengths, size, stride, dilation) if padding == "SAME" else ():
        zeros = max((-(-n // s) - 1) * s + (k - 1) * d + 1 - n, 0)
        widths = [zeros // 2, zeros - zeros // 2, *widths]
    return widths
'''
_CHANNELS_FIRST = '''
def _channels_first(x, size, stride, padding, dilation=(1, 1), value=0):
    """Return images with the channels first, and zeros around them so that each stride has a place."""
    x = x.movedim(-1, 1)
    return torch.nn.functional.pad(x, _widths(x.shape[2:], size, stride, padding, dilation), value=value)
'''
_CONV2D = '''
def _conv2d(x, kernel, stride, padding, dilation=(1, 1)):
    """Convolve images that have the channels last."""
    x = _channels_first(x, kernel.shape, stride, padding, dilation)
    y = torch.nn.functional.conv2d(x, kernel.permute(3, 2, 0, 1), stride=stride, dilation=dilation)
    return y.movedim(1, -1)
'''
_DEPTHWISE = '''
def _depthwise_conv2d(x, kernel, stride, padding, dilation=(1, 1)):
    """Convolve images that have the channels last: each channel with kernels of its own."""
    groups = x.shape[-1]
    x = _channels_first(x, kernel.shape, stride, padding, dilation)
    kernel = kernel.permute(2, 3, 0, 1).flatten(0, 1).unsqueeze(1)
    y = torch.nn.functional.conv2d(x, kernel, stride=stride, dilation=dilation, groups=groups)
    return y.movedim(1, -1)
'''
_CONV1D = '''
def _conv1d(x, kernel, stride, padding, dilation=1):
    """Convolve rows that have the channels last."""
    x = _channels_first(x, kernel.shape, (stride,), padding, (dilation,))
    return torch.nn.functional.conv1d(x, kernel.permute(2, 1, 0), stride=stride, dilation=dilation).movedim(1, -1)
'''
_FOR_IMAGES = '''
def _conv2d_for_images(shape, kernel, dy, stride, padding):
    """The gradient of a convolution with respect to images of a shape, which have the channels last."""
    batch, *lengths, channels = (int(n) for n in shape)
    widths = _widths(lengths, kernel.shape, stride, padding)
    padded = torch.nn.functional.pad(dy.new_empty(batch, channels, *lengths), widths).shape
    weight, dy = kernel.permute(3, 2, 0, 1), dy.movedim(-1, 1)
    dx = torch.nn.grad.conv2d_input(padded, weight, dy, stride=stride)
    return torch.nn.functional.pad(dx, [-n for n in widths]).movedim(1, -1)
'''
_FOR_KERNEL = '''
def _conv2d_for_kernel(x, shape, dy, stride, padding):
    """The gradient of a convolution of images that have the channels last, with respect to the kernel."""
    high, wide, channels, out = (int(n) for n in shape)
    x, dy = _channels_first(x, (high, wide), stride, padding), dy.movedim(-1, 1)
    dw = torch.nn.grad.conv2d_weight(x, (out, channels, high, wide), dy, stride=stride)
    return dw.permute(2, 3, 1, 0)
'''
_PATCHES = '''
def _patches(x, size, stride, padding, dilation=(1, 1)):
    """Return the patches of images that have the channels last."""
    batch, channels = x.shape[0], x.shape[-1]
    x = _channels_first(x, size, stride, padding, dilation)
    high, wide = ((n - (k - 1) * d - 1) // s + 1 for n, k, s, d in zip(x.shape[2:], size, stride, dilation))
    y = torch.nn.functional.unfold(x, size, dilation=dilation, stride=stride).reshape(batch, channels, -1, high * wide)
    return y.permute(0, 3, 2, 1).reshape(batch, high, wide, -1)
'''


def same_or_valid(w: Writer, padding: Expression, what: str) -> str:
    """Return the source of a padding, of which two have a rule."""
    said = w.text(padding).upper()
    if said not in {"SAME", "VALID"}:
        raise w.refuse(f"{what}: a rule for the paddings SAME and VALID alone")
    return f'"{said}"'


def with_channels_last(w: Writer, data_format: Given, what: str) -> None:
    """Refuse images with the channels first, which TensorFlow takes on a GPU alone: nothing here could compare them."""
    if data_format is not None and w.code(data_format) != "None" and w.text(data_format) not in {"NHWC", "NWC"}:
        raise w.refuse(f"{what}: a rule for images with the channels last alone")


def numbers_of(w: Writer, strides: Given, padding: Expression, dilations: Given, what: str) -> str:
    """Return the arguments that each convolution has: strides, the padding, and dilations if there are any."""
    dilations = None if dilations is None or w.code(dilations) == "None" else dilations
    by, wide = two_axes(w, strides, "1", f"{what}: strides"), two_axes(w, dilations, "1", f"{what}: dilations")
    said = f"{by}, {same_or_valid(w, padding, what)}"
    w.helper("_widths", _WIDTHS)
    w.helper("_channels_first", _CHANNELS_FIRST)
    return said if wide == "(1, 1)" else f"{said}, {wide}"


def _convolved(rule: Rule, helper: str, text: str, what: str) -> None:
    @rule.writes("torch")
    def _(
        w: Writer,
        x: Expression,
        kernel: Expression,
        padding: Expression,
        strides: Given = None,
        data_format: Given = None,
        dilations: Given = None,
        rate: Given = None,
    ) -> Expression:
        with_channels_last(w, data_format, what)
        numbers = numbers_of(w, strides, padding, dilations if rate is None else rate, what)
        w.helper(helper, text)
        return w.build(f"{helper}({{x}}, {{kernel}}, {numbers})", x=x, kernel=kernel)


_convolved(CONV2D, "_conv2d", _CONV2D, "tf.nn.conv2d")
_convolved(ATROUS, "_conv2d", _CONV2D, "tf.nn.atrous_conv2d")
_convolved(DEPTHWISE, "_depthwise_conv2d", _DEPTHWISE, "tf.nn.depthwise_conv2d")


@TRANSPOSE.writes("torch")
@FOR_IMAGES.writes("torch")
def _for_images(
    w: Writer,
    shape: Expression,
    kernel: Expression,
    x: Expression,
    strides: Expression,
    padding: Given = None,
    data_format: Given = None,
    dilations: Given = None,
) -> Expression:
    """Write it: what is called a transposed convolution is the gradient of a convolution."""
    numbers = _without_dilations(w, strides, w.build('"SAME"') if padding is None else padding, data_format, dilations)
    w.helper("_conv2d_for_images", _FOR_IMAGES)
    return w.build(f"_conv2d_for_images({{shape}}, {{kernel}}, {{x}}, {numbers})", shape=shape, kernel=kernel, x=x)


@FOR_KERNEL.writes("torch")
def _for_kernel(
    w: Writer,
    x: Expression,
    shape: Expression,
    dy: Expression,
    strides: Expression,
    padding: Expression,
    data_format: Given = None,
    dilations: Given = None,
) -> Expression:
    numbers = _without_dilations(w, strides, padding, data_format, dilations)
    w.helper("_conv2d_for_kernel", _FOR_KERNEL)
    return w.build(f"_conv2d_for_kernel({{x}}, {{shape}}, {{dy}}, {numbers})", x=x, shape=shape, dy=dy)


def _without_dilations(
    w: Writer, strides: Expression, padding: Expression, data_format: Given, dilations: Given
) -> str:
    """Return strides and the padding; gradients of dilated convolutions have no kernel on TensorFlow's CPU."""
    what = "the gradient of tf.nn.conv2d"
    with_channels_last(w, data_format, what)
    if dilations is not None and w.code(dilations) != "None" and two_axes(w, dilations, "1", what) != "(1, 1)":
        raise w.refuse(f"{what}: dilations have no rule")
    return numbers_of(w, strides, padding, None, what)


@CONV1D.writes("torch")
def _conv1d(
    w: Writer,
    x: Expression,
    kernel: Expression,
    stride: Expression,
    padding: Expression,
    data_format: Given = None,
    dilations: Given = None,
) -> Expression:
    with_channels_last(w, data_format, "tf.nn.conv1d")
    one, wide = (_one_number(w, name, part) for name, part in (("stride", stride), ("dilations", dilations)))
    said = f"{one}, {same_or_valid(w, padding, 'tf.nn.conv1d')}"
    for name, text in (("_widths", _WIDTHS), ("_channels_first", _CHANNELS_FIRST), ("_conv1d", _CONV1D)):
        w.helper(name, text)
    return w.build(f"_conv1d({{x}}, {{kernel}}, {said if wide == '1' else f'{said}, {wide}'})", x=x, kernel=kernel)


def _one_number(w: Writer, name: str, given: Given) -> str:
    """Return the number for the axis of a row: a number, alone in a list, or one of one for each axis of all."""
    if given is None or w.code(given) == "None":
        return "1"
    parts = w.parts(given) if w.is_sequence(given) else [given]
    if len(parts) not in {1, 3} or w.kinds[name].sort is Sort.UNKNOWN:
        raise w.refuse(f"tf.nn.conv1d: {name}: is not known here to be one number")
    return w.code(parts[len(parts) // 2])


@PATCHES.writes("torch")
def _patches(
    w: Writer, x: Expression, sizes: Expression, strides: Expression, rates: Expression, padding: Expression
) -> Expression:
    what = "tf.image.extract_patches"
    size, numbers = two_axes(w, sizes, "1", f"{what}: sizes"), numbers_of(w, strides, padding, rates, what)
    w.helper("_patches", _PATCHES)
    return w.build(f"_patches({{x}}, {size}, {numbers})", x=x)
