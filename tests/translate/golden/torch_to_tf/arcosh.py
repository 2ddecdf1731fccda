import tensorflow as tf


def arcosh(x):
    @tf.custom_gradient
    def forward(x):
        x = tf.maximum(x, 1.0 + 1e-7)
        z = tf.cast(x, tf.float64)

        def grad(grad_output):
            grad_output = tf.convert_to_tensor(grad_output)  # it may be tf.IndexedSlices
            return grad_output / (x ** 2 - 1) ** 0.5

        return tf.cast(tf.math.log(tf.maximum(z + tf.sqrt(z ** 2 - 1), 1e-15)), x.dtype), grad

    return forward(x)
