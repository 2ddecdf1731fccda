"""The nearest row of a codebook; the gradient passes straight through to x."""

import tensorflow as tf
from tensorflow import Tensor


def vector_quantize(x: Tensor, codebook: Tensor) -> Tensor:
    """The row of the codebook that is nearest to each row of x, the first of equally near ones."""

    @tf.custom_gradient
    def forward(x: Tensor, codebook: Tensor):
        shape = tf.shape(codebook)

        def vjp(dy: Tensor) -> tuple[Tensor, Tensor]:
            dy = tf.convert_to_tensor(dy)  # it may be tf.IndexedSlices
            return dy, tf.zeros(shape, dy.dtype)

        v, c = tf.stop_gradient(x), tf.stop_gradient(codebook)  # the tape keeps nothing of the forward
        codes = tf.cast(c, tf.float64)  # products of two float32 are exact there
        rows = tf.reshape(tf.cast(v, tf.float64), [-1, tf.shape(codes)[1]])
        distance = tf.reduce_sum(codes * codes, axis=-1) / 2 - tf.matmul(rows, codes, transpose_b=True)
        distance = tf.where(tf.math.is_nan(distance), tf.cast(-float("inf"), tf.float64), distance)  # argmin passes it
        return tf.reshape(tf.gather(c, tf.argmin(distance, axis=-1)), tf.shape(x)), vjp

    x, codebook = tf.identity(x), tf.identity(codebook)
    if x.shape.rank == 0:
        raise ValueError("x of shape []: wanted at least one axis")
    if not codebook.shape.is_compatible_with([None, x.shape[-1]]) or codebook.shape[0] == 0:
        raise ValueError(f"codebook of shape {list(codebook.shape)}: wanted [n, {x.shape[-1]}] with n >= 1")
    return forward(x, codebook)
