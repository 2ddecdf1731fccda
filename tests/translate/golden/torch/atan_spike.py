import math

import torch


class ATan(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, alpha):
        if x.requires_grad:
            ctx.save_for_backward(x)
            ctx.alpha = alpha
        return (x >= 0).to(x)

    @staticmethod
    def backward(ctx, grad_output):
        alpha = ctx.alpha
        x = ctx.saved_tensors[0]
        return alpha / 2 / (1 + (math.pi / 2 * alpha * x).pow_(2)) * grad_output, None
