"""Wrong formulas: signs, factors, forgotten inner derivatives, transposed, exchanged or summed the wrong way."""

# mypy: allow-untyped-defs, allow-untyped-calls

import torch

from porting.selftest import toys
from porting.selftest.planted import planted
from porting.selftest.torch import twins


@planted(toys.sine, "wrong_sign", source="HIPS/autograd PR#412")
class NegativeCosine(twins.SineFunction):
    """-cos(x) is returned for sin(x)."""

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return -torch.cos(x) * dy


@planted(toys.product, "wrong_sign")
class SecondGradientNegative(twins.ProductFunction):
    """The gradient of x2 has the wrong sign, as if the op were x1^2 / x2."""

    @staticmethod
    def backward(ctx, dy):
        x1, x2 = ctx.saved_tensors
        return 2 * x1 * x2 * dy, -(x1**2) * dy


@planted(toys.sin_cos, "wrong_sign")
class CosineGrows(twins.SinCosFunction):
    """The derivative of cos(x) is taken for sin(x)."""

    @staticmethod
    def backward(ctx, dy0, dy1):
        (x,) = ctx.saved_tensors
        return torch.cos(x) * dy0 + torch.sin(x) * dy1


@planted(toys.cube, "constant_factor")
class NoThree(twins.CubeFunction):
    """The exponent is not brought down: x^2 instead of 3 x^2."""

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return x**2 * dy


@planted(toys.mean_square, "constant_factor", source="pytorch PR#132601")
class SumNotMean(twins.MeanSquareFunction):
    """The gradient of the sum of squares: n times too large for the mean."""

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return 2 * x * dy.unsqueeze(-1)


@planted(toys.softmax, "constant_factor")
class AveragedTwice(twins.SoftmaxFunction):
    """The gradient is divided by the number of classes, which the loss does already."""

    @staticmethod
    def backward(ctx, dy):
        return twins.SoftmaxFunction.backward(ctx, dy) / dy.shape[-1]


@planted(toys.square, "constant_factor")
class SlightlyTooSteep(twins.SquareFunction):
    """The gradient is 0.1 % too large: a constant typed from memory."""

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return 2.002 * x.conj() * dy


class _AlwaysThree(twins.PowerFunction):
    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return 3 * x ** (ctx.exponent - 1) * dy, None


@planted(toys.power, "constant_factor")
def factor_not_the_exponent(x, *, exponent=3):
    """The factor in front is 3 whatever the exponent."""
    return _AlwaysThree.apply(x, exponent)


@planted(toys.softplus, "missing_inner_derivative")
class LogarithmOnly(twins.SoftplusFunction):
    """1 / (1 + exp(x)), the derivative of the logarithm: the derivative of exp(x) inside is forgotten."""

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return torch.sigmoid(-x) * dy


@planted(toys.product, "missing_inner_derivative")
class SquareNotDifferentiated(twins.ProductFunction):
    """The gradient of x1 stops at the square: x2 dy, without 2 x1."""

    @staticmethod
    def backward(ctx, dy):
        x1, x2 = ctx.saved_tensors
        return x2 * dy, x1**2 * dy


@planted(toys.sigmoid, "missing_inner_derivative")
class ExponentialOnly(twins.SigmoidFunction):
    """y, as if the op were exp(x): the derivative 1 - y of what stands in the exponent is forgotten."""

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return torch.sigmoid(x) * dy


@planted(toys.self_product, "transposed")
class TransposedResult(twins.SelfProductFunction):
    """The whole gradient is transposed."""

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return (dy @ x.mT + x.mT @ dy).mT


@planted(toys.self_product, "transposed")
class FactorsNotTransposed(twins.SelfProductFunction):
    """The factors are not transposed: dy x + x dy."""

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return dy @ x + x @ dy


@planted(toys.matmul, "transposed")
class TransposedWeights(twins.MatmulFunction):
    """The gradient of w is dy^T x, its own transpose."""

    @staticmethod
    def backward(ctx, dy):
        x, w = ctx.saved_tensors
        return dy @ w.mT, dy.mT @ x


@planted(toys.product, "swapped_gradients")
class ExchangedFactors(twins.ProductFunction):
    """The two gradients are returned in the wrong order."""

    @staticmethod
    def backward(ctx, dy):
        dx1, dx2 = twins.ProductFunction.backward(ctx, dy)
        return dx2, dx1


@planted(toys.maximum, "swapped_gradients")
class ToTheSmallerOne(twins.MaximumFunction):
    """The smaller input gets the gradient of the larger one."""

    @staticmethod
    def backward(ctx, dy):
        return twins.MaximumFunction.backward(ctx, dy)[::-1]


@planted(toys.softmax, "wrong_axis")
class SumOverRows(twins.SoftmaxFunction):
    """The inner product is summed over the first axis, not over the last."""

    @staticmethod
    def backward(ctx, dy):
        (y,) = ctx.saved_tensors
        return y * (dy - (dy * y).sum(0, keepdim=True))


@planted(toys.softmax, "mixes_batch")
class SumOverEverything(twins.SoftmaxFunction):
    """The inner product is summed over all axes, not over the last."""

    @staticmethod
    def backward(ctx, dy):
        (y,) = ctx.saved_tensors
        return y * (dy - (dy * y).sum())
