import tensorflow as tf


def gradient_reversal(x, alpha):
    """Identity, whose gradient has the other sign."""

    @tf.custom_gradient
    def forward(x):
        def grad(grad_output):
            grad_output = tf.convert_to_tensor(grad_output)  # it may be tf.IndexedSlices
            # No gradient for alpha.
            return -grad_output * alpha

        return tf.identity(x), grad

    return forward(x)
