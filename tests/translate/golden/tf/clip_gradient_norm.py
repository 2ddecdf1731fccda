import tensorflow as tf


@tf.custom_gradient
def clip_gradient_norm(x, clip_norm):
    def backward(dy):
        return tf.clip_by_norm(dy, clip_norm), None

    return tf.identity(x), backward
