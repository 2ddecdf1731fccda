"""log(1 + e^x), right at both ends; keeps its input."""

import torch
from torch import Tensor
from torch.nn.functional import softplus


class Log1pExpFunction(torch.autograd.Function):
    """``Log1pExpFunction.apply(x)``."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x: Tensor) -> Tensor:
        return softplus(x, threshold=40)  # from there on y is x; by default from 20, where float64 has e^-20 still

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, dy: Tensor) -> Tensor:
        (x,) = ctx.saved_tensors
        return torch.ops.aten.softplus_backward(dy, x, 1, 40)


def log1p_exp(x: Tensor) -> Tensor:
    """log(1 + e^x) of any shape."""
    if not (x.is_floating_point() or x.is_complex()):
        raise TypeError(f"x: floating numbers are wanted, got {str(x.dtype).removeprefix('torch.')}")
    return Log1pExpFunction.apply(x)
