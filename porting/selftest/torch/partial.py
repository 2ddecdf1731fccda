"""Right in most calls: wrong at some numbers, in some rows, or for some lengths."""

# mypy: allow-untyped-defs, allow-untyped-calls

import torch

from porting.selftest import toys
from porting.selftest.planted import planted
from porting.selftest.torch import twins


@planted(toys.sine, "wrong_branch")
class PaddingAtZero(twins.SineFunction):
    """Where x is 0 it is taken for padding, and gets no gradient."""

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return torch.where(x == 0, 0 * dy, torch.cos(x) * dy)


@planted(toys.sigmoid, "wrong_branch")
class TwiceFarOut(twins.SigmoidFunction):
    """From 6 on an approximation takes over, and is twice the true gradient."""

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return torch.where(x > 6, 2 * torch.exp(-x.clamp(min=6)) * dy, twins.SigmoidFunction.backward(ctx, dy))


@planted(toys.softplus, "wrong_branch")
class ConstantBesideZero(twins.SoftplusFunction):
    """Where |x| is below 0.01 the gradient is 1/2: the series has one term too few."""

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return torch.where(x.abs() < 0.01, 0.5 * dy, twins.SoftplusFunction.backward(ctx, dy))


@planted(toys.mean_square, "wrong_branch")
class NegativeRowsMissing(twins.MeanSquareFunction):
    """A row without a positive number has no gradient: its maximum is looked for from 0 up."""

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        dx = twins.MeanSquareFunction.backward(ctx, dy)
        return torch.where((x <= 0).all(-1, keepdim=True), 0 * dx, dx)


@planted(toys.cube, "few_elements")
class TailOfRowMissing(twins.CubeFunction):
    """Each row is computed in blocks of 4; what is left over stays 0: 3 of 7 elements, none of 4."""

    @staticmethod
    def backward(ctx, dy):
        dx = twins.CubeFunction.backward(ctx, dy)
        if not dx.dim():
            return dx
        n = dx.shape[-1]
        whole = max(n // 4, 1) * 4
        return dx * (torch.arange(n, device=dx.device) < whole)


@planted(toys.take_rows, "few_elements")
class PaddingRow(twins.TakeRowsFunction):
    """The last row gets no gradient, as if it were that of the padding."""

    @staticmethod
    def backward(ctx, dy):
        dx, none = twins.TakeRowsFunction.backward(ctx, dy)
        return torch.cat([dx[:-1], 0 * dx[-1:]]), none


@planted(toys.sqrt_or_zero, "forward_gradient_disagree")
class EpsilonBesideTheRoot(twins.SqrtOrZeroFunction):
    """0.001 is added to the root in the gradient, and not in the forward."""

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return torch.where(x > 0, dy / (2 * (torch.where(x > 0, x, 1).sqrt() + 1e-3)), 0 * dy)


@planted(toys.sine, "overflow")
class ScaledUpInside(twins.SineFunction):
    """The cotangent is multiplied by 2^16 and divided at the end: too much for float16."""

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return torch.cos(x) * (dy * 256 * 256) / 256 / 256
