"""Entmax loss with alpha = 1.5: between cross entropy and sparsemax loss."""

import tensorflow as tf
from tensorflow import Tensor


def entmax15_loss(x: Tensor, labels: Tensor) -> Tensor:
    """Entmax loss of each row of x; labels are integers that number its last axis."""
    x, labels = tf.identity(x), tf.identity(labels)
    if not (x.dtype.is_floating or x.dtype.is_complex):
        raise TypeError(f"x: floating numbers are wanted, got {x.dtype.name}")
    _refuse(x, labels)
    n = tf.shape(x)[-1] if x.shape[-1] is None else x.shape[-1]
    beside = tf.one_hot(labels, n, False, True, dtype=tf.bool)  # the label

    @tf.custom_gradient
    def forward(x: Tensor):
        v = tf.stop_gradient(x)  # the tape keeps nothing of the forward

        def vjp(dy: Tensor) -> Tensor:
            dy = tf.expand_dims(tf.convert_to_tensor(dy), -1)  # it may be tf.IndexedSlices
            again = x if tf.executing_eagerly() else tf.where(tf.math.is_nan(dy), dy, x)  # waits for dy, is not kept
            z, tau = _threshold(again)
            s = tf.maximum(z - tau, 0)
            others = tf.where(beside, s * s, 0)
            slope = tf.where(beside, others, -tf.reduce_sum(others, -1, keepdims=True))
            return dy * tf.cast(slope, dy.dtype)

        z, tau = _threshold(v)
        s = tf.maximum(z - tau, 0)
        others, s = tf.where(beside, s, 0), tf.reduce_sum(tf.where(~beside, s, 0), -1)
        missing = tf.reduce_sum(tf.where(~beside, tf.maximum(tau - z, 0), 0), -1)
        squares = others * others
        short = tf.reduce_sum(squares, -1) / (1 + s)  # 1 - s at the label
        y = 2 * (((s + 2) * short * short + tf.reduce_sum(squares * others, -1)) / 3 + missing)
        return tf.cast(y, x.dtype), vjp

    return forward(x)


def _threshold(x: Tensor) -> tuple[Tensor, Tensor]:
    """Return z, which is x / 2 less its largest, and tau, with sum(max(z - tau, 0)^2) = 1 in each row."""
    x = (tf.cast(x, tf.float32) if x.dtype.size < 4 else x) / 2  # 16 bits lose the sums
    z = x - tf.reduce_max(tf.stop_gradient(x), -1, keepdims=True)
    n = tf.shape(z)[-1] if z.shape[-1] is None else z.shape[-1]
    ordered = tf.math.top_k(tf.maximum(tf.stop_gradient(z), -1), n).values  # the threshold is at least -1
    k = tf.range(1, n + 1, dtype=z.dtype)
    mean = tf.cumsum(ordered, -1) / k
    left = (1 - tf.cumsum(ordered * ordered, -1)) / k + mean * mean
    tau = tf.reduce_max(tf.minimum(mean - tf.sqrt(tf.maximum(left, 0)), ordered), -1, keepdims=True)
    s = tf.maximum(z - tau, 0)  # a step of Newton's method from a constant: it has the derivative of the solution
    missing = tf.reduce_sum(s * s, -1, keepdims=True) - 1
    return z, tau + missing / (2 * tf.reduce_sum(s, -1, keepdims=True))


def _refuse(x: Tensor, labels: Tensor) -> None:
    if not labels.dtype.is_integer:
        raise TypeError(f"labels: integers are wanted, got {labels.dtype.name}")
    if x.shape.rank == 0 or not labels.shape.is_compatible_with(x.shape[:-1]):
        raise ValueError(f"labels {labels.shape.as_list()}: wanted one for each row of x {x.shape.as_list()}")
    if tf.executing_eagerly():
        n, seen = x.shape[-1], labels.numpy()
        bad = seen[(seen < 0) | (seen >= n)]
        if bad.size:
            raise ValueError(f"labels={bad[0]}: wanted 0 <= labels < {n}, the length of the last axis of x")
