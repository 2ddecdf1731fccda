"""ReLU of guided backpropagation: a gradient passes only where it is positive and the input was."""

import torch
from torch import Tensor


class GuidedReluFunction(torch.autograd.Function):
    """``GuidedReluFunction.apply(x)``."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x: Tensor) -> Tensor:
        return torch.relu(x)

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        ctx.save_for_backward(output)  # the next layer keeps it too

    @staticmethod
    def backward(ctx, dy: Tensor) -> Tensor:
        (y,) = ctx.saved_tensors
        return torch.relu(dy) * torch.sign(y)


def guided_relu(x: Tensor) -> Tensor:
    """max(x, 0) of any shape; the gradient is dy where both x and dy are positive, else 0."""
    return GuidedReluFunction.apply(x)
