import torch


class PolarFunction(torch.autograd.Function):
    @staticmethod
    def forward(x, y):
        r = torch.sqrt(x * x + y * y)
        theta = torch.atan2(y, x)
        return r, theta

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, y = inputs
        ctx.save_for_backward(x, y)

    @staticmethod
    def backward(ctx, dr, dtheta):
        x, y = ctx.saved_tensors
        r = torch.sqrt(x * x + y * y)
        dx = dr * x / r - dtheta * y / torch.square(r)
        dy = dr * y / r + dtheta * x / torch.square(r)
        return dx, dy


def polar(x, y):
    """Radius and angle."""
    return PolarFunction.apply(x, y)
