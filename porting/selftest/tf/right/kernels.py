"""TensorFlow's own gradient kernels, called by their raw names."""

# mypy: allow-untyped-defs, allow-untyped-calls

import tensorflow as tf

from porting.selftest import toys
from porting.selftest.edits import planted_edits
from porting.selftest.planted import right
from porting.selftest.tf.twins import custom


@right(toys.sqrt_or_zero)
def sqrt_kernel(x):
    """The gradient is the kernel of tf.sqrt, at 1 where the input is not positive."""

    def root(x):
        return tf.sqrt(tf.where(x > 0, x, tf.ones_like(x)))

    return custom(
        lambda x: tf.where(x > 0, root(x), 0 * x),
        lambda dy, x: tf.where(x > 0, tf.raw_ops.SqrtGrad(y=root(x), dy=dy), 0 * dy),
        x,
    )


@right(toys.sin_cos)
def sum_kernel(x):
    """The two terms are added by tf.add_n, the second multiplied by a negated cotangent."""

    def vjp(dsin, dcos, x):
        return tf.raw_ops.AddN(inputs=[tf.cos(x) * dsin, tf.sin(x) * tf.raw_ops.Neg(x=dcos)])

    return custom(lambda x: (tf.raw_ops.Sin(x=x), tf.raw_ops.Cos(x=x)), vjp, x)


planted_edits(
    __name__,
    """
    relu_kernel: relu
        The gradient is the kernel of tf.nn.relu; where the input is NaN it is asked for before.
        - return tf.where(tf.math.is_nan(x), x, tf.where(x <= 0, 0 * dy, dy))
        + return tf.where(tf.math.is_nan(x), x, tf.raw_ops.ReluGrad(gradients=dy, features=x))
        - return tf.where(x <= 0, 0 * x, x), vjp
        + return tf.nn.relu(x), vjp
    softplus_kernel: softplus
        The gradient is the kernel of tf.math.softplus.
        - return tf.sigmoid(x) * dy
        + return tf.raw_ops.SoftplusGrad(gradients=dy, features=x)
    sigmoid_kernel: sigmoid
        The gradient is the kernel of tf.sigmoid, which takes the output.
        - return tf.sigmoid(x) * tf.sigmoid(-x) * dy
        + return tf.raw_ops.SigmoidGrad(y=tf.sigmoid(x), dy=dy)
    tanh_kernel: sigmoid
        The gradient is the kernel of tf.tanh at half the input, divided by 4.
        - return tf.sigmoid(x) * tf.sigmoid(-x) * dy
        + return tf.raw_ops.TanhGrad(y=tf.tanh(x / 2), dy=dy) / 4
    product_kernel: matmul
        Both products are raw operations with a flag for the transpose.
        - return tf.matmul(dy, w, transpose_b=True), tf.matmul(x, dy, transpose_a=True)
        + by_x = tf.raw_ops.MatMul(a=dy, b=w, transpose_b=True)
        + return by_x, tf.raw_ops.MatMul(a=x, b=dy, transpose_a=True)
        - return tf.matmul(x, w), vjp
        + return tf.linalg.matmul(x, w), vjp
    """,
)
