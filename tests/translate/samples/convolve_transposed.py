"""Transposed convolutions of PyTorch."""

from words import Refused, Rewrite

K = "z.reshape(2, 3, 2, 2)"  # of PyTorch's images z[None]
OURS = "tf.reshape(z, [2, 3, 2, 2])"
SAMPLES = [
    Rewrite(
        f"F.conv_transpose2d(z[None], {K})",
        f"_conv2d_transpose(z[None], {OURS}, (1, 1), (0, 0), (0, 0))",
        to="tf",
    ),
    Rewrite(
        f"F.conv_transpose2d(z[None], {K}, v[:3], stride=(2, 3), padding=(1, 0), output_padding=(0, 2))",
        f"_conv2d_transpose(z[None], {OURS}, (2, 3), (1, 0), (0, 2)) + v[:3][:, None, None]",
        to="tf",
    ),
    Rewrite(
        f"torch.conv_transpose2d(z[None], {K}, stride=2, groups=2)",
        f"_in_groups(_conv2d_transpose, z[None], {OURS}, (2, 2), (0, 0), (0, 0), groups=2)",
        to="tf",
    ),
    Refused(f"F.conv_transpose2d(z[None], {K}, dilation=2)", "dilation has no rule", to="tf"),
]
