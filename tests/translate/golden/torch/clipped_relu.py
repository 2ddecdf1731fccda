import torch as th


class ClippedReLU(th.autograd.Function):
    @staticmethod
    def forward(ctx, input, ceiling=6.0):
        ctx.save_for_backward(input)
        ctx.ceiling = ceiling
        return input.clamp(min=0, max=ceiling)

    @staticmethod
    def backward(ctx, grad_output):
        (input,) = ctx.saved_tensors
        grad_input = grad_output.clone()
        grad_input[input < 0] = 0
        grad_input[input > ctx.ceiling] = 0
        return grad_input, None
