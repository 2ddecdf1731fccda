import torch


class NewtonSqrt(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, steps=12):
        y = torch.ones_like(x)
        for _ in range(steps):
            y = 0.5 * (y + x / y)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, dy):
        (y,) = ctx.saved_tensors
        return dy / (2 * y), None
