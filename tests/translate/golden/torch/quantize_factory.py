import torch


def uniform_quantize(k):
    """Round to k bits between 0 and 1."""

    class qfn(torch.autograd.Function):
        @staticmethod
        def forward(ctx, input):
            if k == 1:
                out = torch.sign(input)
            else:
                n = float(2**k - 1)
                out = torch.round(input * n) / n
            return out

        @staticmethod
        def backward(ctx, grad_output):
            grad_input = grad_output.clone()
            return grad_input

    return qfn.apply
