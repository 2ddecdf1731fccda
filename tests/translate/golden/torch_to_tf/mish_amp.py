import tensorflow as tf


def mish(inp):
    @tf.custom_gradient
    def forward(inp):
        def grad(grad_out):
            grad_out = tf.convert_to_tensor(grad_out)  # it may be tf.IndexedSlices
            sig = tf.sigmoid(inp)
            t = tf.tanh(tf.where(inp > 20, inp, tf.math.softplus(inp)))
            return grad_out * (t + inp * sig * (1 - t * t))

        return inp * tf.tanh(tf.where(inp > 20, inp, tf.math.softplus(inp))), grad

    return forward(inp)
