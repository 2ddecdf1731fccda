"""Other types and other formulas: no digit is lost."""

# mypy: allow-untyped-defs, allow-untyped-calls

import torch
from torch.nn import functional as F  # noqa: N812  # as everybody calls it

from porting.selftest import toys
from porting.selftest.edits import planted_edits
from porting.selftest.planted import right
from porting.selftest.torch import twins


def _wide(*tensors):
    return (t.float() if t.dtype.itemsize == 2 else t for t in tensors)


@right(toys.sigmoid)
class SumOfLogarithms(twins.SigmoidFunction):
    """The gradient is the exponential of two logarithms."""

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return dy * torch.exp(F.logsigmoid(x) + F.logsigmoid(-x))


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


planted_edits(
    __name__,
    """
    DoubleInside: sine
        The gradient is computed in float64 whatever the input is, and cast back.
        - return torch.cos(x) * dy
        + return (torch.cos(x.double()) * dy.double()).to(x.dtype)
    SingleForSixteenBits: matmul
        The products are computed in float32 where the type has 16 bits, and there alone.
        - x, w = ctx.saved_tensors
        - return dy @ w.mT, x.mT @ dy
        + x, w, g = _wide(*ctx.saved_tensors, dy)
        + return (g @ w.mT).to(dy.dtype), (x.mT @ g).to(dy.dtype)
    MeanInDouble: mean_square
        The mean is taken in float64; in 16 bits the squares would overflow.
        - n = x.shape[-1]
        - return n * (x * (x / n)).mean(-1)  # x^2 alone would overflow float16 sooner than the mean does
        + return x.double().square().mean(-1).to(x.dtype)
    HalfTheAngle: sigmoid
        Value and gradient come from tanh(x / 2).
        - def forward(x):
        -     return torch.sigmoid(x)
        + def forward(x):
        +     return torch.tanh(x / 2) / 2 + 0.5
        - (x,) = ctx.saved_tensors
        - return torch.sigmoid(x) * torch.sigmoid(-x) * dy
        + t = torch.tanh(ctx.saved_tensors[0] / 2)
        + return dy * (1 - t) * (1 + t) / 4
    SquaredFirst: product
        x1 is squared first, as it is written: in float16 that overflows where the product is only just finite.
        - return x1 * x2 * x1  # in this order: x1^2 alone may overflow
        + return x1**2 * x2
        - return 2 * x1 * dy * x2, x1 * dy * x1
        + return 2 * x1 * x2 * dy, x1**2 * dy
    """,
)
