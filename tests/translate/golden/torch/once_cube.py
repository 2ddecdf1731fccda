import torch
from torch.autograd.function import once_differentiable


class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        square = x * x
        ctx.save_for_backward(square)
        return square * x

    @staticmethod
    @once_differentiable
    def backward(ctx, dy):
        (square,) = ctx.saved_tensors
        return 3 * square * dy
