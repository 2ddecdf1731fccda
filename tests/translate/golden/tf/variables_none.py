import tensorflow as tf


@tf.custom_gradient
def ste_clip(x):
    out = tf.clip_by_value(x, -1.0, 1.0)

    def grad(dy, variables=None):
        g = dy * tf.cast(tf.abs(x) <= 1.0, dy.dtype)
        if variables:
            return g, [None] * len(variables)
        return g

    return out, grad
