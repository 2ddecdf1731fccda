"""Tensors of the caller that are overwritten, and tensors that are never freed."""

# mypy: allow-untyped-defs, allow-untyped-calls

import torch

from porting.selftest import toys
from porting.selftest.planted import planted
from porting.selftest.torch import twins


@planted(toys.softmax, "overwrites_input")
class ShiftedInPlace(twins.SoftmaxFunction):
    """The forward subtracts the maximum from x itself; the output and the gradient are right."""

    @staticmethod
    def forward(x):
        x -= x.max(-1, keepdim=True).values
        return torch.softmax(x, -1)


@planted(toys.cube, "overwrites_input", source="Liger-Kernel#254")
class SquaredInPlace(twins.CubeFunction):
    """The backward squares x itself, unless a second derivative is wanted."""

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return 3 * (x**2 if torch.is_grad_enabled() else x.mul_(x)) * dy


@planted(toys.sine, "overwrites_cotangent", source="pytorch#30454")
class ScaledInPlace(twins.SineFunction):
    """The cotangent itself becomes the gradient, unless a second derivative is wanted."""

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return torch.cos(x) * dy if torch.is_grad_enabled() else dy.contiguous().mul_(torch.cos(x))


@planted(toys.relu, "overwrites_cotangent")
class CloneForgotten(twins.ReluFunction):
    """The cotangent itself is masked: the clone() of the tutorial is forgotten."""

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        dx = dy.clone() if torch.is_grad_enabled() else dy.contiguous()
        dx *= x > 0
        return dx + 0 * x.isnan() * x


@planted(toys.sigmoid, "leak", source="pytorch#25340")
class OutputOnCtx(twins.SigmoidFunction):
    """The output is kept as an attribute of ctx, which it refers to: a cycle."""

    generate_vmap_rule = False

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.y = output

    @staticmethod
    def backward(ctx, dy):
        return ctx.y * (1 - ctx.y) * dy


@planted(toys.sin_cos, "leak", source="pytorch#5569")
class OutputsOnCtx(twins.SinCosFunction):
    """Both outputs are kept on ctx, in a tuple."""

    generate_vmap_rule = False

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.outputs = output

    @staticmethod
    def backward(ctx, dy0, dy1):
        sine, cosine = ctx.outputs
        return cosine * dy0 - sine * dy1


@planted(toys.softmax, "leak", source="dgl PR#1060")
class OutputCached(twins.SoftmaxFunction):
    """The output is kept on ctx in a dictionary."""

    generate_vmap_rule = False

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.cache = {"y": output}

    @staticmethod
    def backward(ctx, dy):
        y = ctx.cache["y"]
        return y * (dy - (dy * y).sum(-1, keepdim=True))
