"""Memory that is copied, viewed, shared or overwritten, and may be."""

# mypy: allow-untyped-defs, allow-untyped-calls

import torch

from porting.selftest import toys
from porting.selftest.edits import planted_edits
from porting.selftest.planted import right
from porting.selftest.torch import twins


@right(toys.cube)
class CopiedFirst(torch.autograd.Function):
    """Memory is read row by row, and overwritten: that of copies which nobody else has."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        y = x.clone(memory_format=torch.contiguous_format)
        y.view(-1).pow_(3)
        return y

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        flat = dy.contiguous().view(-1)
        return (x.contiguous().view(-1).square() * flat).mul_(3).view(dy.shape)


@right(toys.sine)
class BufferFilled(torch.autograd.Function):
    """The forward writes into a buffer of its own by out=, the backward element by element into another one."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        y = torch.empty_like(x)
        torch.sin(x, out=y)
        return y

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        dx = torch.empty_like(dy, memory_format=torch.contiguous_format)
        dx.copy_(dy)
        dx *= torch.cos(x)
        return dx


@right(toys.mean_square)
class StridesByHand(torch.autograd.Function):
    """The cotangent is repeated along the last axis by a stride of 0, its own strides in front."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return twins.MeanSquareFunction.forward(x)

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        repeated = dy.as_strided(x.shape, (*dy.stride(), 0))
        return 2 * repeated * (x / x.shape[-1])


@right(toys.offset)
class CotangentItself(torch.autograd.Function):
    """Both gradients are the cotangent itself where nothing was broadcast: one tensor, three names."""

    @staticmethod
    def forward(ctx, x, b):
        ctx.shapes = x.shape, b.shape
        return x + b

    @staticmethod
    def backward(ctx, dy):
        return tuple(dy if dy.shape == shape else dy.sum_to_size(shape) for shape in ctx.shapes)


class _Turned(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        number = torch.polar(torch.ones_like(x), -x)
        return number.conj().imag, number.real

    @staticmethod
    def backward(ctx, dy0, dy1):
        (x,) = ctx.saved_tensors
        return (torch.polar(torch.ones_like(x), x) * torch.complex(dy0, dy1)).real


@right(toys.sin_cos)
def parts_of_a_complex_number(x):
    """Values and gradient are real and imaginary parts: views with strides of 2, one of them noted as negative."""
    if x.dtype in {torch.float32, torch.float64}:
        return _Turned.apply(x)
    return twins.sin_cos(x)


planted_edits(
    __name__,
    """
    GradientTransposed: sine
        The gradient has other strides than the input: its axes are stored in the other order.
        - return torch.cos(x) * dy
        + axes = tuple(reversed(range(x.dim())))
        + return (torch.cos(x).permute(axes).contiguous() * dy.permute(axes)).permute(axes)
    ConjugateView: square
        The gradient is a conjugate view, of which PyTorch has only noted that it is to be conjugated.
        - return 2 * x.conj() * dy
        + return (2 * x * dy.conj()).conj()
    LastAxisMoved: softmax
        The last axis is moved to the front, and summed there.
        - (y,) = ctx.saved_tensors
        - return y * (dy - (dy * y).sum(-1, keepdim=True))
        + y, g = (a.movedim(-1, 0) for a in (*ctx.saved_tensors, dy))
        + return (y * (g - (g * y).sum(0))).movedim(0, -1)
    ProductsTransposed: self_product
        Both products are those of the transposed, and are transposed back.
        - return dy @ x.mT + x.mT @ dy
        + return (x @ dy.mT + dy.mT @ x).mT
    """,
)
