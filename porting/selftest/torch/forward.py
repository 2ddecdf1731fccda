"""Faults of the forward, gradients that belong to another function, and code that raises."""

# mypy: allow-untyped-defs, allow-untyped-calls

import numpy as np
import torch

from porting.selftest import toys
from porting.selftest.planted import planted
from porting.selftest.torch import twins


@planted(toys.product, "wrong_value")
class ExponentOnTheOtherFactor(twins.ProductFunction):
    """The forward squares x2 instead of x1."""

    @staticmethod
    def forward(x1, x2):
        return x1 * x2**2


@planted(toys.cube, "wrong_value")
class CubeOfTheMagnitude(twins.CubeFunction):
    """The forward returns x^2 |x|: right for positive numbers only."""

    @staticmethod
    def forward(x):
        return x * x * x.abs()


@planted(toys.sin_cos, "wrong_value")
class OutputsExchanged(twins.SinCosFunction):
    """The forward returns the cosine first."""

    @staticmethod
    def forward(x):
        return torch.cos(x), torch.sin(x)


class _CubeAlways(twins.PowerFunction):
    @staticmethod
    def forward(x, exponent):
        return x**3


@planted(toys.power, "wrong_value")
def exponent_ignored(x, *, exponent=3):
    """The forward returns x^3 whatever the exponent; the gradient is right."""
    return _CubeAlways.apply(x, exponent)


@planted(toys.cube, "forward_gradient_disagree")
class GradientOfExp(twins.CubeFunction):
    """The gradient is that of exp(x)."""

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return torch.exp(x) * dy


@planted(toys.sine, "forward_gradient_disagree")
class GradientOfTanh(twins.SineFunction):
    """The backward was copied from tanh."""

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return (1 - torch.tanh(x) ** 2) * dy


class _StillACube(twins.PowerFunction):
    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return 3 * x**2 * dy, None


@planted(toys.power, "forward_gradient_disagree", source="transformers PR#23774")
def backward_not_adapted(x, *, exponent=3):
    """The forward has learned other exponents, the backward is still that of x^3."""
    return _StillACube.apply(x, exponent)


@planted(toys.sine, "raises_in_forward")
class NumpyForward(twins.SineFunction):
    """The forward goes through NumPy, which has no bfloat16."""

    generate_vmap_rule = False

    @staticmethod
    def forward(x):
        return torch.from_numpy(np.asarray(np.sin(x.numpy())))


@planted(toys.matmul, "raises_in_forward")
class OneTypeOnly(twins.MatmulFunction):
    """The forward refuses every type but float32."""

    @staticmethod
    def forward(x, w):
        if x.dtype != torch.float32:
            raise TypeError(f"expected float32, got {x.dtype}")
        return x @ w


@planted(toys.softmax, "raises_in_forward")
class MatricesOnly(twins.SoftmaxFunction):
    """The forward takes the input apart as if it had exactly two axes."""

    @staticmethod
    def forward(x):
        rows, columns = x.shape
        return torch.softmax(x.reshape(rows, columns), 1)


@planted(toys.softplus, "raises_in_backward")
class MisspelledAttribute(twins.SoftplusFunction):
    """The backward asks for ctx.saved_tensor, which does not exist."""

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensor
        return torch.sigmoid(x) * dy


@planted(toys.sigmoid, "raises_in_backward")
class OneSavedTwoWanted(twins.SigmoidFunction):
    """The backward unpacks two tensors where one was saved."""

    @staticmethod
    def backward(ctx, dy):
        _, y = ctx.saved_tensors
        return y * (1 - y) * dy


@planted(toys.matmul, "wrong_dtype", source="apex#798")
class MixedTypes(twins.MatmulFunction):
    """The backward multiplies matrices of two types, unless everything is float32."""

    @staticmethod
    def backward(ctx, dy):
        x, w = ctx.saved_tensors
        return dy @ w.float().mT, x.mT @ dy
