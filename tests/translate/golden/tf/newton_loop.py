import tensorflow as tf


@tf.custom_gradient
def newton_sqrt(x):
    """sqrt(x), by Newton's iteration."""

    def step(k, y):
        return k + 1, 0.5 * (y + x / y)

    _, y = tf.while_loop(lambda k, _: k < 12, step, (0, tf.ones_like(x)))

    def grad(dy):
        return dy / (2 * y)

    return y, grad
