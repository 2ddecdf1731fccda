import torch


class SafeSqrtFunction(torch.autograd.Function):
    @staticmethod
    def forward(x):
        y = torch.sqrt(x)
        return y

    @staticmethod
    def setup_context(ctx, inputs, output):
        (x,) = inputs
        ctx.save_for_backward(x)

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        y = torch.sqrt(x)
        return torch.where(2.0 * y == 0, 0, dy / (2.0 * y))


def safe_sqrt(x):
    return SafeSqrtFunction.apply(x)
