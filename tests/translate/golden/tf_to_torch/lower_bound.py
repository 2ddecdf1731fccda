import torch


class LowerBoundFunction(torch.autograd.Function):
    @staticmethod
    def forward(inputs, bound):
        return inputs.clamp(min=bound)

    @staticmethod
    def setup_context(ctx, inputs, output):
        inputs, ctx.bound = inputs
        ctx.save_for_backward(inputs)

    @staticmethod
    def backward(ctx, dy):
        (inputs,) = ctx.saved_tensors
        pass_through = (inputs >= ctx.bound) | (dy < 0)
        return torch.where(pass_through, dy, torch.zeros_like(dy)), None


def lower_bound(inputs, bound):
    """max(inputs, bound); a gradient that moves inputs towards the bound passes."""
    return LowerBoundFunction.apply(inputs, bound)
