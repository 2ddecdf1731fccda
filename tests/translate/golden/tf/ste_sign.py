import tensorflow as tf


@tf.custom_gradient
def ste_sign(x):
    # No zeros in the output: 0 counts as positive.
    y = tf.sign(tf.sign(x) + 0.1)

    def grad(dy):
        mask = tf.cast(tf.abs(x) <= 1.0, dy.dtype)
        return dy * mask

    return y, grad
