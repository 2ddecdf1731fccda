"""Arrays of tensors."""

from words import Refused, Rewrite

SAMPLES = [
    Rewrite(
        "tf.TensorArray(v.dtype, size=2).write(1, v).write(0, v + x[0]).stack()",
        "torch.stack(_written(_written([None] * 2, 1, v), 0, v + x[0]))",
        to="torch",
    ),
    Rewrite(
        "tf.TensorArray(v.dtype, size=2).write(1, v).write(0, v + x[0]).stack()",
        "np.stack(_written(_written([None] * 2, 1, v), 0, v + x[0]))",
        to="numpy",
        of="tf",
    ),
    Rewrite(
        "tf.TensorArray(v.dtype, size=2).write(1, v).write(0, v + x[0]).concat()",
        "torch.cat(_written(_written([None] * 2, 1, v), 0, v + x[0]))",
        to="torch",
    ),
    Rewrite(
        "tf.TensorArray(v.dtype, size=2).write(1, v).write(0, v + x[0]).concat()",
        "np.concatenate(_written(_written([None] * 2, 1, v), 0, v + x[0]))",
        to="numpy",
        of="tf",
    ),
    Rewrite(
        "tf.TensorArray(v.dtype, size=2).write(1, v).write(0, v + x[0]).read(1)",
        "_written(_written([None] * 2, 1, v), 0, v + x[0])[1]",
        to="torch",
    ),
    Rewrite(
        "tf.TensorArray(v.dtype, size=2).write(1, v).write(0, v + x[0]).read(1)",
        "_written(_written([None] * 2, 1, v), 0, v + x[0])[1]",
        to="numpy",
        of="tf",
    ),
    Rewrite(
        "tf.TensorArray(v.dtype, size=2).write(1, v).write(0, v + x[0]).size()",
        "len(_written(_written([None] * 2, 1, v), 0, v + x[0]))",
        to="torch",
    ),
    Rewrite(
        "tf.TensorArray(v.dtype, size=2).write(1, v).write(0, v + x[0]).size()",
        "len(_written(_written([None] * 2, 1, v), 0, v + x[0]))",
        to="numpy",
        of="tf",
    ),
    Rewrite("tf.TensorArray(v.dtype, size=3).unstack(x).read(2)", "list(x)[2]", to="torch"),
    Rewrite("tf.TensorArray(v.dtype, size=3).unstack(x).read(2)", "list(x)[2]", to="numpy", of="tf"),
    Rewrite(
        "tf.TensorArray(v.dtype, 0, dynamic_size=True).write(0, v).write(1, v * 2).stack()",
        "torch.stack(_written(_written([], 0, v), 1, v * 2))",
        to="torch",
    ),
    Rewrite(
        "tf.TensorArray(v.dtype, 0, dynamic_size=True).write(0, v).write(1, v * 2).stack()",
        "np.stack(_written(_written([], 0, v), 1, v * 2))",
        to="numpy",
        of="tf",
    ),
    Refused("tf.TensorArray(v.dtype, size=2, flow=v)", "flow is not in its rule", to="torch"),
]
