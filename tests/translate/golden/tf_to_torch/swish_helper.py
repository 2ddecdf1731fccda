import torch

BETA = 1.5


def _gate(x):
    """How much of x passes."""
    return torch.sigmoid(BETA * x)


class SwishFunction(torch.autograd.Function):
    @staticmethod
    def forward(features):
        return features * _gate(features)

    @staticmethod
    def setup_context(ctx, inputs, output):
        (features,) = inputs
        ctx.save_for_backward(features)

    @staticmethod
    def backward(ctx, dy):
        (features,) = ctx.saved_tensors
        sigmoid_features = _gate(features)
        activation_grad = sigmoid_features * (1.0 + BETA * features * (1.0 - sigmoid_features))
        return dy * activation_grad


def swish(features):
    return SwishFunction.apply(features)
