"""Arguments that come twice, not straight, as tensors, or from somewhere else."""

# mypy: allow-untyped-defs, allow-untyped-calls

import torch

from porting.selftest import toys
from porting.selftest.planted import right
from porting.selftest.torch import twins
from porting.selftest.torch.shaped import KeepsInputs


class _ThreeFactors(KeepsInputs):
    @staticmethod
    def forward(a, b, c):
        return a * b * c

    @staticmethod
    def backward(ctx, dy):
        a, b, c = ctx.saved_tensors
        return b * dy * c, a * dy * c, a * dy * b


@right(toys.product)
def same_input_twice(x1, x2):
    """The Function has three inputs, and x1 is two of them: PyTorch adds up its two gradients."""
    return _ThreeFactors.apply(x1, x2, x1)


class _TwoFactors(KeepsInputs):
    @staticmethod
    def forward(a, b):
        return a * b

    @staticmethod
    def backward(ctx, dy):
        a, b = ctx.saved_tensors
        return b * dy, a * dy


@right(toys.cube)
def input_and_its_square(x):
    """The Function gets x and x^2: the rest of the gradient comes by way of the square."""
    return _TwoFactors.apply(x, x * x)


@right(toys.self_product)
def both_factors(x):
    """The Function multiplies two matrices, which are one and the same."""
    return twins.MatmulFunction.apply(x, x)


class _ExponentAsTensor(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, exponent):
        ctx.save_for_backward(x, exponent)
        return x**exponent

    @staticmethod
    def backward(ctx, dy):
        x, exponent = ctx.saved_tensors
        return exponent * x ** (exponent - 1) * dy, None


@right(toys.power)
def exponent_as_tensor(x, *, exponent=3):
    """The exponent is an integer tensor, and is saved like an input; None is its gradient."""
    return _ExponentAsTensor.apply(x, torch.tensor(exponent))


_FACTOR = torch.nn.Parameter(torch.tensor(1.0))


@right(toys.sine)
def parameter_from_outside(x):
    """The Function has a second input that wants a gradient, a parameter of the module that is 1."""
    return twins.ProductFunction.apply(_FACTOR.to(x), twins.SineFunction.apply(x))


@right(toys.scale_columns)
def repeated_outside(x, b):
    """b is expanded before the Function gets it: the gradient that it returns is as large as x."""
    return _TwoFactors.apply(x, b.expand_as(x))


@right(toys.sigmoid)
def shortcut_without_gradient(x):
    """The Function is left out where nobody wants a gradient."""
    if not (torch.is_grad_enabled() and x.requires_grad):
        return torch.sigmoid(x)
    return twins.SigmoidFunction.apply(x)


@right(toys.sine)
def widened_outside(x):
    """The input is cast to float64 before the Function, and its output back."""
    return twins.SineFunction.apply(x.double()).to(x.dtype)


@right(toys.softplus)
def flattened_outside(x):
    """The Function gets a vector, whatever the input is."""
    return twins.SoftplusFunction.apply(x.reshape(-1)).reshape(x.shape)


@right(toys.between)
def any_keywords(x, **settings):
    """The bounds come in a dictionary, with defaults in the Function's own wrapper."""
    return twins.between(x, **settings)
