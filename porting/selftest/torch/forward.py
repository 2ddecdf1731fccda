"""Faults of the forward, gradients that belong to another function, and code that raises."""

# mypy: allow-untyped-defs, allow-untyped-calls

import numpy as np
import torch

from porting.selftest import toys
from porting.selftest.edits import planted_edits
from porting.selftest.planted import planted
from porting.selftest.torch import twins


@planted(toys.sine, "raises_in_forward")
class NumpyForward(twins.SineFunction):
    """The forward goes through NumPy, which has no bfloat16."""

    generate_vmap_rule = False

    @staticmethod
    def forward(x):
        return torch.from_numpy(np.asarray(np.sin(x.numpy())))


planted_edits(
    __name__,
    """
    ExponentOnTheOtherFactor: product, wrong_value
        The forward squares x2 instead of x1.
        - return x1 * x2 * x1  # in this order: x1^2 alone may overflow
        + return x1 * x2**2
    CubeOfTheMagnitude: cube, wrong_value
        The forward returns x^2 |x|: right for positive numbers only.
        - return x**3
        + return x * x * x.abs()
    SlightlyTooLarge: sine, scaled_value
        The forward is one per cent too large; the gradient is right.
        - return torch.sin(x)
        + return 1.01 * torch.sin(x)
    OutputsExchanged: sin_cos, wrong_value
        The forward returns the cosine first.
        - return torch.sin(x), torch.cos(x)
        + return torch.cos(x), torch.sin(x)
    exponent_ignored: power, wrong_value
        The forward returns x^3 whatever the exponent; the gradient is right.
        - return x**exponent
        + return x**3
    GradientOfExp: cube, forward_gradient_disagree
        The gradient is that of exp(x).
        - return 3 * x**2 * dy
        + return torch.exp(x) * dy
    GradientOfTanh: sine, forward_gradient_disagree
        The backward was copied from tanh.
        - return torch.cos(x) * dy
        + return (1 - torch.tanh(x) ** 2) * dy
    backward_not_adapted: power, forward_gradient_disagree, transformers PR#23774
        The forward has learned other exponents, the backward is still that of x^3.
        - return ctx.exponent * x ** (ctx.exponent - 1) * dy, None
        + return 3 * x**2 * dy, None
    OneTypeOnly: matmul, raises_in_forward
        The forward refuses every type but float32.
        - return x @ w
        + if x.dtype != torch.float32:
        +     raise TypeError(f"expected float32, got {x.dtype}")
        + return x @ w
    MatricesOnly: softmax, raises_in_forward
        The forward takes the input apart as if it had exactly two axes.
        - return torch.softmax(x, -1)
        + rows, columns = x.shape
        + return torch.softmax(x.reshape(rows, columns), 1)
    MisspelledAttribute: softplus, raises_in_backward
        The backward asks for ctx.saved_tensor, which does not exist.
        - (x,) = ctx.saved_tensors
        + (x,) = ctx.saved_tensor
    OneSavedTwoWanted: sigmoid, raises_in_backward
        The backward unpacks two tensors where one was saved.
        - (x,) = ctx.saved_tensors
        - return torch.sigmoid(x) * torch.sigmoid(-x) * dy
        + _, y = ctx.saved_tensors
        + return y * (1 - y) * dy
    MixedTypes: matmul, wrong_dtype, apex#798
        The backward multiplies matrices of two types, unless everything is float32.
        - return dy @ w.mT, x.mT @ dy
        + return dy @ w.float().mT, x.mT @ dy
    """,
)
