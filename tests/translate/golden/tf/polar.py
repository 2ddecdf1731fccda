import tensorflow as tf


@tf.custom_gradient
def polar(x, y):
    """Radius and angle."""
    r = tf.sqrt(x * x + y * y)
    theta = tf.atan2(y, x)

    def grad(dr, dtheta):
        dx = dr * x / r - dtheta * y / tf.square(r)
        dy = dr * y / r + dtheta * x / tf.square(r)
        return dx, dy

    return (r, theta), grad
