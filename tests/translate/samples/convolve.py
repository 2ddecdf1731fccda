"""Convolutions and patches."""

from words import Refused, Rewrite

K = "z.reshape(3, 2, 2, 2)"  # of PyTorch's images z[None]
TF_K = "tf.reshape(z, [2, 2, 2, 3])"
TF_X = "tf.reshape(tf.concat([z, -z, z * z], 0), [1, 4, 9, 2])"
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
    Refused(f"F.conv2d(z[None], {K}, groups=2)", "groups has no rule", to="tf"),
    Refused(f"F.conv2d(z[None], {K}, padding='same')", "padding is a text", to="tf"),
    Rewrite("F.unfold(z[None], 2)", "_unfold(z[None], (2, 2), (1, 1), (0, 0))", to="tf"),
    Rewrite("F.unfold(z[None], (2, 3), padding=1, stride=(2, 1))", "_unfold(z[None], (2, 3), (2, 1), (1, 1))", to="tf"),
    Refused("F.unfold(z[None], 2, dilation=2)", "dilation has no rule", to="tf"),
    Rewrite(
        f'tf.nn.conv2d({TF_X}, {TF_K}, 1, "SAME")',
        '_conv2d(torch.cat([z, -z, z * z]).reshape(1, 4, 9, 2), z.reshape(2, 2, 2, 3), (1, 1), "SAME")',
        to="torch",
    ),
    Rewrite(
        f'tf.nn.conv2d({TF_X}, {TF_K}, strides=[1, 2, 3, 1], padding="SAME")',
        '_conv2d(torch.cat([z, -z, z * z]).reshape(1, 4, 9, 2), z.reshape(2, 2, 2, 3), (2, 3), "SAME")',
        to="torch",
    ),
    Rewrite(
        f'tf.nn.conv2d({TF_X}, {TF_K}, [2], padding="VALID")',
        '_conv2d(torch.cat([z, -z, z * z]).reshape(1, 4, 9, 2), z.reshape(2, 2, 2, 3), (2, 2), "VALID")',
        to="torch",
    ),
    Refused(f'tf.nn.conv2d({TF_X}, {TF_K}, 1, "SAME", "NCHW")', "channels last", to="torch"),
    Refused(f"tf.nn.conv2d({TF_X}, {TF_K}, 1, [[0, 0], [1, 1], [1, 1], [0, 0]])", "SAME and VALID alone", to="torch"),
    Rewrite(
        f'tf.image.extract_patches({TF_X}, [1, 2, 3, 1], [1, 1, 2, 1], [1, 1, 1, 1], "VALID")',
        '_patches(torch.cat([z, -z, z * z]).reshape(1, 4, 9, 2), (2, 3), (1, 2), "VALID")',
        to="torch",
    ),
    Rewrite(
        f'tf.image.extract_patches({TF_X}, [1, 2, 3, 1], [1, 3, 2, 1], [1, 1, 1, 1], padding="SAME")',
        '_patches(torch.cat([z, -z, z * z]).reshape(1, 4, 9, 2), (2, 3), (3, 2), "SAME")',
        to="torch",
    ),
    Refused(
        f'tf.image.extract_patches({TF_X}, [1, 2, 3, 1], [1, 1, 1, 1], [1, 2, 2, 1], "VALID")', "no rule", to="torch"
    ),
]
