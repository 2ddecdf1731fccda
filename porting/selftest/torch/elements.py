"""A few elements that are wrong among many that are right."""

# mypy: allow-untyped-defs, allow-untyped-calls

import torch

from porting.selftest import toys
from porting.selftest.planted import planted
from porting.selftest.torch import twins


def _times(dx, where, factor):
    """Multiply some elements of a gradient, counted row by row."""
    factors = torch.ones_like(dx).reshape(-1)
    factors[where] = factor
    return dx * factors.reshape(dx.shape)


@planted(toys.cube, "few_elements")
class LastElementMissing(twins.CubeFunction):
    """The last element's gradient is 0: a loop ends one too early."""

    @staticmethod
    def backward(ctx, dy):
        return _times(twins.CubeFunction.backward(ctx, dy), slice(-1, None), 0)


@planted(toys.sine, "few_elements")
class OneOfMany(twins.SineFunction):
    """The gradient of element 54321 is 0; there are that many in large inputs alone."""

    @staticmethod
    def backward(ctx, dy):
        return _times(twins.SineFunction.backward(ctx, dy), slice(54321, 54322), 0)


@planted(toys.softplus, "few_elements")
class OneSignFlipped(twins.SoftplusFunction):
    """One element's gradient has the wrong sign; which one depends on their number."""

    @staticmethod
    def backward(ctx, dy):
        k = 7 * dy.numel() // 11
        return _times(twins.SoftplusFunction.backward(ctx, dy), slice(k, k + 1), -1)


@planted(toys.sigmoid, "few_elements", source="flash-attention PR#2790")
class TailNotComputed(twins.SigmoidFunction):
    """The gradient is computed in blocks of 8, and what is left over stays 0."""

    @staticmethod
    def backward(ctx, dy):
        return _times(twins.SigmoidFunction.backward(ctx, dy), slice(dy.numel() // 8 * 8, None), 0)


@planted(toys.sine, "few_elements")
class FirstTwoExchanged(twins.SineFunction):
    """The gradients of the first two elements are exchanged."""

    @staticmethod
    def backward(ctx, dy):
        dx = twins.SineFunction.backward(ctx, dy)
        flat = dx.reshape(-1)
        return torch.cat([flat[:2].flip(0), flat[2:]]).reshape(dx.shape)
