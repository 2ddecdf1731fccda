import torch


class GuidedReluFunction(torch.autograd.Function):
    @staticmethod
    def forward(x):
        return torch.relu(x)

    @staticmethod
    def setup_context(ctx, inputs, output):
        (x,) = inputs
        ctx.save_for_backward(x)

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        gate_x = (x > 0).to(torch.float32)
        gate_dy = (dy > 0).to(torch.float32)
        return gate_x * gate_dy * dy


def guided_relu(x):
    return GuidedReluFunction.apply(x)
