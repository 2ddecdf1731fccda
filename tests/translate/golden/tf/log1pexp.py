import tensorflow as tf


@tf.custom_gradient
def log1pexp(x):
    """log(1 + e^x), with a gradient that does not overflow."""
    e = tf.exp(x)

    def grad(upstream):
        return upstream * (1 - 1 / (1 + e))

    return tf.math.log(1 + e), grad
