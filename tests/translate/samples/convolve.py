"""Convolutions of PyTorch."""

from words import Refused, Rewrite

K = "z.reshape(3, 2, 2, 2)"  # of PyTorch's images z[None]
SAMPLES = [
    Rewrite(f"F.conv2d(z[None], {K})", "_conv2d(z[None], tf.reshape(z, [3, 2, 2, 2]), (1, 1), (0, 0))", to="tf"),
    Rewrite(
        f"F.conv2d(z[None], {K}, v[:3], stride=2, padding=(1, 0))",
        "_conv2d(z[None], tf.reshape(z, [3, 2, 2, 2]), (2, 2), (1, 0)) + v[:3][:, None, None]",
        to="tf",
    ),
    Rewrite(
        f"F.conv2d(z[None], {K}, None, [1, 2], 1, 1, 1)",
        "_conv2d(z[None], tf.reshape(z, [3, 2, 2, 2]), (1, 2), (1, 1))",
        to="tf",
    ),
    Rewrite(
        f"F.conv2d(z[None], {K}, stride=k, padding=[k - 1, 0])",
        "_conv2d(z[None], tf.reshape(z, [3, 2, 2, 2]), _both_axes(k), (k - 1, 0))",
        to="tf",
    ),
    Rewrite(
        f"F.conv2d(z[None], {K}, stride=(*shape,))",
        "_conv2d(z[None], tf.reshape(z, [3, 2, 2, 2]), _both_axes((*shape,)), (0, 0))",
        to="tf",
    ),
    Rewrite(
        f"torch.conv2d(z[None], weight={K}[:2, :1], groups=2)",
        "_in_groups(_conv2d, z[None], tf.reshape(z, [3, 2, 2, 2])[:2, :1], (1, 1), (0, 0), groups=2)",
        to="tf",
    ),
    Rewrite(
        "F.conv2d(z.reshape(1, 4, 2, 3), z.reshape(6, 2, 1, 2), stride=(1, 2), padding=1, groups=k)",
        "_in_groups(_conv2d, tf.reshape(z, [1, 4, 2, 3]), tf.reshape(z, [6, 2, 1, 2]), (1, 2), (1, 1), groups=k)",
        to="tf",
    ),
    Refused(f"F.conv2d(z[None], {K}, dilation=(1, 2))", "dilation has no rule", to="tf"),
    Refused(f"F.conv2d(z[None], {K}, padding='same')", "padding is a text", to="tf"),
]
