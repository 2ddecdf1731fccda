"""Patches of images of PyTorch, which has the channels first."""

from porting.translate.calls import whole
from porting.translate.code import Expression, Given
from porting.translate.rule import Rule, Writer
from porting.translate.rules.convolve import TF_CHANNELS_LAST, two_axes

UNFOLD = Rule(
    torch="torch.nn.functional.unfold(x: input, size: kernel_size, dilation=1, padding=0, stride=1)", kind="x"
)
RULES = [UNFOLD]

_TF_UNFOLD = '''
def _unfold(x, size, stride, padding):
    """Return the patches of images that have the channels first, one in each column."""
    y = tf.image.extract_patches(_channels_last(x, padding), [1, *size, 1], [1, *stride, 1], [1] * 4, "VALID")
    batch, high, wide, _ = tf.unstack(tf.shape(y))
    y = tf.transpose(tf.reshape(y, [batch, high * wide, size[0] * size[1], x.shape[1]]), [0, 3, 2, 1])
    return tf.reshape(y, [batch, x.shape[1] * size[0] * size[1], high * wide])
'''


@UNFOLD.writes("tf")
def _unfold(
    w: Writer, x: Expression, size: Expression, dilation: Given = None, padding: Given = None, stride: Given = None
) -> Expression:
    if dilation is not None and whole(w, dilation) != 1:
        raise w.refuse("torch.nn.functional.unfold: dilation has no rule")
    parts = ((size, "1", "kernel_size"), (stride, "1", "stride"), (padding, "0", "padding"))
    given = ", ".join(two_axes(w, part, other, f"torch.nn.functional.unfold: {name}") for part, other, name in parts)
    w.helper("_channels_last", TF_CHANNELS_LAST)
    w.helper("_unfold", _TF_UNFOLD)
    return w.build(f"_unfold({{x}}, {given})", x=x)
