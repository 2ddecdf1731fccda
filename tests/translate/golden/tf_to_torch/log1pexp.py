import torch


class Log1pexpFunction(torch.autograd.Function):
    @staticmethod
    def forward(x):
        e = torch.exp(x)
        return torch.log(1 + e)

    @staticmethod
    def setup_context(ctx, inputs, output):
        (x,) = inputs
        ctx.save_for_backward(x)

    @staticmethod
    def backward(ctx, upstream):
        (x,) = ctx.saved_tensors
        e = torch.exp(x)
        return upstream * (1 - 1 / (1 + e))


def log1pexp(x):
    """log(1 + e^x), with a gradient that does not overflow."""
    return Log1pexpFunction.apply(x)
