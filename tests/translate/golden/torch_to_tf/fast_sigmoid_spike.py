import tensorflow as tf


def fast_sigmoid(input_, slope=25):
    """Heaviside step, with the gradient of a fast sigmoid."""

    @tf.custom_gradient
    def forward(input_):
        out = tf.cast(input_ > 0, input_.dtype)

        def vjp(grad_output):
            grad_output = tf.convert_to_tensor(grad_output)  # it may be tf.IndexedSlices
            grad = grad_output / (slope * tf.abs(input_) + 1.0) ** 2
            return grad

        return out, vjp

    return forward(input_)
