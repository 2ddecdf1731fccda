import tensorflow as tf


def _swish_backward(grad, x):
    """The derivative, computed again from the input."""
    sig = tf.sigmoid(x)
    return grad * (sig * (1 + x * (1 - sig)))


def swish(x):
    """x sigmoid(x)."""

    @tf.custom_gradient
    def forward(x):
        def vjp(grad):
            grad = tf.convert_to_tensor(grad)  # it may be tf.IndexedSlices
            return _swish_backward(grad, x)

        return tf.nn.silu(x), vjp

    return forward(x)
