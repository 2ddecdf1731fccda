"""A gradient with a gradient of its own, as networks that generate images have it."""

import tensorflow as tf


def leaky_relu_twice(x, alpha=0.2):
    @tf.custom_gradient
    def func(x):
        y = tf.maximum(x, x * alpha)

        @tf.custom_gradient
        def grad(dy):
            dx = tf.where(y >= 0, dy, dy * alpha)
            return dx, lambda ddx: tf.where(y >= 0, ddx, ddx * alpha)

        return y, grad

    return func(x)
