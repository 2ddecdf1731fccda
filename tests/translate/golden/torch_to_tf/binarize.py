import tensorflow as tf


def binarize(input):
    @tf.custom_gradient
    def forward(input):
        output = _sign(input)
        output = tf.where(output == 0, tf.ones_like(output), output)

        def grad(grad_output):
            grad_output = tf.convert_to_tensor(grad_output)  # it may be tf.IndexedSlices
            grad_input = tf.where(input >= 1, tf.zeros_like(grad_output), grad_output)  # saturated
            grad_input = tf.where(input <= -1, tf.zeros_like(grad_input), grad_input)
            return grad_input

        return output, grad

    return forward(input)


def _sign(x):
    """The sign of x, 0 for NaN as in PyTorch."""
    return tf.where(x == x, tf.sign(x), tf.zeros_like(x))
