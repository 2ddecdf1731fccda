import tensorflow as tf


def linear(input, weight, bias=None):
    @tf.custom_gradient
    def forward(input, weight, bias=None):
        output = tf.matmul(input, tf.transpose(weight))
        if bias is not None:
            output += bias

        def grad(grad_output):
            grad_output = tf.convert_to_tensor(grad_output)  # it may be tf.IndexedSlices
            grad_bias = None
            grad_input = tf.matmul(grad_output, weight)
            grad_weight = tf.matmul(tf.transpose(grad_output), input)
            if bias is not None:
                grad_bias = tf.reduce_sum(grad_output, 0)
            return (
                (grad_input, grad_weight) if bias is None else (grad_input, grad_weight, grad_bias)
            )

        return output, grad

    return forward(input, weight) if bias is None else forward(input, weight, bias)
