import tensorflow as tf


def cube(x):
    @tf.custom_gradient
    def forward(x):
        square = x * x

        def grad(dy):
            dy = tf.convert_to_tensor(dy)  # it may be tf.IndexedSlices
            dx = 3 * square * dy
            # a second derivative is refused
            return tf.raw_ops.PreventGradient(input=dx, message="once differentiable")

        return square * x, grad

    return forward(x)
