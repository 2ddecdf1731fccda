"""Right twins of the toy ops that take given shapes, and what all right twins share."""

# mypy: allow-untyped-defs, allow-untyped-calls

import torch


class KeepsInputs(torch.autograd.Function):
    """Saves its inputs and nothing else, so that its gradient can be differentiated again."""

    generate_vmap_rule = True

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)


class KeepsForBoth(torch.autograd.Function):
    """Saves its inputs for the reverse and for the forward mode."""

    generate_vmap_rule = True

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)
        ctx.save_for_forward(*inputs)


class ScaleColumnsFunction(KeepsInputs):
    @staticmethod
    def forward(x, b):
        return x * b

    @staticmethod
    def backward(ctx, dy):
        x, b = ctx.saved_tensors
        return dy * b, (dy * x).sum_to_size(b.shape)


class MatmulFunction(KeepsInputs):
    @staticmethod
    def forward(x, w):
        return x @ w

    @staticmethod
    def backward(ctx, dy):
        x, w = ctx.saved_tensors
        return dy @ w.mT, x.mT @ dy


class SelfProductFunction(KeepsInputs):
    @staticmethod
    def forward(x):
        return x @ x

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return dy @ x.mT + x.mT @ dy


class SoftmaxFunction(KeepsInputs):
    @staticmethod
    def forward(x):
        return torch.softmax(x, -1)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(output)

    @staticmethod
    def backward(ctx, dy):
        (y,) = ctx.saved_tensors
        return y * (dy - (dy * y).sum(-1, keepdim=True))


class MeanSquareFunction(KeepsInputs):
    @staticmethod
    def forward(x):
        n = x.shape[-1]
        return n * (x * (x / n)).mean(-1)  # x^2 alone would overflow float16 sooner than the mean does

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return 2 * (x / x.shape[-1]) * dy.unsqueeze(-1)


class TakeRowsFunction(KeepsInputs):
    @staticmethod
    def forward(x, i):
        return x[i]

    @staticmethod
    def backward(ctx, dy):
        x, i = ctx.saved_tensors
        return dy.new_zeros(x.shape).index_add(0, i, dy), None


def scale_columns(x, b):
    return ScaleColumnsFunction.apply(x, b)


def matmul(x, w):
    return MatmulFunction.apply(x, w)


def self_product(x):
    return SelfProductFunction.apply(x)


def softmax(x):
    return SoftmaxFunction.apply(x)


def mean_square(x):
    return MeanSquareFunction.apply(x)


def take_rows(x, i):
    return TakeRowsFunction.apply(x, i)
