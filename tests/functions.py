"""PyTorch functions with a gradient of one's own, from two formulas, and a module that calls a function."""

import torch


def function(forward, backward):
    """Return a function of tensors: `forward` of the inputs, `backward` of the cotangent and the inputs."""

    class Twin(torch.autograd.Function):
        @staticmethod
        def forward(ctx, *xs):
            ctx.save_for_backward(*xs)
            return forward(*xs)

        @staticmethod
        def backward(ctx, dy):
            return backward(dy, *ctx.saved_tensors)

    return Twin.apply


class Module(torch.nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, *x):
        return self.function(*x)
