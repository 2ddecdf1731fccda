"""The largest numbers and the means of windows."""

from words import Refused, Rewrite

X = "tf.reshape(tf.concat([z, -z, z * z], 0), [1, 4, 9, 2])"
TORCH_X = "torch.cat([z, -z, z * z]).reshape(1, 4, 9, 2)"
SAMPLES = [
    Rewrite(f'tf.nn.max_pool2d({X}, 2, 2, "SAME")', f'_max_pool({TORCH_X}, (2, 2), (2, 2), "SAME")', to="torch"),
    Rewrite(
        f'tf.nn.max_pool2d({X}, [2, 3], strides=[1, 2], padding="SAME")',
        f'_max_pool({TORCH_X}, (2, 3), (1, 2), "SAME")',
        to="torch",
    ),
    Rewrite(
        f'tf.nn.max_pool2d({X}, ksize=(2, 2), strides=(2, 3), padding="VALID")',
        f'_max_pool({TORCH_X}, (2, 2), (2, 3), "VALID")',
        to="torch",
    ),
    Rewrite(
        f'tf.nn.max_pool2d({X}, k, k, "SAME", "NHWC")',
        f'_max_pool({TORCH_X}, _both_axes(k), _both_axes(k), "SAME")',
        to="torch",
    ),
    Rewrite(f'tf.nn.avg_pool2d({X}, 2, 2, "SAME")', f'_avg_pool({TORCH_X}, (2, 2), (2, 2), "SAME")', to="torch"),
    Rewrite(
        f'tf.nn.avg_pool2d({X}, [2, 3], strides=[1, 2], padding="SAME")',
        f'_avg_pool({TORCH_X}, (2, 3), (1, 2), "SAME")',
        to="torch",
    ),
    Rewrite(
        f'tf.nn.avg_pool2d({X}, ksize=(2, 2), strides=(2, 3), padding="VALID")',
        f'_avg_pool({TORCH_X}, (2, 2), (2, 3), "VALID")',
        to="torch",
    ),
    Rewrite(
        f'tf.nn.avg_pool2d({X}, k, k, "SAME", "NHWC")',
        f'_avg_pool({TORCH_X}, _both_axes(k), _both_axes(k), "SAME")',
        to="torch",
    ),
    Rewrite(
        f'tf.nn.max_pool({X}, [1, 3, 3, 1], [1, 2, 2, 1], padding="SAME")',
        f'_max_pool({TORCH_X}, (3, 3), (2, 2), "SAME")',
        to="torch",
    ),
    Rewrite(
        f'tf.nn.avg_pool({X}, [1, 3, 3, 1], [1, 2, 2, 1], padding="SAME")',
        f'_avg_pool({TORCH_X}, (3, 3), (2, 2), "SAME")',
        to="torch",
    ),
    Rewrite(
        f'tf.compat.v1.nn.max_pool(value={X}, ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], padding="SAME")',
        f'_max_pool({TORCH_X}, (2, 2), (2, 2), "SAME")',
        to="torch",
    ),
    Rewrite(
        f'tf.compat.v1.nn.avg_pool({X}, [1, 2, 2, 1], [1, 2, 2, 1], "VALID")',
        f'_avg_pool({TORCH_X}, (2, 2), (2, 2), "VALID")',
        to="torch",
    ),
    Rewrite(
        f'tf.raw_ops.MaxPool(input={X}, ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], padding="SAME")',
        f'_max_pool({TORCH_X}, (2, 2), (2, 2), "SAME")',
        to="torch",
    ),
    Rewrite(
        f'tf.raw_ops.AvgPool(value={X}, ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], padding="SAME")',
        f'_avg_pool({TORCH_X}, (2, 2), (2, 2), "SAME")',
        to="torch",
    ),
    Refused(
        f'tf.nn.max_pool({X}, 2, 2, "SAME")',
        "tf.nn.max_pool: over how many axes? Not known here; tf.nn.max_pool2d has a rule",
        to="torch",
    ),
    Refused(f'tf.nn.max_pool2d({X}, 2, 2, "SAME", "NCHW")', "the channels last alone", to="torch"),
    Refused(f"tf.nn.avg_pool2d({X}, 2, 2, [[0, 0], [1, 1], [1, 1], [0, 0]])", "SAME and VALID alone", to="torch"),
]
