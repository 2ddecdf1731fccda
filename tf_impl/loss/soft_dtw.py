"""Soft dynamic time warping: the soft minimum of the costs of all alignments of two series."""

import tensorflow as tf
from tensorflow import Tensor


def soft_dtw(distance: Tensor, *, gamma: float) -> Tensor:
    """-gamma log of the sum over all alignments of e^(-cost / gamma), for distances of shape [..., n, m]."""
    if not 0 < gamma < float("inf"):
        raise ValueError(f"gamma={gamma}: wanted a finite gamma > 0")
    distance = tf.identity(distance)
    if not (distance.dtype.is_floating or distance.dtype.is_complex):
        raise TypeError(f"distance: floating numbers are wanted, got {distance.dtype.name}")
    if distance.shape.rank is not None and (distance.shape.rank < 2 or 0 in distance.shape[-2:]):
        raise ValueError(f"distance {distance.shape.as_list()}: wanted [..., n, m] with n, m >= 1")

    @tf.custom_gradient
    def forward(x: Tensor):
        v = tf.stop_gradient(x)  # the tape keeps nothing of the forward

        def vjp(dy: Tensor) -> Tensor:
            dy = tf.convert_to_tensor(dy)[..., tf.newaxis, tf.newaxis]  # it may be tf.IndexedSlices
            again = x if tf.executing_eagerly() else tf.where(tf.math.is_nan(dy), dy, x)  # waits for dy, is not kept
            a = _gains(again, gamma)
            there, back = tf.unstack(_potentials(tf.stack([a, tf.reverse(a, [-2, -1])])), num=2)
            exponent = there + tf.reverse(back, [-2, -1]) - a - there[..., -1:, -1:]
            share = tf.exp(tf.minimum(exponent, 0))  # of the alignments that go through each place
            return dy * tf.cast(share, dy.dtype)

        return tf.cast(-gamma * _potentials(_gains(v, gamma))[..., -1, -1], x.dtype), vjp

    return forward(distance)


def _gains(distance: Tensor, gamma: float) -> Tensor:
    """Return -distance / gamma, cut off where sums of it would overflow."""
    distance = tf.cast(distance, tf.float32) if distance.dtype.size < 4 else distance  # 16 bits lose the sums
    end = distance.dtype.max / tf.cast(8 * tf.reduce_sum(tf.shape(distance)[-2:]), distance.dtype)
    return tf.minimum(tf.maximum(distance / -gamma, -end), end)


@tf.function(reduce_retracing=True, autograph=False)  # eagerly, each of the n + m steps would be a dozen calls
def _potentials(a: Tensor) -> Tensor:
    """Return log(sum of e^(sum of a along the path)) over the paths from the first place to each, by antidiagonals."""
    shape = tf.shape(a)
    n, m = shape[-2], shape[-1]
    lowest = a.dtype.min / 2  # of no path
    rows = tf.pad(tf.reshape(a, [-1, n, m]), [[0, 0], [0, 0], [0, n]])
    skewed = tf.reshape(tf.reshape(rows, [-1, n * (n + m)])[:, :-n], [-1, n, n + m - 1])  # [batch, i, i + j]
    diagonals = tf.transpose(skewed, [2, 0, 1])
    batch = tf.shape(rows)[0]
    # not tf.pad: in tf.vectorized_map its constant_values are 0
    first = tf.concat([diagonals[0, :, :1], tf.fill([batch, n - 1], lowest)], -1)
    above = tf.fill([2, batch, 1], lowest)

    def step(state: tuple[Tensor, Tensor], diagonal: Tensor) -> tuple[Tensor, Tensor]:
        before, z = state
        from_above = tf.concat([above, tf.stack([before, z])[..., :-1]], -1)
        ways = tf.concat([from_above, z[tf.newaxis]], 0)
        top = tf.stop_gradient(tf.reduce_max(ways, 0))  # finite, which tf.reduce_logsumexp would have to find out
        return z, diagonal + top + tf.math.log(tf.reduce_sum(tf.exp(ways - top), 0))

    further = tf.roll(diagonals, -1, 0)  # one more than there are: none at all cannot be scanned
    _, found = tf.scan(step, further, (tf.fill(tf.shape(first), lowest), first))
    skewed = tf.transpose(tf.concat([first[tf.newaxis], found[:-1]], 0), [1, 2, 0])
    flat = tf.pad(tf.reshape(skewed, [-1, n * (n + m - 1)]), [[0, 0], [0, n]])
    return tf.reshape(tf.reshape(flat, [-1, n, n + m])[:, :, :m], shape)
