"""The Legendre run in TensorFlow: a gradient tape calls the twin's own gradient, in one traced step."""

import math

from porting.train.legendre import LEARNING_RATE, POINTS, START, STEPS, Fit, OnStep


def fit(on_step: OnStep | None = None) -> Fit:
    """Train as the text does.

    Parameters
    ----------
    on_step : callable, optional
        Called after every step with its number.
    """
    import tensorflow as tf

    from tf_impl.published import legendre_polynomial3 as p3

    with tf.device("/CPU:0"):  # as in the text; a GPU sums in another order
        x = tf.linspace(tf.constant(-math.pi, tf.float32), math.pi, POINTS)
        y = tf.sin(x)
        weights = [tf.Variable(weight, dtype=tf.float32) for weight in START]
        a, b, c, d = weights

        def train_step() -> tf.Tensor:
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum((a + b * p3(c + d * x) - y) ** 2)
            for weight, gradient in zip(weights, tape.gradient(loss, weights), strict=True):
                weight.assign_sub(LEARNING_RATE * gradient)
            return loss

        traced = tf.function(train_step)
        curve: list[float] = []
        for step in range(STEPS):
            curve.append(float(traced()))
            if on_step is not None:
                on_step(step)
    return Fit("tf", tuple(curve), *(float(weight) for weight in weights))
