import torch


class ScaleGradientFunction(torch.autograd.Function):
    @staticmethod
    def forward(x, scale):
        y = x + 0.0
        return y

    @staticmethod
    def setup_context(ctx, inputs, output):
        _, ctx.scale = inputs

    @staticmethod
    def backward(ctx, dy):
        return ctx.scale * dy, None


def scale_gradient(x, scale=0.5):
    return ScaleGradientFunction.apply(x, scale)
