import tensorflow as tf


def cross_entropy(logits, labels):
    """Mean cross entropy; labels are rows of a one."""
    labels = tf.stop_gradient(labels)

    @tf.custom_gradient
    def loss(logits):
        log_p = tf.nn.log_softmax(logits, axis=-1)

        def grad(dy):
            n = tf.cast(tf.shape(logits)[0], logits.dtype)
            return dy * (tf.exp(log_p) - labels) / n

        return tf.reduce_mean(-tf.reduce_sum(labels * log_p, axis=-1)), grad

    return loss(logits)
