import tensorflow as tf


def clipped_relu(input, ceiling=6.0):
    @tf.custom_gradient
    def forward(input):
        def grad(grad_output):
            grad_output = tf.convert_to_tensor(grad_output)  # it may be tf.IndexedSlices
            grad_input = tf.where(input < 0, tf.zeros_like(grad_output), grad_output)
            grad_input = tf.where(input > ceiling, tf.zeros_like(grad_input), grad_input)
            return grad_input

        return tf.clip_by_value(input, 0, ceiling), grad

    return forward(input)
