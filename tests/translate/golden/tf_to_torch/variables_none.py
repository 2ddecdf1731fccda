import torch


class SteClipFunction(torch.autograd.Function):
    @staticmethod
    def forward(x):
        out = x.clamp(-1.0, 1.0)
        return out

    @staticmethod
    def setup_context(ctx, inputs, output):
        (x,) = inputs
        ctx.save_for_backward(x)

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        g = dy * (torch.abs(x) <= 1.0).to(dy.dtype)
        return g


def ste_clip(x):
    return SteClipFunction.apply(x)
