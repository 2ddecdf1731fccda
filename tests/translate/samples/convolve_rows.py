"""Convolutions of rows of PyTorch."""

from words import Refused, Rewrite

K = "z.reshape(4, 3, 2)"
SAMPLES = [
    Rewrite(
        f"F.conv1d(z, {K}, v, stride=2, padding=(1,))",
        "_conv2d(z[:, :, None], tf.reshape(z, [4, 3, 2])[:, :, None], (1, 2), (0, 1))[:, :, 0] + v[:, None]",
        to="tf",
    ),
    Rewrite(
        "torch.conv1d(z, z.reshape(6, 1, 4), None, k, groups=3)",
        "_in_groups(_conv2d, z[:, :, None], tf.reshape(z, [6, 1, 4])[:, :, None], (1, k), (0, 0), groups=3)[:, :, 0]",
        to="tf",
    ),
    Refused(f"F.conv1d(z, {K}, padding='same')", "padding is not known here to be a number", to="tf"),
    Refused(f"F.conv1d(z, {K}, stride=shape)", "stride is not known here to be a number", to="tf"),
    Refused(f"F.conv1d(z, {K}, dilation=2)", "dilation has no rule", to="tf"),
]
