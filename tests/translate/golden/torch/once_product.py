import torch
from torch.autograd.function import once_differentiable


class ScaledProduct(torch.autograd.Function):
    """x w scale, with no derivative of its gradients."""

    @staticmethod
    def forward(ctx, x, w, scale):
        ctx.save_for_backward(x, w)
        ctx.scale = scale
        return x * w * scale

    @staticmethod
    @once_differentiable
    def backward(ctx, dy):
        x, w = ctx.saved_tensors
        dy = dy * ctx.scale
        return dy * w, dy * x, None
