import tensorflow as tf


def get_subnet(scores, k):
    @tf.custom_gradient
    def forward(scores):
        # Keep the top k of the scores.
        _, idx = _sort(tf.reshape(scores, [-1]))
        j = int((1 - k) * scores.shape.num_elements())

        # flat_out and out share their memory.
        flat_out = tf.reshape(scores, [-1])
        flat_out = tf.tensor_scatter_nd_update(
            flat_out, idx[:j][:, None], tf.zeros_like(tf.gather(flat_out, idx[:j]))
        )
        out = tf.reshape(flat_out, tf.shape(scores))
        flat_out = tf.tensor_scatter_nd_update(
            flat_out, idx[j:][:, None], tf.ones_like(tf.gather(flat_out, idx[j:]))
        )
        out = tf.reshape(flat_out, tf.shape(out))

        def grad(g):
            g = tf.convert_to_tensor(g)  # it may be tf.IndexedSlices
            return g

        return out, grad

    return forward(scores)


def _sort(x, axis=-1, descending=False):
    """The numbers in their order, and where they were; NaN is the largest, as in PyTorch."""
    direction = "DESCENDING" if descending else "ASCENDING"
    take = tf.experimental.numpy.take_along_axis
    nan = x != x
    places = tf.argsort(tf.where(nan, tf.zeros_like(x), x), axis, direction, stable=True)
    moved = tf.argsort(tf.cast(take(nan, places, axis), tf.int32), axis, direction, stable=True)
    places = take(places, moved, axis)
    return take(x, places, axis), places
