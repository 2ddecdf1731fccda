import tensorflow as tf


def scale_gradient(x, scale=0.5):
    @tf.custom_gradient
    def op(x):
        y = x + 0.0

        def grad(*upstream):
            return scale * upstream[0]

        return y, grad

    return op(x)
