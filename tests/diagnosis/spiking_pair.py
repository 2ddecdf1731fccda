"""A spike whose slope is annealed: right, but for a tf.function that goes on with the old one."""

import tensorflow as tf
import torch

SLOPE = 2.5


def anneal():
    global SLOPE  # noqa: PLW0603 - what is tested
    SLOPE *= 1.1


@tf.custom_gradient
def spike(x):
    return tf.cast(x > 0, x.dtype), lambda dy: dy * SLOPE / (1 + x * x)


class Spike(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return (x > 0).to(x.dtype)

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return dy * SLOPE / (1 + x * x)
