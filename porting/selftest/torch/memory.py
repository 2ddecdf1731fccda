"""Tensors of the caller that are overwritten, and tensors that are never freed."""

# mypy: allow-untyped-defs, allow-untyped-calls

from porting.selftest import toys
from porting.selftest.edits import planted_edits
from porting.selftest.planted import planted
from porting.selftest.torch import twins


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


planted_edits(
    __name__,
    """
    ShiftedInPlace: softmax, overwrites_input
        The forward subtracts the maximum from x itself; the output and the gradient are right.
        - return torch.softmax(x, -1)
        + x -= x.max(-1, keepdim=True).values
        + return torch.softmax(x, -1)
    SquaredInPlace: cube, overwrites_input, Liger-Kernel#254
        The backward squares x itself, unless a second derivative is wanted.
        - return 3 * x**2 * dy
        + return 3 * (x**2 if torch.is_grad_enabled() else x.mul_(x)) * dy
    ScaledInPlace: sine, overwrites_cotangent, pytorch#30454
        The cotangent itself becomes the gradient, unless a second derivative is wanted.
        - return torch.cos(x) * dy
        + return torch.cos(x) * dy if torch.is_grad_enabled() else dy.contiguous().mul_(torch.cos(x))
    CloneForgotten: relu, overwrites_cotangent
        The cotangent itself is masked: the clone() of the tutorial is forgotten.
        - return torch.where(x <= 0, 0 * dy, dy) + 0 * x.isnan() * x
        + dx = dy.clone() if torch.is_grad_enabled() else dy.contiguous()
        + dx *= x > 0
        + return dx + 0 * x.isnan() * x
    OutputCached: softmax, leak, dgl PR#1060
        The output is kept on ctx in a dictionary.
        - class SoftmaxFunction(KeepsInputs):
        + class SoftmaxFunction(KeepsInputs):
        +     generate_vmap_rule = False
        - ctx.save_for_backward(output)
        + ctx.cache = {"y": output}
        - (y,) = ctx.saved_tensors
        + y = ctx.cache["y"]
    """,
)
