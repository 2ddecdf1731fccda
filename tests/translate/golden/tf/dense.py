import tensorflow as tf


@tf.custom_gradient
def dense(x, kernel):
    def grad(dy):
        dx = tf.matmul(dy, kernel, transpose_b=True)
        dkernel = tf.matmul(x, dy, transpose_a=True)
        return [dx, dkernel]

    return tf.matmul(x, kernel), grad
