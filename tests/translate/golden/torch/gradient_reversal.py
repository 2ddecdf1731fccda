from torch.autograd import Function


class GradientReversal(Function):
    """Identity, whose gradient has the other sign."""

    @staticmethod
    def forward(ctx, x, alpha):
        ctx.alpha = alpha
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad_output):
        # No gradient for alpha.
        return grad_output.neg() * ctx.alpha, None
