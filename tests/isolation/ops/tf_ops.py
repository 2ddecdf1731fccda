"""TensorFlow ops: a good one, and some that do not come back, raise, or leave a setting changed."""

import os

import tensorflow as tf


@tf.custom_gradient
def good(x):
    return tf.sin(x), lambda dy: dy * tf.cos(x)


@tf.custom_gradient
def loop(x):
    return tf.while_loop(lambda _: True, lambda y: [y + 1], [x])[0], lambda dy: dy


@tf.custom_gradient
def loop_in_gradient(x):
    def vjp(dy):
        while True:
            dy = dy + 0

    return tf.sin(x), vjp


@tf.custom_gradient
def leaves_in_gradient(x):
    return tf.sin(x), lambda dy: os._exit(0)


def _raise(x):
    raise LookupError("no such table")


@tf.custom_gradient
def raises_in_py_function(x):
    return tf.py_function(_raise, [x], x.dtype), lambda dy: dy


@tf.custom_gradient
def wrong_count(x):
    return tf.sin(x), lambda dy: (dy, dy)


@tf.custom_gradient
def gradient_is_none(x):
    return tf.sin(x), lambda dy: None


def returns_string(x):
    return "sine"


@tf.custom_gradient
def no_gradient_function(x):
    return tf.sin(x)


@tf.custom_gradient
def eagerly(x):
    tf.config.run_functions_eagerly(True)
    return tf.sin(x), lambda dy: dy * tf.cos(x)
