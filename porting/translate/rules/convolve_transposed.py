"""Transposed convolutions of PyTorch, which spread each number by the kernel."""

from porting.translate.code import Expression, Given
from porting.translate.rule import Rule, Writer
from porting.translate.rules.convolve import biased, in_groups, two_axes, undilated

_GIVEN = "(x: input, kernel: weight, bias=None, stride=1, padding=0, more: output_padding=0, groups=1, dilation=1)"
TRANSPOSED = Rule(
    torch=[f"torch.nn.functional.conv_transpose2d{_GIVEN}", f"torch.conv_transpose2d{_GIVEN}"],
    kind="x",
)
RULES = [TRANSPOSED]

_TF_TRANSPOSED = '''
def _conv2d_transpose(x, kernel, stride, padding, more):
    """Spread images that have the channels first by a kernel; `more` is how much longer the result is."""
    batch, _, *lengths = tf.unstack(tf.shape(x))
    _, channels, *sizes = tf.unstack(tf.shape(kernel))
    high, wide = ((n - 1) * s + k + m for n, s, k, m in zip(lengths, stride, sizes, more))
    x, kernel = tf.transpose(x, [0, 2, 3, 1]), tf.transpose(kernel, [2, 3, 1, 0])
    y = tf.nn.conv2d_transpose(x, kernel, [batch, high, wide, channels], stride, "VALID")
    y = y[:, padding[0] : high - padding[0], padding[1] : wide - padding[1]]
    return tf.transpose(y, [0, 3, 1, 2])
'''


@TRANSPOSED.writes("tf")
def _transposed(
    w: Writer,
    x: Expression,
    kernel: Expression,
    bias: Given = None,
    stride: Given = None,
    padding: Given = None,
    more: Given = None,
    groups: Given = None,
    dilation: Given = None,
) -> Expression:
    what = "torch.nn.functional.conv_transpose2d"
    undilated(w, dilation, what)
    parts = ((stride, "1", "stride"), (padding, "0", "padding"), (more, "0", "output_padding"))
    numbers = ", ".join(two_axes(w, part, other, f"{what}: {name}") for part, other, name in parts)
    w.helper("_conv2d_transpose", _TF_TRANSPOSED)
    return biased(w, in_groups(w, "_conv2d_transpose", x, kernel, numbers, groups), bias, 2, what)
