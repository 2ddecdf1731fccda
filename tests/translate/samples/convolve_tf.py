"""Convolutions and patches of TensorFlow, and the gradients of convolutions."""

from words import Refused, Rewrite

X = "tf.reshape(tf.concat([z, -z, z * z], 0), [1, 4, 9, 2])"
TORCH_X = "torch.cat([z, -z, z * z]).reshape(1, 4, 9, 2)"
Y = "tf.reshape(tf.concat([z, -z, z * z], 0), [1, 4, 6, 3])"
TORCH_Y = "torch.cat([z, -z, z * z]).reshape(1, 4, 6, 3)"
K = "tf.reshape(z, [2, 2, 2, 3])"
TORCH_K = "z.reshape(2, 2, 2, 3)"
SAMPLES = [
    Rewrite(f'tf.nn.conv2d({X}, {K}, 1, "SAME")', f'_conv2d({TORCH_X}, {TORCH_K}, (1, 1), "SAME")', to="torch"),
    Rewrite(
        f'tf.nn.conv2d({X}, {K}, strides=[1, 2, 3, 1], padding="SAME")',
        f'_conv2d({TORCH_X}, {TORCH_K}, (2, 3), "SAME")',
        to="torch",
    ),
    Rewrite(
        f'tf.nn.conv2d({X}, {K}, [2], padding="VALID")', f'_conv2d({TORCH_X}, {TORCH_K}, (2, 2), "VALID")', to="torch"
    ),
    Rewrite(
        f'tf.nn.conv2d({X}, {K}, 1, "SAME", dilations=[1, 2, 3, 1])',
        f'_conv2d({TORCH_X}, {TORCH_K}, (1, 1), "SAME", (2, 3))',
        to="torch",
    ),
    Rewrite(
        f'tf.nn.conv2d({X}, {K}, 1, "VALID", dilations=2)',
        f'_conv2d({TORCH_X}, {TORCH_K}, (1, 1), "VALID", (2, 2))',
        to="torch",
    ),
    Rewrite(
        f'tf.nn.conv2d({X}, {K}, k, "SAME", dilations=None)',
        f'_conv2d({TORCH_X}, {TORCH_K}, _both_axes(k), "SAME")',
        to="torch",
    ),
    Rewrite(
        f'tf.compat.v1.nn.conv2d({X}, filter={K}, strides=[1, 1, 2, 1], padding="VALID", use_cudnn_on_gpu=False)',
        f'_conv2d({TORCH_X}, {TORCH_K}, (1, 2), "VALID")',
        to="torch",
    ),
    Rewrite(
        f'tf.raw_ops.Conv2D(input={X}, filter={K}, strides=[1, 1, 1, 1], padding="SAME")',
        f'_conv2d({TORCH_X}, {TORCH_K}, (1, 1), "SAME")',
        to="torch",
    ),
    Rewrite(
        f'tf.nn.atrous_conv2d({X}, {K}, 2, padding="SAME")',
        f'_conv2d({TORCH_X}, {TORCH_K}, (1, 1), "SAME", (2, 2))',
        to="torch",
    ),
    Rewrite(
        f'tf.nn.depthwise_conv2d({X}, {K}, [1, 1, 1, 1], "SAME")',
        f'_depthwise_conv2d({TORCH_X}, {TORCH_K}, (1, 1), "SAME")',
        to="torch",
    ),
    Rewrite(
        f'tf.nn.depthwise_conv2d({X}, {K}, [1, 2, 2, 1], "VALID")',
        f'_depthwise_conv2d({TORCH_X}, {TORCH_K}, (2, 2), "VALID")',
        to="torch",
    ),
    Rewrite(
        f'tf.nn.depthwise_conv2d({X}, {K}, strides=[1, 1, 1, 1], padding="SAME", dilations=[2, 2])',
        f'_depthwise_conv2d({TORCH_X}, {TORCH_K}, (1, 1), "SAME", (2, 2))',
        to="torch",
    ),
    Rewrite(
        f'tf.compat.v1.nn.depthwise_conv2d({X}, {K}, [1, 1, 1, 1], "VALID", rate=[1, 2])',
        f'_depthwise_conv2d({TORCH_X}, {TORCH_K}, (1, 1), "VALID", (1, 2))',
        to="torch",
    ),
    Rewrite(
        f"tf.nn.conv2d_transpose({Y}, {K}, [1, 8, 17, 2], [1, 2, 3, 1])",
        f'_conv2d_for_images([1, 8, 17, 2], {TORCH_K}, {TORCH_Y}, (2, 3), "SAME")',
        to="torch",
    ),
    Rewrite(
        f'tf.nn.conv2d_transpose({Y}, {K}, [1, 7, 12, 2], 2, padding="SAME")',
        f'_conv2d_for_images([1, 7, 12, 2], {TORCH_K}, {TORCH_Y}, (2, 2), "SAME")',
        to="torch",
    ),
    Rewrite(
        f'tf.nn.conv2d_transpose({Y}, {K}, [1, 9, 12, 2], 2, "VALID")',
        f'_conv2d_for_images([1, 9, 12, 2], {TORCH_K}, {TORCH_Y}, (2, 2), "VALID")',
        to="torch",
    ),
    Rewrite(
        f'tf.compat.v1.nn.conv2d_backprop_input([1, 4, 6, 2], {K}, {Y}, [1, 1, 1, 1], "SAME")',
        f'_conv2d_for_images([1, 4, 6, 2], {TORCH_K}, {TORCH_Y}, (1, 1), "SAME")',
        to="torch",
    ),
    Rewrite(
        f"tf.raw_ops.Conv2DBackpropInput(input_sizes=[1, 4, 6, 2], filter={K}, out_backprop={Y}, "
        'strides=[1, 1, 1, 1], padding="SAME")',
        f'_conv2d_for_images([1, 4, 6, 2], {TORCH_K}, {TORCH_Y}, (1, 1), "SAME")',
        to="torch",
    ),
    Rewrite(
        f'tf.compat.v1.nn.conv2d_backprop_filter({X}, [1, 4, 2, 3], {Y}, strides=[1, 1, 1, 1], padding="VALID")',
        f'_conv2d_for_kernel({TORCH_X}, [1, 4, 2, 3], {TORCH_Y}, (1, 1), "VALID")',
        to="torch",
    ),
    Rewrite(
        f"tf.raw_ops.Conv2DBackpropFilter(input={X}, filter_sizes=[2, 4, 2, 3], out_backprop={Y}[:, :2, :5], "
        'strides=[1, 2, 2, 1], padding="SAME")',
        f'_conv2d_for_kernel({TORCH_X}, [2, 4, 2, 3], {TORCH_Y}[:, :2, :5], (2, 2), "SAME")',
        to="torch",
    ),
    Rewrite(
        f'tf.nn.conv1d({X}[0], {K}[0], stride=1, padding="SAME")',
        f'_conv1d({TORCH_X}[0], {TORCH_K}[0], 1, "SAME")',
        to="torch",
    ),
    Rewrite(
        f'tf.nn.conv1d({X}[0], {K}[0], [1, 2, 1], "SAME")',
        f'_conv1d({TORCH_X}[0], {TORCH_K}[0], 2, "SAME")',
        to="torch",
    ),
    Rewrite(
        f'tf.nn.conv1d({X}[0], {K}[0], k, padding="VALID")',
        f'_conv1d({TORCH_X}[0], {TORCH_K}[0], k, "VALID")',
        to="torch",
    ),
    Rewrite(
        f'tf.nn.conv1d({X}[0], {K}[0], [1], "SAME", dilations=[2])',
        f'_conv1d({TORCH_X}[0], {TORCH_K}[0], 1, "SAME", 2)',
        to="torch",
    ),
    Rewrite(
        f'tf.image.extract_patches({X}, [1, 2, 3, 1], [1, 1, 2, 1], [1, 1, 1, 1], "VALID")',
        f'_patches({TORCH_X}, (2, 3), (1, 2), "VALID")',
        to="torch",
    ),
    Rewrite(
        f'tf.image.extract_patches({X}, [1, 2, 3, 1], [1, 3, 2, 1], [1, 1, 1, 1], padding="SAME")',
        f'_patches({TORCH_X}, (2, 3), (3, 2), "SAME")',
        to="torch",
    ),
    Rewrite(
        f'tf.image.extract_patches({X}, [1, 2, 3, 1], [1, 1, 2, 1], [1, 2, 2, 1], "SAME")',
        f'_patches({TORCH_X}, (2, 3), (1, 2), "SAME", (2, 2))',
        to="torch",
    ),
    Rewrite(
        f'tf.image.extract_patches({X}, [1, 2, 2, 1], [1, 1, 2, 1], [1, 1, 2, 1], "VALID")',
        f'_patches({TORCH_X}, (2, 2), (1, 2), "VALID", (1, 2))',
        to="torch",
    ),
    Refused(f'tf.nn.conv2d({X}, {K}, 1, "SAME", "NCHW")', "the channels last alone", to="torch"),
    Refused(f"tf.nn.conv2d({X}, {K}, 1, [[0, 0], [1, 1], [1, 1], [0, 0]])", "SAME and VALID alone", to="torch"),
    Refused(
        f'tf.nn.conv2d_transpose({Y}, {K}, [1, 7, 12, 2], 2, "SAME", "NCHW")', "the channels last alone", to="torch"
    ),
    Refused(
        f'tf.nn.conv2d_transpose({Y}, {K}, [1, 7, 12, 2], 1, "SAME", dilations=2)', "dilations have no rule", to="torch"
    ),
    Refused(f'tf.nn.conv1d({X}[0], {K}[0], 1, "SAME", "NCW")', "the channels last alone", to="torch"),
    Refused(f'tf.nn.conv1d({X}[0], {K}[0], [1, 2], "SAME")', "not known here to be one number", to="torch"),
]
