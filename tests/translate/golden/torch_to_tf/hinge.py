import tensorflow as tf


def squared_hinge(score, target):
    """mean(max(0, 1 - t s)^2)."""

    @tf.custom_gradient
    def forward(score):
        margin = tf.nn.relu(1 - tf.cast(target, score.dtype) * score)

        def vjp(grad):
            grad = tf.convert_to_tensor(grad)  # it may be tf.IndexedSlices
            n = margin.shape.num_elements()
            return grad * -2.0 * tf.cast(target, grad.dtype) * margin / n

        # target gets no gradient
        return tf.stop_gradient(tf.reduce_mean(margin ** 2)), vjp

    return forward(score)
