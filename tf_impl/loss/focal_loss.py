"""Focal loss of a softmax: cross entropy that counts less where the label is already likely."""

import tensorflow as tf
from tensorflow import Tensor


def focal_loss(x: Tensor, labels: Tensor, *, gamma: float, alpha: float) -> Tensor:
    """alpha (1 - p)^gamma times the cross entropy of each row of x; labels are integers that number its last axis."""
    if not 0 <= gamma < float("inf"):
        raise ValueError(f"gamma={gamma}: wanted a finite gamma >= 0")
    if not 0 < alpha < float("inf"):
        raise ValueError(f"alpha={alpha}: wanted a finite alpha > 0")
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
            others, rest, at_label = _parts(again, beside)
            m = tf.maximum(rest - at_label, rest.dtype.min)
            entropy = tf.sigmoid(-m) * tf.maximum(tf.math.log_sigmoid(-m), m.dtype.min)  # p log p, and 0 log 0 = 0
            by_margin = alpha * tf.exp(gamma * tf.math.log_sigmoid(m)) * (tf.sigmoid(m) - gamma * entropy)
            slope = tf.where(beside, tf.nn.softmax(others), -1)
            return dy * tf.cast(by_margin[..., tf.newaxis] * slope, dy.dtype)

        _, rest, at_label = _parts(v, beside)
        m = tf.maximum(rest - at_label, rest.dtype.min)  # p of the label is sigmoid(-m)
        entropy = tf.maximum(alpha * rest - alpha * at_label, 0) + alpha * tf.math.softplus(-tf.abs(m))  # -alpha log p
        return tf.cast(tf.exp(gamma * tf.math.log_sigmoid(m)) * entropy, x.dtype), vjp

    return forward(x)


def _parts(x: Tensor, beside: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Return x without the labels' elements, log(sum of e^x) over these others, and x at the label."""
    x = tf.cast(x, tf.float32) if x.dtype.size < 4 else x  # 16 bits lose the sums
    others = tf.where(beside, x, x.dtype.min)
    top = tf.stop_gradient(tf.reduce_max(others, -1))
    rest = tf.math.log(tf.reduce_sum(tf.exp(others - tf.expand_dims(top, -1)), -1)) + top
    return others, rest, tf.reduce_sum(tf.where(~beside, x, 0), -1)


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
