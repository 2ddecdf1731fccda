"""Other types and other formulas: no digit is lost."""

# mypy: allow-untyped-defs, allow-untyped-calls

import torch
from torch.nn import functional as F  # noqa: N812  # as everybody calls it

from porting.selftest import toys
from porting.selftest.planted import right
from porting.selftest.torch import twins


@right(toys.sine)
class DoubleInside(twins.SineFunction):
    """The gradient is computed in float64 whatever the input is, and cast back."""

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return (torch.cos(x.double()) * dy.double()).to(x.dtype)


def _wide(*tensors):
    return (t.float() if t.dtype.itemsize == 2 else t for t in tensors)


@right(toys.matmul)
class SingleForSixteenBits(twins.MatmulFunction):
    """The products are computed in float32 where the type has 16 bits, and there alone."""

    @staticmethod
    def backward(ctx, dy):
        x, w, g = _wide(*ctx.saved_tensors, dy)
        return (g @ w.mT).to(dy.dtype), (x.mT @ g).to(dy.dtype)


@right(toys.mean_square)
class MeanInDouble(twins.MeanSquareFunction):
    """The mean is taken in float64; in 16 bits the squares would overflow."""

    @staticmethod
    def forward(x):
        return x.double().square().mean(-1).to(x.dtype)


@right(toys.sigmoid)
class SumOfLogarithms(twins.SigmoidFunction):
    """The gradient is the exponential of two logarithms."""

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return dy * torch.exp(F.logsigmoid(x) + F.logsigmoid(-x))


@right(toys.sigmoid)
class HalfTheAngle(twins.SigmoidFunction):
    """Value and gradient come from tanh(x / 2)."""

    @staticmethod
    def forward(x):
        return torch.tanh(x / 2) / 2 + 0.5

    @staticmethod
    def backward(ctx, dy):
        t = torch.tanh(ctx.saved_tensors[0] / 2)
        return dy * (1 - t) * (1 + t) / 4


@right(toys.softplus)
class LogarithmOfTheOther(twins.SoftplusFunction):
    """The value is minus a log-sigmoid, the gradient 1 minus a sigmoid."""

    @staticmethod
    def forward(x):
        return -F.logsigmoid(-x)

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return dy - dy * torch.sigmoid(-x)


@right(toys.softplus)
class ExpOfValueMinusOne(twins.SoftplusFunction):
    """The output is saved: the gradient is 1 - exp(-y), written with expm1()."""

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(output)

    @staticmethod
    def backward(ctx, dy):
        return -torch.expm1(-ctx.saved_tensors[0]) * dy


@right(toys.product)
class SquaredFirst(twins.ProductFunction):
    """x1 is squared first, as it is written: in float16 that overflows where the product is only just finite."""

    @staticmethod
    def forward(x1, x2):
        return x1**2 * x2

    @staticmethod
    def backward(ctx, dy):
        x1, x2 = ctx.saved_tensors
        return 2 * x1 * x2 * dy, x1**2 * dy
