"""Right PyTorch twins of the toy ops: a Function for each, and a function of the op's name."""

# mypy: allow-untyped-defs, allow-untyped-calls

import torch

from porting.selftest.torch.shaped import KeepsInputs as KeepsInputs
from porting.selftest.torch.shaped import MatmulFunction as MatmulFunction
from porting.selftest.torch.shaped import MeanSquareFunction as MeanSquareFunction
from porting.selftest.torch.shaped import ScaleColumnsFunction as ScaleColumnsFunction
from porting.selftest.torch.shaped import SelfProductFunction as SelfProductFunction
from porting.selftest.torch.shaped import SoftmaxFunction as SoftmaxFunction
from porting.selftest.torch.shaped import TakeRowsFunction as TakeRowsFunction
from porting.selftest.torch.shaped import matmul as matmul
from porting.selftest.torch.shaped import mean_square as mean_square
from porting.selftest.torch.shaped import scale_columns as scale_columns
from porting.selftest.torch.shaped import self_product as self_product
from porting.selftest.torch.shaped import softmax as softmax
from porting.selftest.torch.shaped import take_rows as take_rows


class CubeFunction(KeepsInputs):
    @staticmethod
    def forward(x):
        return x**3

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return 3 * x**2 * dy


class SineFunction(KeepsInputs):
    @staticmethod
    def forward(x):
        return torch.sin(x)

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return torch.cos(x) * dy


class SigmoidFunction(KeepsInputs):
    @staticmethod
    def forward(x):
        return torch.sigmoid(x)

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return torch.sigmoid(x) * torch.sigmoid(-x) * dy


class SoftplusFunction(KeepsInputs):
    @staticmethod
    def forward(x):
        return torch.logaddexp(torch.zeros_like(x), x)

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return torch.sigmoid(x) * dy


class ProductFunction(KeepsInputs):
    @staticmethod
    def forward(x1, x2):
        return x1 * x2 * x1  # in this order: x1^2 alone may overflow

    @staticmethod
    def backward(ctx, dy):
        x1, x2 = ctx.saved_tensors
        return 2 * x1 * dy * x2, x1 * dy * x1


class PowerFunction(KeepsInputs):
    @staticmethod
    def forward(x, exponent):
        return x**exponent

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, ctx.exponent = inputs
        ctx.save_for_backward(x)

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return ctx.exponent * x ** (ctx.exponent - 1) * dy, None


class SinCosFunction(KeepsInputs):
    @staticmethod
    def forward(x):
        return torch.sin(x), torch.cos(x)

    @staticmethod
    def backward(ctx, dy0, dy1):
        (x,) = ctx.saved_tensors
        return torch.cos(x) * dy0 - torch.sin(x) * dy1


class ReluFunction(KeepsInputs):  # NaN where x is
    @staticmethod
    def forward(x):
        return torch.where(x <= 0, 0 * x, x)

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return torch.where(x <= 0, 0 * dy, dy) + 0 * x.isnan() * x


class MaximumFunction(KeepsInputs):
    @staticmethod
    def forward(x1, x2):
        return torch.where(x1 > x2, x1, x2)

    @staticmethod
    def backward(ctx, dy):
        x1, x2 = ctx.saved_tensors
        first = torch.where(x1 > x2, 1.0, torch.where(x1 == x2, 0.5, 0.0)).to(dy.dtype)
        return dy * first, dy * (1 - first)


class SqrtOrZeroFunction(KeepsInputs):
    @staticmethod
    def forward(x):
        return torch.where(x > 0, torch.where(x > 0, x, 1).sqrt(), 0 * x)

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return torch.where(x > 0, dy / (2 * torch.where(x > 0, x, 1).sqrt()), 0 * dy)


class SquareFunction(KeepsInputs):
    @staticmethod
    def forward(x):
        return x * x

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return 2 * x.conj() * dy


class BetweenFunction(torch.autograd.Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x, low, high):
        return low + (high - low) * torch.sigmoid(x)

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, ctx.low, ctx.high = inputs
        ctx.save_for_backward(x)

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return dy * (ctx.high - ctx.low) * torch.sigmoid(x) * torch.sigmoid(-x), None, None


def between(x, *, low=0.0, high=1.5):
    if not low < high:
        raise ValueError(f"low={low} and high={high}: low < high is wanted")
    return BetweenFunction.apply(x, low, high)


def cube(x):
    return CubeFunction.apply(x)


def sine(x):
    return SineFunction.apply(x)


def sigmoid(x):
    return SigmoidFunction.apply(x)


def softplus(x):
    return SoftplusFunction.apply(x)


def product(x1, x2):
    return ProductFunction.apply(x1, x2)


def power(x, *, exponent=3):
    return PowerFunction.apply(x, exponent)


def sin_cos(x):
    return SinCosFunction.apply(x)


def relu(x):
    return ReluFunction.apply(x)


def maximum(x1, x2):
    return MaximumFunction.apply(x1, x2)


def sqrt_or_zero(x):
    return SqrtOrZeroFunction.apply(x)


def square(x):
    return SquareFunction.apply(x)


class OffsetFunction(torch.autograd.Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x, b):
        return x + b

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, b = inputs
        ctx.shapes = x.shape, b.shape

    @staticmethod
    def backward(ctx, dy):
        of_x, of_b = ctx.shapes
        return dy.sum_to_size(of_x), dy.sum_to_size(of_b)


def offset(x, b):
    return OffsetFunction.apply(x, b)
