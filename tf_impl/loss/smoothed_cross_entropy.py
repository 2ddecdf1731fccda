"""Cross entropy with a softmax and smoothed labels."""

import tensorflow as tf
from tensorflow import Tensor


def smoothed_cross_entropy(x: Tensor, labels: Tensor, *, smoothing: float) -> Tensor:
    """Cross entropy of each row of x; labels are integers that number its last axis."""
    if not 0 <= smoothing <= 1:
        raise ValueError(f"smoothing={smoothing}: wanted 0 <= smoothing <= 1")
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
            z = _wide(again)
            slope = tf.nn.softmax(z) - smoothing / tf.cast(n, z.dtype)
            return dy * tf.cast(tf.where(beside, slope, slope - (1 - smoothing)), dy.dtype)

        z = _wide(v)
        at_label = tf.reduce_sum(tf.where(~beside, z, 0), -1)
        mean = tf.reduce_sum(z * (smoothing / tf.cast(n, z.dtype)), -1)
        top = tf.reduce_max(z, -1)
        total = tf.math.log(tf.reduce_sum(tf.exp(z - tf.expand_dims(top, -1)), -1)) + top
        half = total / 2 - (1 - smoothing) / 2 * at_label - mean / 2  # a part of the sum may be twice as large
        return tf.cast(2 * half, x.dtype), vjp

    return forward(x)


def _wide(x: Tensor) -> Tensor:
    return tf.cast(x, tf.float32) if x.dtype.size < 4 else x  # 16 bits lose the sums


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
