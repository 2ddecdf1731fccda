"""Backwards that do something else with the cotangent than to multiply the Jacobian by it."""

# mypy: allow-untyped-defs, allow-untyped-calls

import torch

from porting.selftest import toys
from porting.selftest.planted import planted
from porting.selftest.torch import twins


@planted(toys.cube, "ignores_cotangent", source="chainer#1175")
class DerivativeAlone(twins.CubeFunction):
    """The derivative is returned, not its product with dy."""

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return 3 * x**2


@planted(toys.mean_square, "ignores_cotangent", source="k2#341")
class LossIsTheEnd(twins.MeanSquareFunction):
    """A loss that takes itself for the end of the graph: its own dy is not used."""

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return 2 * (x / x.shape[-1])


@planted(toys.sigmoid, "ignores_cotangent", source="DeepSeek-MoE#17")
class OnesForCotangent(twins.SigmoidFunction):
    """The cotangent is replaced by ones."""

    @staticmethod
    def backward(ctx, dy):
        return twins.SigmoidFunction.backward(ctx, torch.ones_like(dy))


@planted(toys.product, "ignores_cotangent", source="warp-ctc PR#170")
class SecondGradientUnscaled(twins.ProductFunction):
    """The gradient of x1 is multiplied by dy, that of x2 is not: loss scaling reaches one of them."""

    @staticmethod
    def backward(ctx, dy):
        x1, x2 = ctx.saved_tensors
        return 2 * x1 * x2 * dy, x1**2


@planted(toys.sine, "not_linear")
class ClippedCotangent(twins.SineFunction):
    """The cotangent is clipped to [-1, 1]."""

    @staticmethod
    def backward(ctx, dy):
        return twins.SineFunction.backward(ctx, dy.clamp(-1, 1))


@planted(toys.cube, "not_linear")
class SignOfCotangent(twins.CubeFunction):
    """Only the sign of the cotangent is used."""

    @staticmethod
    def backward(ctx, dy):
        return twins.CubeFunction.backward(ctx, dy.sign())


@planted(toys.softplus, "not_linear")
class MagnitudeOfCotangent(twins.SoftplusFunction):
    """Only the magnitude of the cotangent is used."""

    @staticmethod
    def backward(ctx, dy):
        return twins.SoftplusFunction.backward(ctx, dy.abs())


@planted(toys.product, "not_linear")
class CotangentTwice(twins.ProductFunction):
    """The cotangent is multiplied by its own magnitude."""

    @staticmethod
    def backward(ctx, dy):
        return twins.ProductFunction.backward(ctx, dy * dy.abs())


@planted(toys.sigmoid, "not_linear")
class WeightDecayInside(twins.SigmoidFunction):
    """A penalty on x is added to the gradient, which is then not 0 for a cotangent of 0."""

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return twins.SigmoidFunction.backward(ctx, dy) + 0.01 * x


@planted(toys.sine, "not_linear")
class ClippedNorm(twins.SineFunction):
    """The cotangent is scaled down to a norm of at most 1."""

    @staticmethod
    def backward(ctx, dy):
        return twins.SineFunction.backward(ctx, dy / dy.norm().clamp(min=1))


@planted(toys.cube, "not_linear")
class SmallCotangentsDropped(twins.CubeFunction):
    """A cotangent between -1 and 1 is taken for 0."""

    @staticmethod
    def backward(ctx, dy):
        return twins.CubeFunction.backward(ctx, torch.where(dy.abs() < 1, 0 * dy, dy))


@planted(toys.sin_cos, "ignores_one_cotangent")
class SecondOutputForgotten(twins.SinCosFunction):
    """The cotangent of the second output is not used."""

    @staticmethod
    def backward(ctx, dy0, dy1):
        (x,) = ctx.saved_tensors
        return torch.cos(x) * dy0


@planted(toys.sin_cos, "ignores_one_cotangent", source="transformers PR#23774")
class FirstOutputForgotten(twins.SinCosFunction):
    """The cotangent of the first output is taken for the second one's, which is not used."""

    @staticmethod
    def backward(ctx, dy0, dy1):
        (x,) = ctx.saved_tensors
        return torch.cos(x) * dy0 - torch.sin(x) * dy0


@planted(toys.mean_square, "assumes_equal_cotangents")
class MeanOfCotangents(twins.MeanSquareFunction):
    """The mean of the cotangents is used for all of them."""

    @staticmethod
    def backward(ctx, dy):
        return twins.MeanSquareFunction.backward(ctx, dy.mean().expand_as(dy))


@planted(toys.sine, "assumes_equal_cotangents")
class FirstOfCotangents(twins.SineFunction):
    """The first cotangent is used for all of them."""

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return torch.cos(x) * dy.reshape(-1)[:1].sum()


@planted(toys.cube, "assumes_equal_cotangents")
class SumOfCotangents(twins.CubeFunction):
    """The cotangents are summed, as if all came from one loss."""

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return 3 * x**2 * dy.sum()
