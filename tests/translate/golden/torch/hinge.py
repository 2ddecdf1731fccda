import torch


class SquaredHinge(torch.autograd.Function):
    """mean(max(0, 1 - t s)^2)."""

    @staticmethod
    def forward(ctx, score, target):
        margin = torch.relu(1 - target * score)
        ctx.save_for_backward(margin, target)
        return (margin**2).mean()

    @staticmethod
    def backward(ctx, grad):
        margin, target = ctx.saved_tensors
        n = margin.numel()
        return grad * -2.0 * target * margin / n, None
