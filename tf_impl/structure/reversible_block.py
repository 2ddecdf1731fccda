"""A residual block of two streams that keeps its outputs and not its inputs: these are computed back from them."""

import tensorflow as tf
from tensorflow import Tensor


def reversible_block(x1: Tensor, x2: Tensor, w1: Tensor, w2: Tensor) -> tuple[Tensor, Tensor]:
    """(x1 + tanh(x2 w1), x2 + tanh(y1 w2)) for x1 and x2 with last axes n and m, w1 of (m, n) and w2 of (n, m)."""

    @tf.custom_gradient
    def forward(x1: Tensor, x2: Tensor, w1: Tensor, w2: Tensor):
        def vjp(dy1: Tensor, dy2: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
            dy1, dy2 = tf.convert_to_tensor(dy1), tf.convert_to_tensor(dy2)  # they may be tf.IndexedSlices
            y1, y2 = outputs or found  # those that the caller has, if he has: a second derivative goes through them
            if not tf.executing_eagerly():  # waits for dy: computed again, not kept
                y1, y2 = (tf.where(tf.math.is_nan(dy), dy, y) for dy, y in ((dy1, y1), (dy2, y2)))
            t2 = tf.tanh(tf.tensordot(y1, w2, 1))
            x2 = y2 - t2
            t1 = tf.tanh(tf.tensordot(x2, w1, 1))
            q2 = dy2 * (1 - t2 * t2)
            dx1 = dy1 + tf.tensordot(q2, tf.transpose(w2), 1)
            q1 = dx1 * (1 - t1 * t1)
            return dx1, dy2 + tf.tensordot(q1, tf.transpose(w1), 1), _outer(x2, q1), _outer(y1, q2)

        a1, a2, v1, v2 = (tf.stop_gradient(t) for t in (x1, x2, w1, w2))  # the tape keeps nothing of the forward
        y1 = a1 + tf.tanh(tf.tensordot(a2, v1, 1))
        found = y1, a2 + tf.tanh(tf.tensordot(y1, v2, 1))  # forward mode asks for the gradient at once
        return found, vjp

    x1, x2, w1, w2 = (tf.identity(t) for t in (x1, x2, w1, w2))
    n, m = x1.shape[-1], x2.shape[-1]
    for name, w, shape in (("w1", w1, [m, n]), ("w2", w2, [n, m])):
        if not w.shape.is_compatible_with(shape):
            raise ValueError(f"{name} of shape {list(w.shape)}: wanted {shape}, by the last axes of x1 and x2")
    outputs: tuple[Tensor, ...] = ()
    outputs = forward(x1, x2, w1, w2)
    return outputs


def _outer(a: Tensor, b: Tensor) -> Tensor:
    """a^T b, summed over all axes but the last."""
    a, b = (tf.reshape(t, [-1, tf.shape(t)[-1]]) for t in (a, b))
    return tf.matmul(a, b, transpose_a=True)
