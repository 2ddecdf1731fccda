"""An argument without a gradient is a tensor where a helper calls a method of it."""

import numpy as np
import tensorflow as tf
from against_source import text_of

_SOURCE = """import torch


def nearest(q, book):
    return q.mm(book.transpose(0, 1)).argmax(1)


class Mine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale, book):
        ctx.scale = scale
        return x * nearest(x, book)[:, None] * scale

    @staticmethod
    def backward(ctx, dy):
        return dy * ctx.scale, None, None
"""


def test_its_method_is_translated(tmp_path):
    text, why = text_of(tmp_path, _SOURCE)
    assert why == ()
    space = {"__name__": "mine"}
    exec(text, space)  # noqa: S102 - what the translator wrote
    x, book = np.array([[0.3, -1.2], [2.0, 0.5]]), np.array([[1.0, 0.0], [2.0, 1.0]])
    y = space["mine"](tf.constant(x), 2.0, tf.constant(book))
    np.testing.assert_allclose(y, x * [[0.0], [2.0]])


_BY_ANOTHER_NAME = """import torch


class Mine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, given=None):
        if given is not None:
            scale = given
        else:
            raise ValueError("needs a scale")
        ctx.scale = scale
        return x / 2

    @staticmethod
    def backward(ctx, dy):
        scale = ctx.scale
        if len(dy.shape) == 2:
            scale = scale.view(-1, 1)
        return dy / scale, None
"""


def test_so_is_that_of_an_argument_by_another_name(tmp_path):
    text, why = text_of(tmp_path, _BY_ANOTHER_NAME)
    assert why == ()
    space = {"__name__": "mine"}
    exec(text, space)  # noqa: S102 - what the translator wrote
    x, scale = tf.constant([[0.3, -1.2], [2.0, 0.5]]), tf.constant([2.0, 4.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = space["mine"](x, scale)
    np.testing.assert_allclose(tape.gradient(y, x), [[0.5, 0.5], [0.25, 0.25]])
