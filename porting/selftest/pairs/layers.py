"""Linear layers and biases: transpositions, and sums over a batch."""

# mypy: allow-untyped-defs, allow-untyped-calls

import tensorflow as tf
import torch

from porting.pairs.array import array
from porting.pairs.pair import Pair
from porting.selftest.planted import planted_pair, right_pair

LINEAR = {"x": array(("n", "i")), "weight": array(("o", "i")), "bias": array(("o",))}

SQUARE = {"x": array(("n", 4)), "weight": array((4, 4)), "bias": array((4,))}

SHIFT = {"x": array(("n", "c")), "b": array(("c",))}


class Linear(torch.autograd.Function):
    """The layer of PyTorch's own tutorial."""

    @staticmethod
    def forward(ctx, x, weight, bias=None):
        ctx.save_for_backward(x, weight, bias)
        output = x.mm(weight.t())
        if bias is not None:
            output += bias.unsqueeze(0).expand_as(output)
        return output

    @staticmethod
    def backward(ctx, grad_output):
        x, weight, bias = ctx.saved_tensors
        grad_x = grad_weight = grad_bias = None
        if ctx.needs_input_grad[0]:
            grad_x = grad_output.mm(weight)
        if ctx.needs_input_grad[1]:
            grad_weight = grad_output.t().mm(x)
        if bias is not None and ctx.needs_input_grad[2]:
            grad_bias = grad_output.sum(0)
        return grad_x, grad_weight, grad_bias


class LinearTransposed(Linear):
    @staticmethod
    def backward(ctx, grad_output):
        grad_x, _, grad_bias = Linear.backward(ctx, grad_output)
        return grad_x, ctx.saved_tensors[0].t().mm(grad_output), grad_bias


@tf.custom_gradient
def linear(x, weight, bias):
    def grad(dy):
        dx = tf.matmul(dy, weight)
        dw = tf.matmul(dy, x, transpose_a=True)
        return dx, dw, tf.reduce_sum(dy, axis=0)

    return tf.matmul(x, weight, transpose_b=True) + bias, grad


@tf.custom_gradient
def shift_not_summed(x, b):
    return tf.nn.relu(x + b), lambda dy: (tf.where(x + b > 0, dy, 0.0 * dy), tf.where(x + b > 0, dy, 0.0 * dy))


@tf.custom_gradient
def shift_with_an_axis(x, b):
    def grad(dy):
        dx = tf.where(x + b > 0, dy, tf.zeros_like(dy))
        return dx, tf.reduce_sum(dx, axis=0, keepdims=True)

    return tf.nn.relu(x + b), grad


def shift(x, b):
    return torch.relu(x + b)


@right_pair("torch")
def linear_of_the_tutorial():
    """The backward asks which gradients are needed, and the bias has a default."""
    return Pair(torch=Linear, tf=linear, inputs=LINEAR)


@planted_pair("torch", "transposed")
def weight_transposed():
    """The gradient of a square weight is transposed."""
    return Pair(torch=LinearTransposed, tf=linear, inputs=SQUARE)


@planted_pair("tf", "missing_reduction")
def bias_not_summed():
    """The gradient of the bias is not summed over the batch."""
    return Pair(torch=shift, tf=shift_not_summed, inputs=SHIFT)


@planted_pair("tf", "wrong_shape")
def bias_with_an_axis_too_many():
    """The gradient of the bias has the shape [1, c] in eager mode, where nobody repairs it."""
    return Pair(torch=shift, tf=shift_with_an_axis, inputs=SHIFT, reference="torch")
