import torch


class QuantizerFunction(torch.autograd.Function):
    @staticmethod
    def forward(x, levels):
        return torch.round(x * levels) / levels

    @staticmethod
    def setup_context(ctx, inputs, output):
        pass

    @staticmethod
    def backward(ctx, dy):
        return dy, None


def quantizer(bits: int):
    """Return a function that rounds to a number of bits."""
    levels = 2 ** bits - 1
    return lambda x: QuantizerFunction.apply(x, levels)
